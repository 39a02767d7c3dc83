// Copies: rules 7 to 12.
//
// The full instrument sees when a copy ended and works out when it began, by these very rules. So what a GPU is to
// prove rests on ends, and on kernels, which write both times themselves.
#include "tests/conformance/conformance.h"

namespace streamscope::conformance {

using O = const Observation&;

namespace {

// Each call came back before its own copy was over.
Verdict none_holds_the_host(O o, std::initializer_list<const char*> copies) {
  for (const char* const copy : copies) {
    if (Verdict verdict = o.returns_before_end(copy, copy); !verdict.holds()) return verdict;
  }
  return {};
}

// Whether the call of `copy` was held for `kernel`, the work before it in its stream.
Verdict staged_or_held(O o, const char* copy, const char* kernel) {
  return all({o.after(copy, kernel), one_of({{"staged: the call did not wait", o.returns_before_end(copy, kernel)},
                                             {"the call waited", o.held_until_end(copy, kernel)}})});
}

// A copy that may be staged, between two kernels of its stream.
Case keeps_its_place(int rule, const char* name, const std::string& declarations, const std::string& copy) {
  return {rule,
          name,
          declarations + "A: spin 3ms    # kernel\n" + copy + "  # copy\nA: spin 100us  # behind\n",
          [](O o) {
            return all({staged_or_held(o, "copy", "kernel"), o.after("behind", "copy")});
          },
          {early("copy"), late("copy")}};
}

// Of equal copies that one engine carries out in this order, each ends at least half of the first one's time after the
// one before it; side by side they would end together.
Verdict end_apart(O o, std::initializer_list<Which> copies) {
  const Nanoseconds half = o.took(*copies.begin()) / 2;
  for (const Which* one = copies.begin(); one + 1 < copies.end(); ++one) {
    Observation::Time earliest = o.end(*one);
    earliest.at += half;
    if (Verdict verdict = o.not_before(o.end(one[1]), earliest, "copies of one direction end one after the other");
        !verdict.holds()) {
      return verdict;
    }
  }
  return {};
}

// Three copies in three streams, one at a time. The paper says first come, first served; an H200 (driver 580,
// CUDA 13.0) takes the first, the third and the second where all three are there, in 3 of 3 passes to the host, seen by
// events: its engine goes by hardware queue, and the first and the third stream share one. So the order is left open.
Verdict take_turns(O o, const char* label) {
  const auto nth = [&](std::size_t n) { return Which{label, n}; };
  const auto in_order = [&](std::size_t second, std::size_t third) {
    return all({end_apart(o, {nth(0), nth(second), nth(third)}), o.in_turn({nth(0), nth(second), nth(third)})});
  };
  return one_of({{"in the order of their issue", in_order(1, 2)}, {"the third before the second", in_order(2, 1)}});
}

}  // namespace

std::vector<Case> copy_cases() {
  return {
      {7,
       "copies from and to pinned memory do not hold the host, whatever their size",
       R"(
buffer x 32MiB
buffer w 32MiB host=write-combined
stream A nonblocking
A: h2d x  # in
A: d2h x  # out
A: h2d w  # combined
)",
       [](O o) {
         return none_holds_the_host(o, {"in", "out", "combined"});
       },
       {held("in"), held("out"), held("combined")}},

      {7,
       "nor do they when they must wait",
       R"(
buffer x 1MiB
buffer y 4KiB
stream A nonblocking
A: spin 3ms  # kernel
A: h2d x     # in
A: d2h x     # out
A: h2d y     # small
A: d2h y     # back
)",
       [](O o) {
         return all({o.returns_before_end("in", "kernel"), o.returns_before_end("out", "kernel"),
                     o.returns_before_end("small", "kernel"), o.returns_before_end("back", "kernel")});
       },
       {held("in"), held("out"), held("small"), held("back")}},

      {8,
       "a large copy from pageable memory holds the host while it is staged",
       R"(
buffer x 32MiB
buffer p 32MiB host=pageable
stream A nonblocking
A: h2d x           # pinned
host: sync device
A: h2d p           # pageable
)",
       [](O o) {
         const bool long_held = o.held("pageable") > o.took("pinned") / 2;
         return long_held ? Verdict{}
                          : Verdict{"the call of 'pageable' was not held for half of the time of 'pinned'", ""};
       },
       {returned("pageable")}},

      {8,
       "a copy to pageable memory returns when it is done",
       R"(
buffer p 16MiB host=pageable
stream A nonblocking
A: spin 1ms   # kernel
A: d2h p      # copy
)",
       [](O o) {
         return all({o.after("copy", "kernel"), o.held_until_end("copy", "copy")});
       },
       {returned("copy"), early("copy")}},

      keeps_its_place(8, "a copy from pageable memory keeps its place in the stream, whether the call waits or not",
                      "buffer p 1MiB host=pageable\nstream A nonblocking\n", "A: h2d p"),
      keeps_its_place(8, "so does one that is larger than any staging room",
                      "buffer p 32MiB host=pageable\nstream A nonblocking\n", "A: h2d p"),
      keeps_its_place(9, "a small blocking copy may return before its data has left the host, and keeps its place",
                      "buffer x 64KiB\nstream A\n", "host: memcpy h2d x"),
      keeps_its_place(9, "likewise from pageable memory, without blocking",
                      "buffer p 64KiB host=pageable\nstream A nonblocking\n", "A: h2d p"),

      {10,
       "a blocking copy from or to pinned memory, and one to pageable memory, returns when it is done",
       R"(
buffer x 16MiB
buffer p 16MiB host=pageable
stream A
A: spin 1ms           # kernel
host: memcpy h2d x    # in
host: memcpy d2h x    # out
host: memcpy d2h p    # pageable
A: spin 100us         # behind
)",
       [](O o) {
         return all({o.in_turn({"kernel", "in", "out", "pageable", "behind"}), o.held_until_end("in", "in"),
                     o.held_until_end("out", "out"), o.held_until_end("pageable", "pageable")});
       },
       {returned("in"), returned("out"), returned("pageable"), early("in")}},

      {10,
       "a blocking copy from pageable memory may return after staging; synchronising waits for the rest",
       R"(
buffer p 1MiB host=pageable
stream A
stream N nonblocking
N: spin 9ms            # exempt
A: spin 3ms            # kernel
host: memcpy h2d p     # copy
host: sync default     # sync
)",
       [](O o) {
         return all({staged_or_held(o, "copy", "kernel"), o.held_until_end("sync", "copy"),
                     o.returns_before_end("sync", "exempt")});
       },
       {early("copy"), held("sync")}},

      {10,
       "a blocking copy does not wait for non-blocking streams",
       R"(
buffer x 16MiB
stream N nonblocking
N: spin 9ms           # exempt
host: memcpy h2d x    # in
host: memcpy d2h x    # out
)",
       [](O o) {
         return all({o.returns_before_end("in", "exempt"), o.returns_before_end("out", "exempt")});
       },
       {held("in"), held("out")}},

      {10,
       "a copy within the device does not hold the host",
       R"(
buffer x 64MiB
stream A nonblocking
A: spin 2ms                              # kernel
A: d2d x[0:32MiB] x[32MiB:32MiB]      # copy
)",
       [](O o) {
         return all({o.returns_before_end("copy", "kernel"), o.after("copy", "kernel")});
       },
       {held("copy"), early("copy")}},

      {10,
       "a copy within the device by its blocking form is work of the legacy default stream",
       R"(
buffer x 64MiB
buffer y 64MiB
stream A
stream B
A: spin 2ms    # before
host: d2d y x  # copy
B: spin 100us  # behind
)",
       [](O o) {
         return all({o.returns_before_end("copy", "before"), o.in_turn({"before", "copy", "behind"})});
       },
       {held("copy"), early("copy"), early("behind")}},

      {7,
       "a copy of rows is one operation of its stream, and does not hold the host",
       R"(
buffer x 32MiB
stream A nonblocking
A: spin 2ms                                  # before
A: h2d x rows=2048 width=8KiB pitch=16KiB    # rows
A: spin 100us                                # behind
)",
       [](O o) {
         return all({o.in_turn({"before", "rows", "behind"}), o.returns_before_end("rows", "before")});
       },
       {held("rows"), early("rows"), early("behind")}},

      {7,
       "nor does a copy between devices, which is work of its stream",
       R"(
buffer x 64MiB device=0,1
stream A nonblocking
stream B device=1 nonblocking
A: spin 5ms    # before
A: peer x@1 x@0  # copy
A: spin 100us  # behind
B: spin 100us  # other
)",
       [](O o) {
         return all({o.in_turn({"before", "copy", "behind"}), o.returns_before_end("copy", "before"),
                     o.ends_before_end("other", "before")});
       },
       {held("copy"), early("copy"), early("behind"), late("other")},
       {.devices = 2}},

      {11,
       "copies of one direction take turns",
       R"(
buffer x 48MiB
streams S 3 nonblocking
repeat 3 as i {
  S{i}: h2d x[{i*16}MiB:16MiB]  # in
}
host: sync device
repeat 3 as i {
  S{i}: d2h x[{i*16}MiB:16MiB]  # out
}
)",
       [](O o) {
         return all({take_turns(o, "in"), take_turns(o, "out")});
       },
       {early("in"), early("out")}},

      {11,
       "the copy that is ready first goes first",
       R"(
buffer x 32MiB
streams S 2 nonblocking
S0: spin 2ms                 # kernel
S0: h2d x[0:16MiB]           # later
S1: h2d x[16MiB:16MiB]       # ready
)",
       [](O o) {
         return all({o.after("later", "kernel"), o.ends_before_end("ready", "kernel")});
       },
       {late("ready"), early("later")},
       {.copy_engines_at_least = 2}},

      {11,
       "directions are independent where there are two engines",
       R"(
buffer x 64MiB
buffer y 8MiB
streams S 2 nonblocking
S0: h2d x          # large in
S1: d2h y          # out
host: sync device
S0: d2h x          # large out
S1: h2d y          # in
)",
       [](O o) {
         return all({o.ends_before_end("out", "large in"), o.ends_before_end("in", "large out")});
       },
       {late("out"), late("in")},
       {.copy_engines_at_least = 2}},

      // Of the order in which a device with one engine takes its copies nothing more is promised than that it is one.
      {11,
       "with one engine the directions take turns",
       R"(
buffer x 32MiB
buffer y 32MiB
streams S 2 nonblocking
S0: h2d x  # in
S1: d2h y  # out
)",
       [](O o) {
         return all({end_apart(o, {"in", "out"}), o.after("out", "in")});
       },
       {early("out")},
       {.copy_engines_at_most = 1}},

      {11,
       "with one engine, issued depth first, a copy in queues behind the copy out before it",
       R"(
buffer x 32MiB
streams S 2 nonblocking
S0: h2d x[0:16MiB]         # in
S0: spin 2ms               # kernel
S0: d2h x[0:16MiB]         # out
S1: h2d x[16MiB:16MiB]     # next
S1: spin 2ms               # beside
S1: d2h x[16MiB:16MiB]
)",
       [](O o) {
         return all({o.after("next", "out"), o.after("beside", "kernel")});
       },
       {early("next")},
       {.copy_engines_at_most = 1}},

      {11,
       "with one engine, issued breadth first, the streams overlap",
       R"(
buffer x 32MiB
streams S 2 nonblocking
S0: h2d x[0:16MiB]         # in
S1: h2d x[16MiB:16MiB]     # next
S0: spin 20ms              # kernel
S1: spin 20ms              # beside
S0: d2h x[0:16MiB]
S1: d2h x[16MiB:16MiB]
)",
       [](O o) {
         return all({o.after("next", "in"), o.overlap("kernel", "beside")});
       },
       {early("next"), late("beside")},
       {.copy_engines_at_most = 1}},

      // Measured on an H200: copies of up to 64 KiB pass a large one of another stream on the same engine.
      {11,
       "a small copy of another stream may pass a large one, and waits for its own stream only",
       R"(
buffer x 64MiB
buffer y 64KiB
streams S 2 nonblocking
S0: h2d x        # large
S1: spin 300us   # kernel
S1: h2d y        # small
)",
       [](O o) {
         return all(
             {o.after("small", "kernel"),
              one_of({{"it passed", o.ends_before_end("small", "large")},
                      {"it waited for its turn", o.not_before(o.end("small"), o.end("large"), "small is last")}})});
       },
       {early("small")}},

      {12,
       "a memset does not hold the host",
       R"(
buffer x 64MiB
stream A nonblocking
A: spin 2ms    # kernel
A: memset x 0  # set
A: spin 100us  # behind
)",
       [](O o) {
         return all({o.returns_before_end("set", "kernel"), o.in_turn({"kernel", "set", "behind"})});
       },
       {held("set"), early("set"), early("behind")}},

      {12,
       "a memset without a stream is work of the legacy default stream",
       R"(
buffer x 64MiB
stream A
stream B
stream N nonblocking
A: spin 2ms          # before
N: spin 9ms          # exempt
default: memset x 0  # set
B: spin 100us        # behind
)",
       [](O o) {
         return all({o.returns_before_end("set", "before"), o.in_turn({"before", "set", "behind"}),
                     o.ends_before_end("behind", "exempt")});
       },
       {held("set"), early("set"), early("behind"), late("behind")}},

      {12,
       "nor does its blocking form, which is work of that stream too",
       R"(
buffer x 64MiB
stream A
stream B
A: spin 2ms       # before
host: memset x 0  # set
B: spin 100us     # behind
)",
       [](O o) {
         return all({o.returns_before_end("set", "before"), o.in_turn({"before", "set", "behind"})});
       },
       {held("set"), early("set"), early("behind")}},

      {12,
       "a memset of pinned host memory may hold the host, and keeps its place",
       R"(
buffer m 16MiB host=mapped
stream A nonblocking
A: spin 3ms    # kernel
A: memset m 0  # set
A: spin 100us  # behind
)",
       [](O o) {
         return all({o.in_turn({"kernel", "set", "behind"}),
                     one_of({{"the call did not wait", o.returns_before_end("set", "kernel")},
                             {"the call waited", o.held_until_end("set", "kernel")}})});
       },
       {early("set"), late("set")}},
  };
}

}  // namespace streamscope::conformance

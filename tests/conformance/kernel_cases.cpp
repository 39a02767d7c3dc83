// Kernels: rules 13 to 16. The grids are given in multiprocessors, so that they fill any device: of 1024, 1536 or 2048
// threads and 16 to 32 blocks a multiprocessor.
#include <fmt/format.h>

#include "tests/conformance/conformance.h"

namespace streamscope::conformance {

using O = const Observation&;

namespace {

// A block of a spin lasts as long as a kernel of one wave: `wave`.
Verdict one_more_wave(O o, const char* kernel) { return o.takes_times(kernel, 1.6, "wave"); }
Verdict one_wave(O o, const char* kernel) { return o.takes_less_than(kernel, 1.4, "wave"); }

// `small` begins with the last blocks of `head` at the soonest: one wave before its end.
Verdict waits_for_the_last_blocks(O o, const char* small, const char* head) {
  Observation::Time handed_out = o.end(head);
  handed_out.at -= o.took("wave") * 11 / 10;
  return o.not_before(o.start(small), handed_out,
                      fmt::format("'{}' starts when '{}' has handed out all of its blocks", small, head));
}

// Of the launches behind `long` one was under way when it ended; were there room for all, none would have been.
Verdict room_was_waited_for(O o) {
  const std::size_t launches = o.count("queued");
  for (std::size_t i = 0; i < launches; ++i) {
    const Which launch{"queued", i};
    const Observation::Time begin{o.span(launch).host_begin, 0};
    if (!o.clearly_before(begin, o.end("long"), "").holds() || !o.held_until_end(launch, "long").holds()) continue;
    if (i < 16) return {fmt::format("launch {} was held already", i), ""};
    return {"", fmt::format("launch {} behind the kernel was held", i + 1)};
  }
  return {fmt::format("none of {} launches was held", launches), ""};
}

}  // namespace

std::vector<Case> kernel_cases() {
  return {
      {13,
       "small kernels of several streams share the device",
       R"(
streams S 4 nonblocking
S0: spin 2ms blocks=2  # one
S1: spin 2ms blocks=2  # two
S2: spin 2ms blocks=2  # three
S3: spin 2ms blocks=2  # four
)",
       [](O o) {
         return all({o.overlap("one", "two"), o.overlap("one", "three"), o.overlap("one", "four")});
       },
       {late("two"), late("three"), late("four")}},

      {13,
       "a kernel behind another in its stream does not stand in the way of other streams",
       R"(
streams S 2 nonblocking
S0: spin 3ms    # first
S0: spin 100us  # behind
S1: spin 100us  # other
)",
       [](O o) {
         return all({o.after("behind", "first"), o.ends_before_end("other", "first")});
       },
       {early("behind"), late("other")}},

      {13,
       "a kernel leaves its stream when its last block ends",
       R"(
stream A nonblocking
A: spin 500us                                         # wave
A: spin 500us blocks={$multiprocessors*3} threads=768 # waves
A: spin 100us                                         # next
)",
       [](O o) {
         return all({one_more_wave(o, "waves"), o.after("next", "waves")});
       },
       {brief("waves"), early("next")}},

      // 768 threads a block: where two fit, half of the second wave is free, and everywhere a warp fits beside them.
      {13,
       "a small kernel gets blocks only when the kernel before it has handed out all of its own",
       R"(
streams S 2 nonblocking
S0: spin 1ms                                         # wave
host: sync device
S0: spin 1ms blocks={$multiprocessors*3} threads=768 # head
S1: spin 100us threads=32                            # small
)",
       [](O o) {
         return all({one_more_wave(o, "head"), waits_for_the_last_blocks(o, "small", "head"),
                     o.starts_before_end("small", "head")});
       },
       {early("small"), late("small")}},

      // The second's blocks fit nowhere beside the head's; the third's warp would.
      {13,
       "a kernel that finds no room holds back the smaller one behind it",
       R"(
streams S 3 nonblocking
S0: spin 1ms                                          # wave
host: sync device
S0: spin 1ms blocks={$multiprocessors*2} threads=768  # head
S1: spin 1ms blocks=1 threads=1024                    # second
S2: spin 100us blocks=1 threads=32                    # third
)",
       [](O o) {
         return all({o.not_before(o.start("third"), o.start("second"), "'third' does not overtake 'second'"),
                     o.starts_before("head", "second"), waits_for_the_last_blocks(o, "third", "head")});
       },
       {early("third"), late("second")}},

      {14,
       "blocks fit by their threads",
       R"(
stream A nonblocking
A: spin 500us                                            # wave
A: spin 500us blocks=$multiprocessors threads=1024       # fits
A: spin 500us blocks={$multiprocessors*2+1} threads=1024 # more
)",
       [](O o) {
         return all({one_wave(o, "fits"), one_more_wave(o, "more")});
       },
       {brief("more"), brief("wave")}},

      {14,
       "blocks fit by their number",
       R"(
stream A nonblocking
A: spin 500us                                           # wave
A: spin 500us blocks={$multiprocessors*16} threads=32   # fits
A: spin 500us blocks={$multiprocessors*32+1} threads=32 # more
)",
       [](O o) {
         return all({one_wave(o, "fits"), one_more_wave(o, "more")});
       },
       {brief("more"), brief("wave")}},

      {14,
       "blocks fit by their shared memory",
       R"(
stream A nonblocking
A: spin 500us                                                      # wave
A: spin 500us blocks={$multiprocessors*4+1} threads=32             # fits
A: spin 500us blocks={$multiprocessors*4+1} threads=32 smem=48KiB  # more
)",
       [](O o) {
         return all({one_wave(o, "fits"), one_more_wave(o, "more")});
       },
       {brief("more"), brief("wave")}},

      {15,
       "a more urgent kernel's blocks go before those still to be handed out, and preempt none",
       R"(
stream L nonblocking
stream H nonblocking priority=$highest
L: spin 1ms                                           # wave
host: sync device
L: spin 1ms blocks={$multiprocessors*6} threads=1024  # low
H: spin 1ms blocks=$multiprocessors threads=1024      # high
)",
       [](O o) {
         Observation::Time first_wave = o.start("low");
         first_wave.at += o.took("wave") * 9 / 10;
         return all({o.not_before(o.start("high"), first_wave, "'high' preempts no block of 'low'"),
                     o.ends_before_end("high", "low")});
       },
       {early("high"), late("high")},
       {.priorities = true}},

      {15,
       "a more urgent kernel goes before one that was issued sooner and waits",
       R"(
stream L nonblocking
stream M nonblocking
stream H nonblocking priority=$highest
L: spin 1ms                                             # wave
host: sync device
L: spin 2ms blocks={$multiprocessors*2} threads=1024    # runs
M: spin 1ms blocks={$multiprocessors*2} threads=1024    # waits
H: spin 1ms blocks={$multiprocessors*2} threads=1024    # high
)",
       [](O o) {
         return all({o.starts_before("runs", "high"), o.starts_before("high", "waits")});
       },
       {late("high"), early("waits")},
       {.priorities = true}},

      {15,
       "priorities are clamped to the device's range",
       R"(
stream L nonblocking
stream M nonblocking priority=$highest
stream H nonblocking priority=-1000
L: spin 1ms                                             # wave
host: sync device
L: spin 2ms blocks={$multiprocessors*2} threads=1024    # runs
M: spin 1ms blocks={$multiprocessors*2} threads=1024    # sooner
H: spin 1ms blocks={$multiprocessors*2} threads=1024    # later
)",
       [](O o) { return o.starts_before("sooner", "later"); },
       {late("sooner"), early("later")},
       {.priorities = true}},

      {15,
       "priorities are for kernels: of copies, of whatever priority, one goes at a time",
       R"(
buffer x 48MiB
stream L nonblocking
stream M nonblocking
stream H nonblocking priority=$highest
L: h2d x[0:16MiB]      # first
M: h2d x[16MiB:16MiB]  # sooner
H: h2d x[32MiB:16MiB]  # urgent
)",
       [](O o) {
         // An H200 takes the third first, but so it does where all have the same priority (rule 11).
         return one_of({{"in the order of their issue", o.in_turn({"first", "sooner", "urgent"})},
                        {"the third before the second", o.in_turn({"first", "urgent", "sooner"})}});
       },
       {early("urgent")},
       {.priorities = true}},

      {16,
       "a stream's queue is finite: behind a long kernel a late launch is held until room comes",
       R"(
stream A nonblocking
A: spin 40ms   # long
repeat 4000 {
  A: spin 1us  # queued
}
)",
       room_was_waited_for,
       {returned("queued"), held("queued")}},

      {16,
       "four streams have hardware queues of their own",
       R"(
streams S 4 nonblocking
repeat 4 as i {
  S{i}: spin 2ms   # first
  S{i}: spin 100us # second
}
)",
       [](O o) {
         return all({o.overlap("first", {"first", 1}), o.overlap("first", {"first", 2}),
                     o.overlap("first", {"first", 3}), o.after("second", "first"),
                     o.after({"second", 3}, {"first", 3})});
       },
       {late("first"), early("second")}},

      // Streams that share a queue wait for what stands in it before their work and is blocked, never for what is
      // issued later.
      {16,
       "many streams may share queues, which delays no work for what is issued after it",
       R"(
streams S 64 nonblocking
S0: spin 5ms      # head
S0: spin 20us     # blocked
repeat 63 as i {
  S{i+1}: spin 20us   # kernel
  S{i+1}: spin 20us   # behind
}
S1: spin 5ms      # tail
)",
       [](O o) {
         std::size_t waited = 0;
         for (std::size_t i = 0; i < o.count("kernel"); ++i) {
           if (!o.starts_before_end({"kernel", i}, "head").holds()) ++waited;
           if (Verdict order = o.after({"behind", i}, {"kernel", i}); !order.holds()) return order;
           if (Verdict order = o.starts_before_end({"kernel", i}, "tail"); !order.holds()) return order;
         }
         return all({o.starts_before_end("head", "tail"),
                     {"", fmt::format("{} of 63 streams waited for the first one", waited)}});
       },
       {early("behind"), late("kernel")}},
  };
}

}  // namespace streamscope::conformance

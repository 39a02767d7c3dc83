// Order and the default stream: rules 1 to 4.
#include "tests/conformance/conformance.h"

namespace streamscope::conformance {

using O = const Observation&;

std::vector<Case> order_cases() {
  return {
      {1,
       "work of every kind in one stream runs in issue order",
       R"(
buffer x 16MiB
stream A
A: h2d x                     # in
A: spin 1ms                  # kernel
A: d2h x                     # out
A: memset x 0                # set
A: d2d x[0:4MiB] x[8MiB:4MiB]  # move
A: hostfn 100us              # function
A: spin 100us                # last
)",
       [](O o) {
         return o.in_turn({"in", "kernel", "out", "set", "move", "function", "last"});
       },
       {early("kernel"), early("out"), early("set"), early("move"), early("function"), early("last")}},

      {1,
       "a small copy does not pass a large one of its own stream",
       R"(
buffer x 64MiB
buffer y 4KiB
stream A
A: h2d x  # large
A: h2d y  # small
)",
       [](O o) { return o.after("small", "large"); },
       {early("small")}},

      {1,
       "kernels of one stream never share the device, however small",
       R"(
stream A nonblocking
repeat 4 {
  A: spin 500us  # kernel
}
)",
       [](O o) {
         return o.in_turn({{"kernel", 0}, {"kernel", 1}, {"kernel", 2}, {"kernel", 3}});
       },
       {early("kernel")}},

      {1,
       "streams run beside each other",
       R"(
stream A
stream B
A: spin 2ms  # one
B: spin 2ms  # other
)",
       [](O o) { return o.overlap("one", "other"); },
       {late("other"), late("one")}},

      {1,
       "synchronising a stream or asking whether it is done waits for its work and for no other's",
       R"(
stream A
stream N nonblocking
A: spin 1ms                # own
N: spin 8ms                # other
host: sync A               # sync
A: spin 1ms                # more
host: poll A every=50us    # query
)",
       [](O o) {
         return all({o.held_until_end("sync", "own"), o.issued_after("more", "own"), o.held_until_end("query", "more"),
                     o.asked("query", 2, 1'000'000), o.returns_before_end("query", "other")});
       },
       {returned("sync"), returned("query"), held("query"), asked_once("query"), late("own")}},

      {1,
       "synchronising the device waits for the work of all streams",
       R"(
stream A
stream N nonblocking
A: spin 1ms        # blocking
N: spin 3ms        # exempt
default: spin 1ms  # legacy
host: sync device  # sync
)",
       [](O o) {
         return all({o.held_until_end("sync", "blocking"), o.held_until_end("sync", "exempt"),
                     o.held_until_end("sync", "legacy")});
       },
       {returned("sync"), late("exempt")}},

      {1,
       "synchronising the device waits for the current device alone",
       R"(
stream A nonblocking
stream B device=1 nonblocking
B: spin 20ms       # other
A: spin 2ms        # own
host: sync device  # sync
)",
       [](O o) {
         return all({o.held_until_end("sync", "own"), o.returns_before_end("sync", "other")});
       },
       {returned("sync"), held("sync")},
       {.devices = 2}},

      {1,
       "asking for a stream's attributes waits for nothing",
       R"(
stream A nonblocking
A: spin 2ms         # kernel
host: attributes A  # ask
)",
       [](O o) { return o.returns_before_end("ask", "kernel"); },
       {held("ask")}},

      {2,
       "a kernel in the legacy stream serialises those of blocking streams",
       R"(
stream A
stream B
A: spin 1ms        # first
default: spin 1ms  # legacy
B: spin 1ms        # second
)",
       [](O o) {
         return o.in_turn({"first", "legacy", "second"});
       },
       {early("legacy"), early("second")}},

      {2,
       "non-blocking streams are exempt in both directions",
       R"(
stream M nonblocking
stream N nonblocking
M: spin 2ms        # before
default: spin 2ms  # legacy
N: spin 2ms        # after
)",
       [](O o) {
         return all({o.overlap("before", "legacy"), o.overlap("legacy", "after")});
       },
       {late("legacy"), late("after")}},

      {2,
       "a copy in the legacy stream waits for all blocking streams and holds all of them back",
       R"(
buffer x 32MiB
streams S 3
S0: spin 1ms    # first
S1: spin 2ms    # longest
default: h2d x  # copy
S1: spin 100us  # behind
S2: spin 100us  # fresh
)",
       [](O o) {
         return all({o.after("copy", "first"), o.after("copy", "longest"), o.after("behind", "copy"),
                     o.after("fresh", "copy")});
       },
       {early("copy"), early("behind"), early("fresh")}},

      {2,
       "a wait in the legacy stream is a barrier too",
       R"(
stream A
stream B
stream N nonblocking
A: spin 3ms      # before
N: spin 1ms      # event
N: record e
default: wait e
B: spin 100us    # later
)",
       [](O o) {
         return all({o.after("later", "before"), o.after("later", "event")});
       },
       {early("later")}},

      {2,
       "so is a wait for an event that is there already",
       R"(
stream A
stream B
stream N nonblocking
N: record e
host: sync e
A: spin 2ms      # before
default: wait e
B: spin 100us    # later
)",
       [](O o) { return o.after("later", "before"); },
       {early("later")}},

      {2,
       "a record in the legacy stream captures the work of all blocking streams, and only that",
       R"(
stream A
stream M nonblocking
stream N nonblocking
A: spin 2ms        # captured
M: spin 6ms        # exempt
default: record e
N: wait e
N: spin 100us      # later
)",
       [](O o) {
         return all({o.after("later", "captured"), o.ends_before_end("later", "exempt")});
       },
       {early("later"), late("later")}},

      {2,
       "synchronising the legacy stream waits for all blocking streams, and only for those",
       R"(
stream A
stream N nonblocking
A: spin 2ms         # blocking
N: spin 6ms         # exempt
host: sync default  # sync
)",
       [](O o) {
         return all({o.held_until_end("sync", "blocking"), o.returns_before_end("sync", "exempt")});
       },
       {returned("sync"), held("sync")}},

      {3,
       "the per-thread stream is an ordinary blocking stream",
       R"(
stream A
A: spin 2ms              # other
per-thread: spin 2ms     # own
default: spin 100us      # legacy
per-thread: spin 100us   # later
)",
       [](O o) {
         return all({o.overlap("other", "own"), o.after("legacy", "other"), o.after("legacy", "own"),
                     o.after("later", "legacy")});
       },
       {late("own"), early("legacy"), early("later")}},

      {3,
       "the per-thread stream keeps its own order",
       R"(
per-thread: spin 1ms    # first
per-thread: spin 100us  # second
)",
       [](O o) { return o.after("second", "first"); },
       {early("second")}},

      {3,
       "where the default stream is per thread, what is given to no stream waits for its own thread's only",
       R"(
default-stream per-thread
buffer x 64KiB
stream A
A: spin 4ms                # other
default: spin 1ms          # own
host: memcpy h2d x         # copy
default: spin 100us        # later
)",
       [](O o) {
         return all({o.overlap("other", "own"), o.after("copy", "own"), o.ends_before_end("copy", "other"),
                     o.ends_before_end("later", "other")});
       },
       {late("copy"), early("copy"), late("later")}},

      {4,
       "cudaMalloc does not wait for the device",
       R"(
stream N nonblocking
N: spin 5ms            # kernel
host: malloc t 1MiB    # malloc
host: sync device
host: free t
)",
       [](O o) { return o.returns_before_end("malloc", "kernel"); },
       {held("malloc")},
       {.device = "H200"}},

      {4,
       "cudaFree waits for the whole device, non-blocking streams too",
       R"(
stream N nonblocking
stream A
host: malloc t 1MiB
N: spin 4ms     # exempt
A: spin 2ms     # blocking
host: free t    # free
A: spin 100us   # later
)",
       [](O o) {
         return all({o.held_until_end("free", "exempt"), o.held_until_end("free", "blocking"),
                     o.issued_after("later", "exempt")});
       },
       {returned("free")},
       {.device = "H200"}},
  };
}

}  // namespace streamscope::conformance

// A second host thread: rule 3, and what follows from each thread waiting for itself.
#include "tests/conformance/conformance.h"

namespace streamscope::conformance {

using O = const Observation&;

std::vector<Case> thread_cases() {
  return {
      {3,
       "each host thread has a per-thread stream of its own",
       R"(
thread T {
  per-thread: spin 4ms    # theirs
  per-thread: spin 100us  # behind
}
per-thread: spin 4ms      # mine
host: join T
)",
       [](O o) {
         return all({o.overlap("theirs", "mine"), o.after("behind", "theirs")});
       },
       {late("mine"), early("behind")}},

      {3,
       "the per-thread streams of all threads are ordered against legacy",
       R"(
thread T {
  per-thread: spin 2ms  # theirs
}
host: join T
per-thread: spin 1ms    # mine
default: spin 1ms       # legacy
per-thread: spin 100us  # later
thread U {
  per-thread: spin 100us  # fresh
}
host: join U
)",
       [](O o) {
         return all({o.after("legacy", "theirs"), o.after("legacy", "mine"), o.after("later", "legacy"),
                     o.after("fresh", "legacy")});
       },
       {early("legacy"), late("theirs"), early("later"), late("legacy")}},

      {3,
       "a thread that waits for its per-thread stream waits for no other's",
       R"(
thread T {
  per-thread: spin 8ms    # theirs
}
host: join T
per-thread: spin 1ms      # mine
host: sync per-thread     # sync
)",
       [](O o) {
         return all({o.held_until_end("sync", "mine"), o.returns_before_end("sync", "theirs")});
       },
       {returned("sync"), held("sync")}},

      {3,
       "a host thread that waits does not hold another",
       R"(
streams S 2 nonblocking
thread T {
  S0: spin 8ms          # theirs
  host: sync S0         # long
}
S1: spin 1ms            # mine
host: sync S1           # brief
S1: spin 100us          # next
host: sync S1           # again
host: join T
)",
       [](O o) {
         return all({o.held_until_end("long", "theirs"), o.held_until_end("brief", "mine"),
                     o.returns_before_end("brief", "theirs"), o.returns_before_end("again", "theirs")});
       },
       {returned("long"), held("brief"), held("again")}},

      {3,
       "a thread that waits for a stream does not wait for what another submits to it meanwhile",
       R"(
stream A nonblocking
A: spin 30ms            # before
thread T {
  host: work 5ms
  A: spin 30ms          # meanwhile
}
host: sync A            # sync
host: join T
)",
       [](O o) {
         return all({o.held_until_end("sync", "before"), o.returns_before_end("sync", "meanwhile")});
       },
       {returned("sync"), held("sync")}},

      {5,
       "an event orders the work of two host threads",
       R"(
streams S 2 nonblocking
S0: spin 2ms     # captured
S0: record e
thread T {
  S1: wait e
  S1: spin 100us # waits
}
host: join T
)",
       [](O o) { return o.after("waits", "captured"); },
       {late("captured")}},
  };
}

}  // namespace streamscope::conformance

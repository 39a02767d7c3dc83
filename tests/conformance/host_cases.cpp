// Host functions: rule 17. That one is skipped after a context's error cannot be seen in spans: such a run has none.
#include "tests/conformance/conformance.h"

namespace streamscope::conformance {

using O = const Observation&;

std::vector<Case> host_cases() {
  return {
      {17,
       "a host function runs after the work before it and holds back the work after it",
       R"(
buffer x 16MiB
stream A nonblocking
A: h2d x        # in
A: spin 1ms     # before
A: hostfn 500us # function
A: spin 100us   # behind
)",
       [](O o) {
         return all({o.in_turn({"in", "before", "function", "behind"}), o.returns_before_end("function", "before")});
       },
       {early("function"), early("behind"), held("function")}},

      {17,
       "a callback keeps its place as a host function does, and is told that all is well",
       R"(
stream A nonblocking
A: spin 1ms        # before
A: callback 500us  # callback
A: spin 100us      # behind
)",
       [](O o) {
         const bool well = o.span("callback").result == CallResult::success;
         return all({well ? Verdict{} : Verdict{"it was told an error", ""},
                     o.in_turn({"before", "callback", "behind"}), o.returns_before_end("callback", "before")});
       },
       {early("callback"), early("behind"), held("callback")}},

      {17,
       "an event behind a host function captures it",
       R"(
streams S 2 nonblocking
S0: hostfn 2ms  # function
S0: record e
S1: wait e
S1: spin 100us  # waits
host: sync e    # sync
)",
       [](O o) {
         return all({o.after("waits", "function"), o.held_until_end("sync", "function")});
       },
       {early("waits"), returned("sync")}},

      {17,
       "independent host functions may serialise, and each keeps to its own stream",
       R"(
streams S 2 nonblocking
S0: spin 1ms    # one
S0: hostfn 1ms  # first
S1: spin 1ms    # two
S1: hostfn 1ms  # second
S1: spin 100us  # behind
)",
       [](O o) {
         return all({o.after("first", "one"), o.after("second", "two"), o.after("behind", "second"),
                     one_of({{"side by side", o.overlap("first", "second")},
                             {"in turn", o.in_turn({"first", "second"})},
                             {"in turn", o.in_turn({"second", "first"})}})});
       },
       {early("first"), early("second"), early("behind")}},

      {17,
       "a host function in the legacy stream is a barrier as all work is",
       R"(
stream A
stream B
A: spin 1ms            # before
default: hostfn 500us  # function
B: spin 100us          # behind
)",
       [](O o) {
         return o.in_turn({"before", "function", "behind"});
       },
       {early("function"), early("behind")}},
  };
}

}  // namespace streamscope::conformance

// Graphs: what capture makes of the order of streams and events (rule 19), and the order of launches (rule 20).
#include "tests/conformance/conformance.h"

namespace streamscope::conformance {

using O = const Observation&;

std::vector<Case> graph_cases() {
  return {
      {19,
       "waiting for an event recorded under capture pulls that stream in",
       R"(
streams S 2 nonblocking
graph G on S0 {
  S0: spin 1ms    # first
  S0: record e
  S1: wait e
  S1: spin 3ms    # fork
  S1: record f
  S0: spin 3ms    # trunk
  S0: wait f
  S0: spin 100us  # joined
}
S0: launch G
)",
       [](O o) {
         return all({o.after("fork", "first"), o.after("trunk", "first"), o.overlap("fork", "trunk"),
                     o.after("joined", "fork"), o.after("joined", "trunk")});
       },
       {early("fork"), early("trunk"), late("fork"), early("joined")}},

      {19,
       "what is captured does not run before the graph is launched, and runs once for each launch",
       R"(
stream A nonblocking
graph G on A {
  A: spin 1ms    # node
}
A: spin 2ms      # before
A: launch G
A: launch G
)",
       [](O o) {
         const Verdict twice = o.count("node") == 2 ? Verdict{} : Verdict{"the node did not run twice", ""};
         return all({twice, o.after("node", "before"), o.after({"node", 1}, {"node", 0})});
       },
       {early("node")}},

      {19,
       "the pulled-in stream's own work outside the graph is no part of it",
       R"(
streams S 3 nonblocking
graph G on S0 {
  S0: record e
  S1: wait e
  S1: spin 1ms    # fork
  S1: record f
  S0: wait f
}
S1: spin 6ms      # own
S0: launch G
S0: spin 100us    # behind
)",
       [](O o) {
         return all({o.ends_before_end("fork", "own"), o.after("behind", "fork")});
       },
       {late("fork"), early("behind")}},

      {19,
       "a capture inside the run waits for nothing, and what it captured runs when it is launched",
       R"(
stream A nonblocking
graph G on A {
  A: spin 1ms     # node
}
A: spin 6ms       # before
host: capture G   # capture
A: launch G       # launch
A: spin 100us     # behind
)",
       [](O o) {
         return all({o.returns_before_end({"capture", 2}, "before"), o.after({"node", 1}, "before"),
                     o.after("behind", {"node", 1})});
       },
       {early("node"), early("behind")}},

      {19,
       "an external record is a node, which each launch records anew for others to wait for",
       R"(
streams S 2 nonblocking
graph G on S0 {
  S0: spin 1ms    # first
  S0: record e external
  S0: spin 4ms    # second
}
S0: launch G
S1: wait e
S1: spin 100us    # waits
S0: launch G
S1: wait e
S1: spin 100us    # waits again
)",
       [](O o) {
         return all({o.after("waits", "first"), o.ends_before_end("waits", "second"),
                     o.after("waits again", {"first", 1}), o.ends_before_end("waits again", {"second", 1})});
       },
       {early("waits"), late("waits"), early("waits again")}},

      {19,
       "an external wait is a node, which waits for what is before the latest record",
       R"(
event e
streams S 2 nonblocking
graph G on S0 {
  S0: wait e external
  S0: spin 100us  # node
}
S1: spin 2ms      # first
S1: record e
S1: spin 4ms      # second
S0: launch G
)",
       [](O o) {
         return all({o.after("node", "first"), o.ends_before_end("node", "second")});
       },
       {early("node"), late("node")}},

      {20,
       "a graph launch is ordered after prior work of its stream and before what follows",
       R"(
buffer x 16MiB
stream A nonblocking
graph G on A {
  A: h2d x        # in
  A: spin 1ms     # node
  A: d2h x        # out
}
A: spin 2ms       # before
A: launch G       # launch
A: spin 100us     # behind
)",
       [](O o) {
         return all({o.in_turn({"before", "in", "node", "out", "behind"}), o.returns_before_end("launch", "before")});
       },
       {early("in"), early("node"), early("behind"), held("launch")}},

      {20,
       "and after prior launches of the same graph, in whatever stream",
       R"(
streams S 3 nonblocking
graph G on S2 {
  S2: spin 2ms  # node
}
S0: launch G
S1: launch G
S1: spin 100us  # behind
)",
       [](O o) {
         return all({o.after({"node", 1}, {"node", 0}), o.after("behind", {"node", 1})});
       },
       {early("node"), early("behind")}},

      {20,
       "different graphs run beside each other",
       R"(
streams S 2 nonblocking
graph G on S0 {
  S0: spin 3ms  # one
}
graph H on S1 {
  S1: spin 3ms  # other
}
S0: launch G
S1: launch H
)",
       [](O o) { return o.overlap("one", "other"); },
       {late("other"), late("one")}},

      {20,
       "an event behind a launch captures the whole graph",
       R"(
streams S 3 nonblocking
graph G on S0 {
  S0: spin 100us
  S0: record e
  S1: wait e
  S1: spin 2ms   # longest
  S1: record f
  S0: spin 1ms   # node
  S0: wait f
}
S0: launch G
S0: record g
S2: wait g
S2: spin 100us   # waits
host: sync g     # sync
)",
       [](O o) {
         return all({o.after("waits", "longest"), o.after("waits", "node"), o.held_until_end("sync", "longest")});
       },
       {early("waits"), returned("sync")}},

      {20,
       "a graph launched into a blocking stream keeps to the legacy stream's order",
       R"(
stream A
stream B
graph G on A {
  A: spin 1ms      # node
}
default: spin 1ms  # before
B: launch G
default: spin 1ms  # behind
)",
       [](O o) {
         return o.in_turn({"before", "node", "behind"});
       },
       {early("node"), early("behind")}},
  };
}

}  // namespace streamscope::conformance

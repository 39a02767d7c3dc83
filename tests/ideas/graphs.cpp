// Graphs: captured from streams, launched as one.
#include "tests/ideas/idea.h"

namespace streamscope::ideas {

using verdict::WaitCause;

std::vector<Idea> graphs() {
  return {
      {{"1.36"},
       "the legacy default stream cannot be captured",
       R"(
stream A
graph G on default {  # here
  default: spin 1ms
}
A: launch G
)",
       [](O, S s) { return s.refuses("the legacy default stream"); }},

      {{"1.37"},
       "other streams can, also the per-thread default stream",
       R"(
stream A nonblocking
graph G on per-thread {
  per-thread: spin 1ms   # one
  per-thread: record e
  A: wait e
  A: spin 1ms            # joined
  A: record f
  per-thread: wait f
  per-thread: spin 100us # last
}
per-thread: launch G     # launch
)",
       [](O o, S s) {
         return all({o.in_turn({"one", "joined", "last"}), s.fact("joined", "Stream", "G.A"),
                     s.in_cuda("cudaStreamBeginCapture(cudaStreamPerThread")});
       }},

      {{"3.12"},
       "asynchronous work is made of streams and events, or of graphs: both keep the same order",
       R"(
stream A nonblocking
stream B nonblocking
A: spin 100us  # a
A: record e
B: wait e
B: spin 100us  # b
graph G on A {
  A: spin 100us  # node a
  A: record f
  B: wait f
  B: spin 100us  # node b
  B: record g
  A: wait g
}
B: record before
A: wait before
A: launch G      # launch
)",
       [](O o, S s) {
         return all({o.after("b", "a"), o.after("node b", "node a"), o.after("node a", "b"),
                     s.waits("node b", WaitCause::graph, "node a"), s.drawn_at("launch", "cudaGraphLaunch")});
       }},

      {{"3.42"},
       "stream capture: what a stream is given becomes nodes, and one call launches all of them",
       R"(
buffer x 8MiB
stream A nonblocking
graph G on A {
  A: h2d x          # copy
  A: axpb x fma=16  # kernel
  A: d2h x          # back
}
A: launch G         # launch
A: spin 10us        # behind
)",
       [](O o, S s) {
         return all({o.in_turn({"copy", "kernel", "back", "behind"}), o.returns_before_end("launch", "copy"),
                     s.fact("kernel", "Host call of the launch", "us"), s.explained("kernel", "in its graph"),
                     s.in_cuda("cudaStreamBeginCapture("), s.in_cuda("launch", "cudaGraphLaunch(")});
       }},
  };
}

}  // namespace streamscope::ideas

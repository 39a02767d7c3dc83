// Graphs: captured from streams, launched as one.
#include "tests/ideas/idea.h"

namespace streamscope::ideas {

using verdict::WaitCause;

std::vector<Idea> graphs() {
  return {
      {{"1.29"},
       "cudaStreamGetCaptureInfo says whether a stream is being captured, and into which capture",
       R"(
stream A nonblocking
stream B nonblocking
graph G on A {
  A: spin 1ms           # node
  host: capture-info A  # inside
  host: capture-info B  # other
}
A: spin 1ms             # earlier
host: capture G
host: capture-info A    # behind
A: launch G
)",
       [](O o, S s) {
         return all({s.fact("inside", "Capture", "active"), s.fact("other", "Capture", "none"),
                     s.fact("behind", "Capture", "none"), s.drawn_at("inside", "cudaStreamGetCaptureInfo"),
                     s.drawn_at("inside", "active"), s.in_cuda("inside", "capture_info(A)"),
                     s.in_cuda("cudaStreamGetCaptureInfo("), o.returns_before_end("inside", "earlier")});
       }},

      {{"1.35"},
       "the mode of a capture says which calls break it: of any thread, of its own, or none",
       R"(
stream A nonblocking
stream B nonblocking
stream C nonblocking
event e
graph G on A mode=global {
  repeat 200 {
    A: spin 1us
  }
}
graph H on B mode=thread-local {
  repeat 200 {
    B: spin 1us   # of its own
  }
}
graph R on C mode=relaxed {
  repeat 200 {
    C: spin 1us   # of none
  }
}
thread T {
  host: work 100us
  host: query e   # unsafe
  host: work 300us
  host: query e   # beside the second
  host: work 300us
  host: query e   # beside the third
}
host: capture G   # global
host: capture H   # thread-local
host: capture R   # relaxed
A: launch G       # launch
B: launch H
C: launch R
)",
       [](O o, S s) {
         const auto result = [&](const conformance::Which& which) { return s.span(which).result; };
         return all({that(result("unsafe") == CallResult::capture_unsupported, "the call is refused"),
                     that(result({"global", 1}) == CallResult::capture_invalidated, "the capture is broken"),
                     that(result("launch") == CallResult::invalid_value, "there is nothing to launch"),
                     that(result("beside the second") == CallResult::success, "thread-local leaves others alone"),
                     that(result({"thread-local", 1}) == CallResult::success, "and its capture is whole"),
                     that(result("beside the third") == CallResult::success, "so does relaxed"),
                     o.in_turn({{"of its own", 200}, {"of its own", 201}}),
                     o.in_turn({{"of none", 200}, {"of none", 201}}),
                     s.fact("unsafe", "Returned", "cudaErrorStreamCaptureUnsupported"),
                     s.fact({"global", 1}, "Returned", "cudaErrorStreamCaptureInvalidated"),
                     s.warns("unsafe", "mode=global"), s.in_cuda("global", "cudaStreamCaptureModeGlobal"),
                     s.in_cuda("relaxed", "cudaStreamCaptureModeRelaxed")});
       }},

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

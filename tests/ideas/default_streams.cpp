// The default stream, as it was at first and one for each thread, and which streams it holds up.
#include "tests/ideas/idea.h"

namespace streamscope::ideas {

using verdict::Cause;
using verdict::WaitCause;

std::vector<Idea> default_streams() {
  return {
      {{"0.5", "0.26"},
       "the default stream among others: what could run at once runs one after the other",
       R"(
stream A
stream B
A: spin 1ms        # a
default: spin 1ms  # in between
B: spin 1ms        # b
host: sync device
A: spin 1ms        # then a
B: spin 1ms        # then b
)",
       [](O o, S s) {
         return all({o.in_turn({"a", "in between", "b"}), o.overlap("then a", "then b"),
                     s.blames(Cause::legacy_barrier), s.waits("b", WaitCause::legacy, "in between")});
       }},

      {{"0.24", "1.20", "3.37", "3.16"},
       "the legacy default stream is a barrier: later work of other streams waits for it",
       R"(
stream A
default: spin 1ms  # barrier
A: spin 100us      # behind
)",
       [](O o, S s) {
         return all({o.after("behind", "barrier"), s.waits("behind", WaitCause::legacy, "barrier"),
                     s.drawn_at("behind", "default stream"), s.explained("behind", "legacy default stream")});
       }},

      {{"0.25"},
       "what is given to the default stream waits for all other streams",
       R"(
stream A
stream B
stream N nonblocking
A: spin 1ms          # a
B: spin 2ms          # b
N: spin 5ms          # exempt
default: spin 100us  # waits for all
)",
       [](O o, S s) {
         return all({o.after("waits for all", "a"), o.after("waits for all", "b"),
                     o.ends_before_end("waits for all", "exempt"), s.waits("waits for all", WaitCause::legacy, "b")});
       }},

      {{"1.8", "1.18"},
       "where no stream is named it is the default stream, number 0",
       R"(
buffer x 8MiB
stream A
A: spin 1ms          # a
host: memset x 0     # no stream
default: spin 100us  # stream 0
)",
       [](O o, S s) {
         return all({o.in_turn({"a", "no stream", "stream 0"}), s.in_cuda("no stream", "cudaMemset("),
                     s.fact("no stream", "Stream", "default")});
       }},

      {{"1.19"},
       "nvcc --default-stream per-thread changes what the default stream is",
       R"(default-stream per-thread
stream A
A: spin 1ms        # a
default: spin 1ms  # default
)",
       [](O o, S s) {
         return all({o.overlap("a", "default"), s.in_cuda("--default-stream per-thread")});
       }},

      {{"1.21", "3.38"},
       "per-thread default streams: one for each host thread, and no barrier between them",
       R"(
thread T {
  per-thread: spin 2ms    # theirs
  host: sync per-thread
}
per-thread: spin 2ms      # ours
host: sync per-thread     # sync
host: join T
)",
       [](O o, S s) {
         return all({o.overlap("theirs", "ours"), o.held_until_end("sync", "ours"), s.drawn("per-thread"),
                     s.in_cuda("cudaStreamPerThread")});
       }},

      {{"1.23", "3.36"},
       "cudaStreamNonBlocking takes a stream out of the barrier; others are blocking streams",
       R"(
stream blocking
stream free nonblocking
default: spin 1ms     # barrier
blocking: spin 100us  # held
free: spin 100us      # exempt
)",
       [](O o, S s) {
         return all({o.after("held", "barrier"), o.overlap("exempt", "barrier"),
                     s.fact("exempt", "Stream", "free (nonblocking)"), s.in_cuda("cudaStreamNonBlocking")});
       }},

      {{"2.6"},
       "cudaMemcpy is in the default stream and holds the host",
       R"(
buffer x 64MiB
stream A
A: spin 1ms         # before
host: memcpy h2d x  # copy
A: spin 100us       # behind
)",
       [](O o, S s) {
         return all({o.in_turn({"before", "copy", "behind"}), o.held_until_end("copy", "copy"),
                     o.issued_after("behind", "copy"), s.fact("copy", "Stream", "default"),
                     s.in_cuda("copy", "cudaMemcpy(")});
       }},

      {{"2.7"},
       "cudaMemcpyAsync in the default stream returns at once and is a barrier all the same",
       R"(
buffer x 64MiB
stream A
A: spin 1ms     # before
default: h2d x  # copy
A: spin 100us   # behind
)",
       [](O o, S s) {
         return all({o.returns_before_end("copy", "before"), o.in_turn({"before", "copy", "behind"}),
                     s.waits("copy", WaitCause::legacy, "before"), s.waits("behind", WaitCause::legacy, "copy")});
       }},
  };
}

}  // namespace streamscope::ideas

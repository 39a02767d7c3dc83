// One stream is a queue: what is given to it is carried out one after the other, in the order of issue.
#include "tests/ideas/idea.h"

namespace streamscope::ideas {

using verdict::WaitCause;

std::vector<Idea> order() {
  return {
      {{"0.3", "2.3", "3.13"},
       "a stream is a queue, and queues know nothing of each other",
       R"(
stream A nonblocking
stream B nonblocking
A: spin 1ms    # first
A: spin 100us  # queued
B: spin 100us  # other queue
)",
       [](O o, S s) {
         return all({o.after("queued", "first"), o.overlap("other queue", "first"),
                     s.waits("queued", WaitCause::stream, "first"),
                     s.explained("queued", "the one before it in stream A")});
       }},

      {{"0.4", "1.2", "3.35"},
       "operations of a stream are carried out in the order of issue",
       R"(
buffer x 8MiB
stream A nonblocking
A: h2d x          # one
A: memset x 0     # two
A: axpb x fma=16  # three
A: d2h x          # four
)",
       [](O o, S s) {
         return all(
             {o.in_turn({"one", "two", "three", "four"}), s.explained("three", "the one before it in stream A")});
       }},

      {{"0.9"},
       "cudaMemsetAsync sets memory in stream order",
       R"(
buffer x 64MiB
stream A nonblocking
A: spin 1ms      # before
A: memset x 255  # set
A: d2h x         # behind
)",
       [](O o, S s) {
         return all({o.in_turn({"before", "set", "behind"}), o.returns_before_end("set", "before"),
                     s.drawn_at("set", "memset"), s.in_cuda("set", "cudaMemsetAsync(")});
       }},

      {{"0.16"},
       "it is sent to the hardware at the head of its stream, when its waits are over and there is room",
       R"(
streams S 3 nonblocking
S0: spin 1ms blocks=132 threads=1024 smem=200KiB    # full
S0: record e
S1: spin 2ms      # head
S1: wait e
S1: spin 100us    # third
S2: spin 100us smem=200KiB # no room
)",
       [](O o, S s) {
         return all({o.after("third", "head"), o.after("third", "full"), o.after("no room", "full"),
                     o.overlap("full", "head"), s.waits("no room", WaitCause::room, "full"),
                     s.waits("third", WaitCause::stream, "head")});
       }},

      {{"1.3"},
       "a stream keeps the order of kernels, copies and graphs",
       R"(
buffer x 8MiB
stream A nonblocking
graph G on A {
  A: spin 100us  # node
}
A: h2d x         # copy
A: launch G      # launch
A: axpb x fma=16 # kernel
)",
       [](O o, S s) {
         return all({o.in_turn({"copy", "node", "kernel"}), s.drawn_at("launch", "cudaGraphLaunch"),
                     s.explained("kernel", "waited")});
       }},

      {{"1.4"},
       "kernels of one stream never run beside each other, however small they are",
       R"(
stream A nonblocking
stream B nonblocking
A: spin 100us  # one
A: spin 100us  # two
B: spin 150us  # of another
)",
       [](O o, S s) {
         return all({o.after("two", "one"), o.overlap("of another", "one"), o.overlap("of another", "two"),
                     s.waits("two", WaitCause::stream, "one")});
       }},

      {{"1.9"},
       "a second kernel queues behind the first and starts without the host",
       R"(
stream A
A: spin 1ms       # k1
host: work 100us  # host function
A: spin 1ms       # k2
host: work 300us  # goes on
)",
       [](O o, S s) {
         return all({o.overlap("host function", "k1"), o.returns_before_end("k2", "k1"), o.after("k2", "k1"),
                     o.ends_before_end("goes on", "k1"), s.waits("k2", WaitCause::stream, "k1"),
                     s.fact("k2", "Issue to ready", "us")});
       }},
  };
}

}  // namespace streamscope::ideas

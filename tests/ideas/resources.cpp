// What streams share: room on the multiprocessors, hardware queues, priorities.
#include "tests/ideas/idea.h"

namespace streamscope::ideas {

using verdict::Cause;
using verdict::WaitCause;

std::vector<Idea> resources() {
  return {
      {{"1.16"},
       "more streams than hardware queues: some share one, and wait for each other without a reason of their own",
       R"(
streams S 40 nonblocking
repeat 40 as i {
  S{i}: spin 100us  # first
  S{i}: spin 100us  # second
}
)",
       [](O o, S s) {
         bool told = false;
         for (std::size_t i = 0; i < 40; ++i) told |= s.explained({"first", i}, "shares with other streams").holds();
         return all({o.overlap({"first", 0}, {"first", 1}), o.after({"second", 0}, {"first", 0}),
                     that(told, "a kernel waits in a hardware queue that it shares")});
       }},

      {{"1.17"},
       "more kernels than the GPU can hold at once: the rest queue",
       R"(
streams S 4 nonblocking
S0: spin 1ms blocks=132 smem=200KiB  # first
S2: spin 1ms smem=1KiB               # small
S1: spin 1ms blocks=132 smem=200KiB  # second
)",
       [](O o, S s) {
         return all({o.after("second", "first"), o.overlap("small", "first"),
                     s.waits("second", WaitCause::room, "first"), s.blames(Cause::sm_full)});
       }},

      {{"1.24", "3.41"},
       "a kernel of an urgent stream goes before one that was given sooner",
       R"(
stream L nonblocking
stream M nonblocking
stream H nonblocking priority=-5
L: spin 2ms blocks=264 threads=1024  # runs
M: spin 1ms blocks=264 threads=1024  # given sooner
H: spin 1ms blocks=264 threads=1024  # urgent
)",
       [](O o, S s) {
         return all({o.starts_before("urgent", "given sooner"), o.after("urgent", "runs"),
                     s.fact("urgent", "Stream", "H (nonblocking, priority -5)"),
                     s.waits("given sooner", WaitCause::priority, "urgent"),
                     s.in_cuda("cudaStreamCreateWithPriority(")});
       }},

      {{"1.26", "1.27", "1.28"},
       "a stream is asked for its device, its priority and its flags; the priority is as it was clamped",
       R"(
stream A nonblocking priority=-100
A: spin 1ms         # kernel
host: attributes A  # asked
)",
       [](O o, S s) {
         return all({o.returns_before_end("asked", "kernel"), s.fact("asked", "Device", "0"),
                     s.fact("asked", "Priority", "-5"), s.fact("asked", "Flags", "cudaStreamNonBlocking"),
                     s.fact("asked", "Capture", "none"), s.notes("Stream A asks for priority -100"),
                     s.in_cuda("cudaStreamGetPriority(")});
       }},

      {{"2.5", "3.20"},
       "a launch names its grid, its block, its shared memory and its stream",
       R"(
stream A nonblocking
stream B nonblocking
A: spin 1ms blocks=264 threads=256 smem=100KiB  # all room
B: spin 1ms blocks=132 threads=128 smem=100KiB  # none left
)",
       [](O o, S s) {
         return all({o.after("none left", "all room"), s.waits("none left", WaitCause::room, "all room"),
                     s.in_cuda("all room", "<<<264, 256, 102400, A>>>"),
                     s.fact("all room", "Grid", "264 blocks of 256 threads"),
                     s.fact("all room", "Shared memory", "100 KiB")});
       }},
  };
}

}  // namespace streamscope::ideas

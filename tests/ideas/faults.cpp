// Errors that come later and stay, and what a reset of the device does.
#include "tests/ideas/idea.h"

namespace streamscope::ideas {

using verdict::Cause;

std::vector<Idea> faults() {
  return {
      {{"3.34"},
       "an error in a kernel comes out at a later call, and stays",
       R"(
streams S 2 nonblocking
S0: spin 1ms               # long
S1: spin 100us
S1: fault illegal-address  # fault
S1: spin 100us             # behind
host: sync S0              # sync
S0: spin 100us             # later
host: lasterror            # asked
host: lasterror            # asked again
)",
       [](O o, S s) {
         return all({that(s.span("fault").result == CallResult::success, "its launch returns before anything is wrong"),
                     o.held_until_end("sync", "fault"), s.fact("sync", "Returned", "cudaErrorIllegalAddress"),
                     o.not_before(o.end("fault"), o.end("long"), "what ran beside it is over with the error"),
                     that(!known(s.span("behind").start), "what was queued behind it never starts"),
                     that(!known(s.span("later").start), "nor does what comes later"),
                     s.fact("later", "Returned", "cudaErrorIllegalAddress"),
                     s.fact("asked", "Returned", "cudaErrorIllegalAddress"),
                     s.fact("asked again", "Returned", "cudaSuccess"), s.drawn_at("sync", "cudaErrorIllegal"),
                     s.in_cuda("fault", "fault_illegal_address(S[1])")});
       }},

      {{"0.30"},
       "cudaDeviceReset: after an error that sticks the process has no device all the same",
       R"(
stream A nonblocking
A: fault trap          # fault
host: sync A           # sync
host: reset            # reset
host: create-stream B  # create
host: sync device      # again
)",
       [](O o, S s) {
         return all({o.held_until_end("sync", "fault"), s.fact("sync", "Returned", "cudaErrorLaunchFailure"),
                     that(s.span("reset").result == CallResult::success, "the reset succeeds"),
                     s.fact("create", "Returned", "cudaErrorDevicesUnavailable"),
                     s.fact("again", "Returned", "cudaErrorDevicesUnavailable"), s.drawn_at("reset", "cudaDeviceReset"),
                     s.in_cuda("reset", "cudaDeviceReset()")});
       }},

      {{"0.31"},
       "a context is destroyed with work pending: the call waits for it, and all that was made is gone",
       R"(
stream A nonblocking
A: spin 1ms            # pending
host: reset            # reset
host: create-stream B  # create
B: spin 100us          # new
)",
       [](O o, S s) {
         return all({o.held_until_end("reset", "pending"), o.issued_after("new", "pending"),
                     that(s.span("create").result == CallResult::success, "there is a device again"),
                     s.drawn_as_wait("reset"), s.explained("reset", "the host waited"), s.blames(Cause::implicit_sync),
                     s.in_cuda("reset", "cudaDeviceReset()")});
       }},
  };
}

}  // namespace streamscope::ideas

// The engine process's main loop: reads messages from one descriptor, answers on another, runs programs on its devices.
//
// Says hello at once and expects a hello first. Runs are done one after the other in the order asked for; a stop takes
// effect during a run. Devices stay open between runs, so that their memory is reused. While a run goes on, something
// is sent each second at least. The end of the input stops the run in progress and ends the loop.
//
// After a run has failed on a measured device the process may be poisoned for good (device.h): the failure is sent,
// then the loop ends with kEndedAfterFailure, and the window starts a fresh engine.
//
// Where `out` is the standard output, the protocol moves to a descriptor of its own and standard output becomes
// standard error for the rest of the process, so that a library that prints cannot break the connection. SIGPIPE is
// ignored from then on.
#pragma once

namespace streamscope::remote {

inline constexpr int kEndedByInput = 0;
inline constexpr int kProtocolError = 2;  // what came in was no message, or of another protocol
inline constexpr int kEndedAfterFailure = 4;

// Returns when the input ends, the output breaks, or as said above; the result is the process's exit code.
int serve(int in, int out);

}  // namespace streamscope::remote

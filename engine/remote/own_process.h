// Runs in an engine process of their own, started, asked, waited for and ended here: for what must not touch this one.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/base/stop_flag.h"
#include "engine/measure/measure.h"
#include "engine/program/program.h"
#include "engine/referee/referee.h"
#include "engine/remote/message.h"

namespace streamscope::remote {

struct OwnProcess {
  std::string executable;                      // is given the one argument "engine"; empty: this one
  Nanoseconds silence_limit = 60'000'000'000;  // opening a GPU and attaching CUPTI take seconds
  // For the pass that a stop finds going on. Who asked this process to stop gives it 2 s (session.h, serve.cpp).
  Nanoseconds stop_limit = 700'000'000;
};

// The requests one after the other. Errors: what the engine says, `cancelled` at a stop, device_failed where the
// process cannot be started, dies, sends what is no message, or is silent for longer than the limit. It is gone on
// return.
Result<std::vector<trace::Run>> run_in_own_process(std::span<const message::StartRun> requests, const StopFlag& stop,
                                                   const OwnProcess& process = {});

// Whether this process would have no GPU any more behind such a run on a real device: faults and resets on purpose; or
// might end in it: a call that may break another thread's capture, in which CUDA's driver crashes now and then
// (docs/cuda-rules.md 19).
bool needs_own_process(const program::Program& program, const device::DeviceInfo& device,
                       const measure::MeasureOptions& options);
// Such a run, in a process that it may take along; the Run has no prediction. One that takes the process along for
// certain has one pass, whatever was asked for. One that crashes it in the driver is run again, up to three times in
// all, and timed 30 times at most; notes say so, and a stop gives the passes that were done, as that of measure() does.
Result<trace::Run> run_alone(message::StartRun request, const StopFlag& stop, const measure::Progress& progress = {},
                             const OwnProcess& process = {});

// The referee's opinion on a run that was made so; this process should have given back the GPU's memory.
Result<referee::Opinion> ask_referee(const message::StartRun& judged, const StopFlag& stop,
                                     const OwnProcess& process = {});

}  // namespace streamscope::remote

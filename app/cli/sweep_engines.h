// A sweep on several engine processes at once: each has one point at a time, and the next when that is done.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "engine/base/stop_flag.h"
#include "engine/device/device_spec.h"
#include "engine/experiment/read_input.h"
#include "engine/sweep/combinations.h"
#include "engine/sweep/run_sweep.h"

namespace streamscope::cli {

struct EngineSweep {
  std::vector<std::string> commands;  // of the engines, for /bin/sh
  device::DeviceSpec device;          // on each engine's machine
  sweep::SweepPlan how;
  bool runs_given = false;  // else how.runs is by each engine's device
  // Its command and wake are each engine's own. An engine may be behind a network or a queue, and others work
  // meanwhile, so it has more time than a window gives.
  session::SessionOptions limits = {.engine_command = {},
                                    .wake = {},
                                    .hello_limit = 60'000'000'000,
                                    .silence_limit = 60'000'000'000,
                                    .stop_limit = 10'000'000'000};
};

struct EngineSweepCalls {
  std::function<void(const sweep::SweepProgress&)> progress;  // `combination`: how many are done
  std::function<void(const std::string& line)> tell;          // of an engine: it is up, it is lost
};

// As each engine is called: by its command, with a number where several have the same.
std::vector<std::string> engine_names(const std::vector<std::string>& commands);

// The sweep's points, notes and provenance, as run_sweep() leaves them; each result bears its engine's name. An engine
// that does not start, ends, answers what is no message or falls silent is given up, with a line and a note; the point
// that it had is run by another, after all others. So is a point that names more devices than an engine has; where none
// has as many it keeps that as its reason. Where a run fails on a device it is tried once more. What stopped
// the sweep before its end, or failed on the way: cancelled; device_failed, also where no engine is left.
std::optional<Error> sweep_on_engines(const EngineSweep& asked, const experiment::InputText& source,
                                      const sweep::Combinations& combinations, const StopFlag& stop,
                                      const EngineSweepCalls& calls, sweep::Sweep& sweep);

}  // namespace streamscope::cli

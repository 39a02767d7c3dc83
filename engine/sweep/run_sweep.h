// The running of a sweep.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/stop_flag.h"
#include "engine/device/device.h"
#include "engine/sweep/combinations.h"
#include "engine/sweep/sweep.h"

namespace streamscope::sweep {

struct SweepPlan {
  int runs = 1;                   // timed, after a warm-up; at most this many where there is a timeout
  Nanoseconds timeout = kAbsent;  // no run begins once this has passed since the first timed one
  bool verify = true;
  bool long_kernels = false;
};
// Each run is followed or preceded, in turn, by a bare one where the device is a GPU. A stop after the first timed run
// ends with the runs made. Errors as measure() has them.
Result<SweepResult> measure_combination(device::Device& device, const program::Program& program, const SweepPlan& plan,
                                        const StopFlag& stop, const std::function<void(int run)>& progress);

// What a run says that was measured elsewhere, as a session's are: of the kernels' own time that is the one run whose
// trace it has.
SweepResult result_of(const trace::Run& run);

Error stopped_on_request();  // what ends a sweep that was stopped

struct SweepProgress {
  std::size_t combination = 0, combinations = 0;  // from 0
  int run = 0, runs = 0;                          // from 1; run 0: it is being loaded
  std::vector<std::string> settings;              // of the combination: "kernel.stages=3"
};

// The experiment at one combination, to run it or to say where in it an error is.
Result<experiment::Input> input_of(const experiment::InputText& source, const Sweep& sweep, std::size_t combination);

// Runs the combinations in turn on one device and puts their points, notes and provenance into the sweep. What stopped
// it before its end, if anything did: cancelled, or device_failed, after which a process may have no working device any
// more. The points that were not run say so.
std::optional<Error> run_sweep(device::Device& device, const experiment::InputText& source,
                               const Combinations& combinations, const SweepPlan& plan, const StopFlag& stop,
                               const std::function<void(const SweepProgress&)>& progress, Sweep& sweep);

}  // namespace streamscope::sweep

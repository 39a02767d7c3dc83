// From one pass to a measurement: warm-up, repetition, the alternation of bare and instrumented runs, the median.
#pragma once

#include <functional>

#include "engine/device/device.h"

namespace streamscope {

struct MeasureOptions {
  int runs = 1;  // timed runs of each sort, after one warm-up
  Instrument instrument = Instrument::full;
  bool observer_effect = true;  // also time bare runs, in turn with the instrumented ones
  bool verify = true;           // check the data after the last run
  bool long_kernels = false;
};

// done of total passes.
using Progress = std::function<void(int done, int total)>;

// Error kinds: bad_input (the device cannot run it), device_failed, wrong_data, cancelled. For wrong data the Run is lost
// on purpose: a figure from a run that computed nonsense is worth nothing.
Result<Run> measure(Device& device, const Program& program, const MeasureOptions& options, const RunControl& control,
                    const Progress& progress = {});

}  // namespace streamscope

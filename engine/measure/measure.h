// From one pass to a measurement: warm-up, repetition, the alternation of bare and instrumented runs, the median.
#pragma once

#include <functional>
#include <optional>

#include "engine/device/device.h"

namespace streamscope::measure {

struct MeasureOptions {
  int runs = 1;  // timed runs of each sort, after one warm-up; at most this many where a stop rule is set
  device::Instrument instrument = device::Instrument::full;
  bool gate = false;
  std::uint32_t share = 16;  // sampled: in each run one in so many of the operations that need an event carries one
  // The stop rule: with max_noise over 0 no more runs are made once there are min_samples of them (never fewer than
  // kFewestForSpread, nor than the share needs to show every operation) and the spread of their wall times is at most
  // max_noise of the median. And once `timeout` has passed since the first timed run began none is begun; what is under
  // way is finished, the bare run of the same turn too.
  int min_samples = 5;
  double max_noise = 0;
  Nanoseconds timeout = kAbsent;
  std::uint32_t stages_of = 0;  // one block in so many of tiles and attention records its stages; 0: none does
  bool observer_effect = true;  // also time bare runs, in turn with the instrumented ones; not of a model
  bool serial = true;           // also run the operations in one stream, for the speed-up (Run::serial)
  bool verify = true;           // check the data after the last run
  bool long_kernels = false;
  std::vector<kernels::OwnSource> own = {};   // the sources of the program's own kernels, where they may run
  Nanoseconds own_limit = device::kOwnLimit;  // of a pass with them
  bool own_process = false;  // device::LoadOptions::own_process
};
inline device::LoadOptions load_options(const MeasureOptions& of) {
  return {of.long_kernels, of.own, of.own_limit, of.own_process};
}

inline constexpr int kSerialRuns = 5;
inline constexpr Nanoseconds kSerialTime = 500'000'000;

// How far a measurement is. With a stop rule `total` is the most there may be.
struct Step {
  int done = 0, total = 0;      // passes, the warm-up, the bare and the serial ones too
  int runs = 0;                 // timed runs
  std::optional<double> noise;  // spread over median of their wall times; nothing of fewer than kFewestForSpread
};
using Progress = std::function<void(const Step&)>;

// The trace of a full run is that of the pass whose makespan is the median (the wall time's, where there is no
// makespan). No more than kKeptPasses (samples.h) are held at a time, those nearest the median so far; of more passes
// than that, the trace may be of the one nearest the median, and a note says so. The trace of a sampled run is merged
// from all passes (merge.h). There the share goes down to the number of runs, so that every operation is seen, and the
// makespan is that of the merged trace: one figure, with the spread of its last end.
//
// Bare runs alternate with the instrumented ones, which come first in the first pair and second in the next: a device
// that grows slower on the way favours neither. A model is not disturbed by being watched, so it makes no bare passes
// and has no observer effect.
//
// The same operations in one stream (in_one_stream.h) run after all else, with the same instrument (full for a sampled
// run) and a warm-up, up to kSerialRuns times and no more once kSerialTime has passed: they disturb nothing of the run.
// A program that is in one stream already needs none. Where it cannot be run so, a note says why and Run::serial is
// absent; so it is of a run that was stopped or whose time was up.
//
// A program that leaves its process without a GPU (program::ends_its_process()) is measured by one pass there, without
// a warm-up, bare passes, a serial run and a check of the data; a note says so.
//
// Wrong data is no error here: the Run comes with verified = false and, as its last note, where the data differs. What
// exits with a code makes ErrorKind::wrong_data of it. A stop after the first timed pass ends with a Run of the passes
// done, and a note; before that it is an error. Error kinds: bad_input (the device cannot run it), device_failed,
// cancelled.
Result<trace::Run> measure(device::Device& device, const program::Program& program, const MeasureOptions& options,
                           const device::RunControl& control, const Progress& progress = {});

}  // namespace streamscope::measure

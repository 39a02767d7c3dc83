// The host's pace: how long its calls take just now.
//
// No profile can know it. On virtual machines with an H200 the same calls took from 0.85 to 1.35 times as long, by the
// machine and by what else its host did, for half a minute at a time; the GPU itself was the same to 1 %. So it is
// measured together with what is to be predicted, by a program that is nothing but calls.
#pragma once

#include <memory>
#include <string_view>

#include "engine/base/stop_flag.h"
#include "engine/device/device.h"

namespace streamscope::measure {

// Launches of empty kernels in streams enough that none waits for another: its wall time is that of its calls.
const program::Program& pace_program();

class PaceProbe {
 public:
  static Result<PaceProbe> load(device::Device& device);
  // The median wall time of so many bare passes, one at least.
  Result<Nanoseconds> time(int passes, int warm_ups, const StopFlag& stop);

 private:
  explicit PaceProbe(std::unique_ptr<device::LoadedProgram> loaded) : loaded_(std::move(loaded)) {}
  std::unique_ptr<device::LoadedProgram> loaded_;
};

}  // namespace streamscope::measure

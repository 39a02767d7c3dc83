// A device measured, and a profile made of it.
//
// Programs are timed bare on the device: the quick probes, generated programs to fit on, and others to judge with that
// nothing is fitted on; where there are two devices, copies and order between them as well. What the driver reports is
// taken as it is; the rest of the profile is fitted (fit.h), flags and depths among it as choices.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/stop_flag.h"
#include "engine/calibration/accuracy.h"
#include "engine/calibration/fit.h"
#include "engine/calibration/recorded.h"
#include "engine/device/device.h"
#include "engine/device/model/profile/profile.h"

namespace streamscope::calibration {

struct CalibrateOptions {
  std::size_t programs = 300;  // generated ones to fit on, besides the probes
  std::size_t judged = 75;     // and others to judge with
  std::uint64_t seed = 1'000;  // of the first; that of the others is one more
  bool probes = true;
  Nanoseconds time = 55'000'000'000;  // for all: no program is begun and no number tried later
};

enum class CalibrateStage : std::uint8_t { probes, links, programs, judged, fit };
std::string_view name(CalibrateStage stage);
struct CalibrateStep {
  CalibrateStage stage = CalibrateStage::probes;
  int done = 0, total = 0;
  double share = 0;  // of the whole, 0 to 1
  double error = 0;  // of the fit so far
};

struct Calibration {
  model::Profile profile;
  Recording fitted;                                 // what it was fitted on
  Recording judged;                                 // what nothing was fitted on
  std::size_t refused = 0;                          // programs that the device, or a model of its size, does not take
  std::vector<WallPrediction> before, predictions;  // of `judged`, by the profile it began with and by its own
  bool links = false;                               // what is between two devices was measured
  bool kept = false;  // `profile` is the one it began with, but for such links: no fit came closer to `judged`
};

// Errors: as time_programs() but for programs the device refuses, which are left out; bad_input where the time was too
// short for any program to fit on or to judge with.
Result<Calibration> calibrate(device::Device& device, const model::Profile& start, const CalibrateOptions& options,
                              const std::function<void(const CalibrateStep&)>& progress, StopFlag stop);

// Takes the fit back where it is further from the judged programs than the profile that it began with: that one had
// seen more than a minute of one machine.
void keep_the_closer(Calibration& calibration, const model::Profile& began_with);

// The profile of a device like that: `start` with what the driver reports, which is of origin datasheet; all else is
// assumed.
model::Profile described(const device::DeviceInfo& device, model::Profile start);
// Which of them is of the nearest kind: compute capability first, then multiprocessors. There must be one.
const model::Profile& nearest(const device::DeviceInfo& device, std::span<const model::Profile> profiles);
// What a fit may choose among.
std::vector<FitChoice> calibrate_choices(const model::Profile& profile);

}  // namespace streamscope::calibration

// A model at the pace of the host at hand: what its calls take of the host is no number of a GPU.
#pragma once

#include <string>

#include "engine/base/result.h"
#include "engine/base/stop_flag.h"
#include "engine/base/time.h"
#include "engine/device/device.h"
#include "engine/device/device_spec.h"
#include "engine/device/model/profile/profile.h"

namespace streamscope::predict {

// How much slower than the profile's the host is on which pace_program() takes so long (engine/measure/host_pace.h); 1
// where that is kAbsent. Error bad_input: the device cannot run even that.
Result<double> pace_of(const model::Profile& profile, Nanoseconds pace_wall);
// The profile on a host so much slower.
model::Profile at_pace(const model::Profile& profile, double slower);

// A model at the pace of the host at hand, measured there and then (engine/measure/host_pace.h): "model:h200" is
// "model:h200,host.pace=1.12" where calls take so much longer than in its profile. As it is where it was not made for
// that GPU, has "host.pace" set, or is within 2 % of it.
struct PacedModel {
  device::DeviceSpec model;
  std::string note;  // why it is not at that pace although it should be
};
PacedModel at_host_pace(const device::DeviceSpec& model, device::Device& ran_on, const StopFlag& stop);

}  // namespace streamscope::predict

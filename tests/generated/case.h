// A program and the modelled device that it runs on, as both are written for `streamscope run`.
#pragma once

#include <cstdint>
#include <string>

#include "engine/base/result.h"
#include "engine/device/device_spec.h"
#include "engine/device/model/profile/profile.h"
#include "tests/generated/random.h"

namespace streamscope::generated {

struct Case {
  std::string text;
  device::DeviceSpec device;
};

// The profile of one of the models that come with the program, with its changes. Error bad_input: no such model, or a
// change that it does not take.
Result<model::Profile> profile_of(const device::DeviceSpec& device);

// One of those models, in two of three cases with numbers that make things wait, or some changed to anything
// within their limits.
device::DeviceSpec some_device(Random& random);

// To be pasted into a .streams file: how it is run stands in its first line.
std::string pasteable(const Case& one);

}  // namespace streamscope::generated

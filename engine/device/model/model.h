// A model of a GPU behind the device interface: the same programs, simulated. Deterministic, exact integer time.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/device/device.h"

namespace streamscope {

std::unique_ptr<Device> make_model(struct Profile profile);

}  // namespace streamscope

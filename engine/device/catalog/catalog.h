// Which devices there are.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/device/device.h"
#include "engine/device/device_spec.h"
#include "engine/device/model/profile/profile.h"

namespace streamscope::catalog {

device::DeviceList list_devices();

// Error bad_input: all that is wrong with it at once (profile_file.h); or that it cannot be read.
Result<model::Profile> read_profile(const std::filesystem::path& file);
// Those that come with the program and can be read.
std::vector<model::Profile> shipped_profiles();

// As parse_device(); error no_device also says which devices there are.
Result<device::DeviceSpec> device_named(const std::string& name);

// Error no_device: what was asked for is not there, and what is; bad_input: what is wrong with a model's profile or its
// changes.
Result<std::unique_ptr<device::Device>> open_device(const device::DeviceSpec& device);

// What `auto` means: the first GPU that opens, else the default model; and what kept it from the GPUs before, a line
// for each.
struct Automatic {
  std::unique_ptr<device::Device> device;
  std::vector<std::string> passed_over;
};
Result<Automatic> open_automatic();
// The same of these GPUs, that are opened by their number. Errors: those of the model.
using OpenGpu = std::function<Result<std::unique_ptr<device::Device>>(int index)>;
Result<Automatic> open_first(const device::DeviceList& gpus, const OpenGpu& open);

// The model of so many devices at least: "model:h200" of two is "model:h200x2". As it is where it has as many, or
// is no model that there is.
device::DeviceSpec with_devices(const device::DeviceSpec& model, std::size_t devices);

// Of a model, with its changes. Errors as open_device(), and bad_input where it is no model.
Result<model::Profile> open_profile(const device::DeviceSpec& model);

// The model that predicts the runs of that device, where none is named: of a GPU that whose profile bears its name,
// else the model "h200"; of a model itself as its profile has it, unchanged.
struct Predictor {
  device::DeviceSpec model;
  bool fits = false;  // it was made for that device
};
Predictor predictor_of(const device::DeviceInfo& device);

}  // namespace streamscope::catalog

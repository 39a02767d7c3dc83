// Which devices there are, by the names --device takes: auto, cuda, cuda:N, model, model:PROFILE.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/device/device.h"
#include "engine/device/model/profile/profile.h"

namespace streamscope::catalog {

device::DeviceList list_devices();

// Error bad_input: all that is wrong with it at once (profile_file.h); or that it cannot be read.
Result<model::Profile> read_profile(const std::filesystem::path& file);
// Those that come with the program and can be read.
std::vector<model::Profile> shipped_profiles();

// auto: the first GPU, else the model "h200". "model:h200,copies.engines=1,host.launch=5us" is a model whose profile is
// changed (profile_numbers.h). Error no_device: what was asked for is not there, and what is.
Result<std::unique_ptr<device::Device>> open_device(const std::string& name);

// Of a model by such a name. Error no_device, or bad_input where the name is that of no model.
Result<model::Profile> open_profile(const std::string& name);

// The model that predicts the runs of that device, where none is named: of a GPU that whose profile bears its name,
// else the model "h200"; of a model itself as its profile has it, unchanged.
struct Predictor {
  std::string id;     // "model:h200"
  bool fits = false;  // it was made for that device
};
Predictor predictor_of(const device::DeviceInfo& device);

}  // namespace streamscope::catalog

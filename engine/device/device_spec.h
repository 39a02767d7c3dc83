// Which device is meant, as --device, the window and its messages write it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"

namespace streamscope::device {

inline constexpr std::string_view kDefaultProfile = "h200";

struct DeviceSpec {
  enum class Kind : std::uint8_t {
    automatic,  // `auto`: the first GPU, else the model of the default profile; of models: the one that fits
    cuda,       // `cuda`, `cuda:1`
    model,      // `model`, `model:h200x2`, `model:some/profile.toml,copies.engines=1,host.launch=5us`
  };
  struct Change {  // of a number of the profile (profile_numbers.h): with its unit
    std::string key, value;
    friend bool operator==(const Change&, const Change&) = default;
  };
  Kind kind = Kind::automatic;
  int index = 0;             // of the GPU, from 0
  std::string profile = {};  // of the model: the name of one that comes with the program, or a file; several_in()
  std::vector<Change> changes = {};
  friend bool operator==(const DeviceSpec&, const DeviceSpec&) = default;
};

// Error no_device: it names none, and how one is named. Error bad_input: a change is not written as key=value.
Result<DeviceSpec> parse_device(std::string_view text);
std::string text(const DeviceSpec& device);

DeviceSpec model_of(std::string_view profile);
// So many of a model that is of one device: "model:h200x2" of "model:h200", "model:mine.tomlx2" of "model:mine.toml".
// As it is for one, and of no model.
DeviceSpec several_of(DeviceSpec model, std::size_t devices);
// "h200x4" is four of h200, unless a profile has that very name: the name without the number, and the number; else the
// name, and 1.
std::pair<std::string, int> several_in(const std::string& profile);
// A model as its profile has it.
DeviceSpec unchanged(DeviceSpec device);
// The file that the model's profile is read from; empty: one that comes with the program, or no model.
std::string profile_file(const DeviceSpec& device);

}  // namespace streamscope::device

#include "engine/device/device_spec.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <utility>

#include "engine/base/translate.h"

namespace streamscope::device {
namespace {

std::optional<int> index_of(std::string_view digits) {
  int index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error != std::errc{} || end != digits.data() + digits.size() || index < 0) return std::nullopt;
  return index;
}

// "copies.engines=1,host.launch=5us"
Result<std::vector<DeviceSpec::Change>> changes_in(std::string_view device, std::string_view list) {
  std::vector<DeviceSpec::Change> changes;
  for (;;) {
    const std::size_t end = list.find(',');
    const std::string_view one = list.substr(0, end);
    const std::size_t equals = one.find('=');
    if (equals == std::string_view::npos) {
      return fail(ErrorKind::bad_input,
                  tr("device \"{}\": \"{}\" must be written as key=value, such as copies.engines=1", device, one));
    }
    changes.push_back({std::string(one.substr(0, equals)), std::string(one.substr(equals + 1))});
    if (end == std::string_view::npos) return changes;
    list.remove_prefix(end + 1);
  }
}

constexpr int kMostDevices = 64;  // as many as a program can name

}  // namespace

Result<DeviceSpec> parse_device(std::string_view text) {
  if (text == "auto") return DeviceSpec{};
  if (const std::string_view model = text.substr(0, text.find(',')); model == "model" || model.starts_with("model:")) {
    DeviceSpec found = model_of(model == "model" ? kDefaultProfile : model.substr(6));
    if (model.size() < text.size()) found.changes = TRY(changes_in(text, text.substr(model.size() + 1)));
    return found;
  }
  if (text == "cuda") return DeviceSpec{.kind = DeviceSpec::Kind::cuda};
  if (text.starts_with("cuda:")) {
    const std::optional<int> index = index_of(text.substr(5));
    if (!index)
      return fail(ErrorKind::no_device, tr("after \"cuda:\" comes one number, counted from 0; a program for several "
                                           "devices takes those behind it too"));
    return DeviceSpec{.kind = DeviceSpec::Kind::cuda, .index = *index};
  }
  return fail(ErrorKind::no_device,
              tr("a device is auto, cuda, cuda:N, model, model:PROFILE or model:PROFILE,key=value,..."));
}

std::string text(const DeviceSpec& device) {
  if (device.kind == DeviceSpec::Kind::automatic) return "auto";
  if (device.kind == DeviceSpec::Kind::cuda) return fmt::format("cuda:{}", device.index);
  std::string out = "model:" + device.profile;
  for (const DeviceSpec::Change& each : device.changes) out += fmt::format(",{}={}", each.key, each.value);
  return out;
}

DeviceSpec model_of(std::string_view profile) {
  return {.kind = DeviceSpec::Kind::model, .profile = std::string(profile)};
}

DeviceSpec several_of(DeviceSpec model, std::size_t devices) {
  if (devices > 1 && model.kind == DeviceSpec::Kind::model) model.profile += fmt::format("x{}", devices);
  return model;
}

std::pair<std::string, int> several_in(const std::string& profile) {
  const std::size_t x = profile.rfind('x');
  if (x == std::string::npos || x == 0 || profile.substr(x + 1).starts_with('0')) return {profile, 1};
  const int count = index_of(std::string_view(profile).substr(x + 1)).value_or(1);
  if (count < 2 || count > kMostDevices) return {profile, 1};
  return {profile.substr(0, x), count};
}

DeviceSpec unchanged(DeviceSpec device) {
  device.changes.clear();
  return device;
}

std::string profile_file(const DeviceSpec& device) {
  std::string one = several_in(device.profile).first;
  return one.ends_with(".toml") ? one : std::string();
}

}  // namespace streamscope::device

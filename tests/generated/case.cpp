#include "tests/generated/case.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include "engine/device/catalog/catalog.h"
#include "engine/device/model/profile/profile_numbers.h"

namespace streamscope::generated {
namespace {

using model::NumberKind;
using model::ProfileNumber;

// Read once: that takes longer than a run.
const std::vector<model::Profile>& shipped() {
  static const std::vector<model::Profile> all = [] {
    std::vector<model::Profile> read;
    for (const auto& file : std::filesystem::directory_iterator(STREAMSCOPE_SOURCE "/assets/devices")) {
      if (auto profile = catalog::read_profile(file.path())) read.push_back(std::move(*profile));
    }
    std::ranges::sort(read, {}, &model::Profile::id);
    return read;
  }();
  return all;
}

// Hardware that makes other things wait.
constexpr std::array<std::string_view, 9> kTight{
    "copies.engines=1",
    "copies.engines=1,copies.queue=issue",
    "copies.queue=channel,copies.channels=2",
    "copies.queue=channel,copies.channels=1",
    "compute.multiprocessors=3",
    "compute.kernels=2",
    "compute.multiprocessors=2,compute.kernels=1",
    "streams.queue_depth=4",
    "streams.connections=2,device.memory=48MiB",
};

// Numbers that decide which programs fit, and of which most values let none.
bool decides_what_fits(std::string_view path) {
  return path == "device.memory" || path == "compute.threads" || path == "compute.block_threads" ||
         path == "compute.registers" || path.find("shared_memory") != std::string_view::npos;
}

// A few numbers are small in life: counts of engines, queues and multiprocessors up to this.
constexpr double kUsualCount = 200, kUsualTime = 1e6;

double some_value(Random& random, const ProfileNumber& number) {
  if (random.once_in(30)) return number.least;
  if (random.once_in(200)) return number.most;
  double most = number.most;
  if (number.kind == NumberKind::count) most = std::min(most, std::max(number.least, 0.0) + kUsualCount);
  if (number.kind == NumberKind::time) most = std::min(most, kUsualTime);
  if (number.kind == NumberKind::share && number.path != model::kHostPace)
    return static_cast<double>(
        random.between(static_cast<std::int64_t>(number.least), static_cast<std::int64_t>(std::min(most, 2e6))));
  return static_cast<double>(random.doubling(static_cast<std::int64_t>(number.least), static_cast<std::int64_t>(most)));
}

}  // namespace

Result<model::Profile> profile_of(const device::DeviceSpec& device) {
  const auto find = [](const std::string& id) { return std::ranges::find(shipped(), id, &model::Profile::id); };
  auto at = find(device.profile);
  int devices = 1;
  if (at == shipped().end()) {
    const auto [single, several] = device::several_in(device.profile);
    at = find(single);
    devices = several;
  }
  if (at == shipped().end()) return fail(ErrorKind::bad_input, fmt::format("no model {}", device.profile));
  model::Profile profile = *at;
  profile.id = device.profile;
  profile.devices = devices;
  for (const device::DeviceSpec::Change& one : device.changes) TRY(model::change(profile, one.key, one.value));
  return profile;
}

device::DeviceSpec some_device(Random& random) {
  model::Profile profile = random.one_of(shipped());
  device::DeviceSpec device = device::model_of(profile.id);
  if (random.once_in(3)) return device;
  if (random.once_in(3)) {
    const std::string changes(random.one_of(kTight));
    return *device::parse_device(device::text(device) + "," + changes);
  }
  std::vector<const ProfileNumber*> numbers;
  for (const ProfileNumber& each : model::profile_numbers()) {
    if (each.kind != NumberKind::times && (!decides_what_fits(each.path) || random.once_in(20)))
      numbers.push_back(&each);
  }
  for (std::int64_t i = random.doubling(1, 40); i > 0; --i) {
    const ProfileNumber& number = *random.one_of(numbers);
    model::Profile changed = profile;
    number.set(changed, some_value(random, number));
    const std::string value = model::text(number, changed);
    if (model::change(profile, number.path, value)) device.changes.push_back({std::string(number.path), value});
  }
  return device;
}

std::string pasteable(const Case& one) {
  return fmt::format("# streamscope run FILE --device '{}'\n{}", device::text(one.device), one.text);
}

}  // namespace streamscope::generated

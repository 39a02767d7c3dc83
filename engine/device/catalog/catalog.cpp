#include "engine/device/catalog/catalog.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "engine/base/files.h"
#include "engine/device/model/model.h"
#include "engine/device/model/profile/profile_file.h"
#include "engine/device/model/profile/profile_numbers.h"
#if STREAMSCOPE_HAVE_CUDA
#include "engine/device/cuda/cuda_device.h"
#include "engine/device/cuda/runtime/gpu_list.h"
#endif

namespace streamscope::catalog {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDefaultProfile = "h200";

struct Gpus {
  std::vector<device::DeviceInfo> devices;
  std::string why_none;
};

#if STREAMSCOPE_HAVE_CUDA
Gpus gpus() {
  cuda::CudaDevices found = cuda::cuda_devices();
  return {std::move(found.devices), std::move(found.why_none)};
}
Result<std::unique_ptr<device::Device>> open_gpu(int index) { return cuda::open_cuda_device(index); }
#else
Gpus gpus() { return {{}, "this build has no CUDA device: nvcc was not found when it was built"}; }
Result<std::unique_ptr<device::Device>> open_gpu(int) { return fail(ErrorKind::no_device, gpus().why_none); }
#endif

// The profiles that come with the program, sorted by name so that the list is the same everywhere.
std::vector<fs::path> profile_files() {
  std::vector<fs::path> files;
  std::error_code error;
  fs::directory_iterator at(assets_folder() / "devices", error);
  for (const fs::directory_iterator end; !error && at != end; at.increment(error)) {
    if (at->path().extension() == ".toml") files.push_back(at->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

tl::unexpected<Error> no_such_device(const std::string& asked, const std::string& why) {
  const std::string_view reason = why.ends_with('.') ? std::string_view(why).substr(0, why.size() - 1) : why;
  std::vector<std::string> there;
  for (const device::DeviceInfo& device : list_devices().devices) there.push_back(device.id);
  return fail(ErrorKind::no_device, fmt::format("There is no device \"{}\": {}. Devices here: {}.", asked, reason,
                                                there.empty() ? "none" : fmt::format("{}", fmt::join(there, ", "))));
}

// "h200", "h200,copies.engines=1,host.launch=5us", "some/profile.toml,copies.link=12GB/s"
Result<model::Profile> find_profile(const std::string& asked, const std::string& profile) {
  std::error_code error;
  const bool is_path = fs::path(profile).extension() == ".toml";
  fs::path file = profile;
  if (!is_path) {
    // Only a name from the list, so that "../x" cannot lead out of the folder.
    const std::vector<fs::path> files = profile_files();
    const auto at =
        std::find_if(files.begin(), files.end(), [&](const fs::path& each) { return each.stem() == profile; });
    if (at == files.end()) {
      return no_such_device(asked,
                            fmt::format("no profile has that name in {}", (assets_folder() / "devices").string()));
    }
    file = *at;
  } else if (!fs::exists(file, error)) {
    return no_such_device(asked, fmt::format("there is no file {}", profile));
  }
  auto read = read_profile(file);
  if (!read) return fail(std::move(read.error()));
  if (is_path) read->id = profile;
  return read;
}

Result<model::Profile> changed_profile(const std::string& asked, const std::string& text) {
  const std::size_t comma = text.find(',');
  auto profile = find_profile(asked, text.substr(0, comma));
  if (!profile) return fail(std::move(profile.error()));
  for (std::size_t at = comma; at != std::string::npos;) {
    const std::size_t end = text.find(',', at + 1);
    const std::string one = text.substr(at + 1, end == std::string::npos ? end : end - at - 1);
    const std::size_t equals = one.find('=');
    if (equals == std::string::npos) {
      return fail(
          ErrorKind::bad_input,
          fmt::format("device \"{}\": \"{}\" must be written as key=value, such as copies.engines=1", asked, one));
    }
    if (auto changed = model::change(*profile, one.substr(0, equals), one.substr(equals + 1)); !changed) {
      return fail(ErrorKind::bad_input, fmt::format("device \"{}\": {}", asked, changed.error().message));
    }
    at = end;
  }
  return profile;
}

// What stands behind "model:", "h200" where the name is just "model"; nothing where it names no model.
std::optional<std::string> profile_in(const std::string& name) {
  if (name == "model") return std::string(kDefaultProfile);
  return name.starts_with("model:") ? std::optional(name.substr(6)) : std::nullopt;
}

Result<std::unique_ptr<device::Device>> open_model(const std::string& asked, const std::string& text) {
  auto profile = changed_profile(asked, text);
  if (!profile) return fail(std::move(profile.error()));
  return model::make_model(std::move(*profile));
}

bool is_model(const device::DeviceInfo& info) { return info.kind == trace::Provenance::Kind::model; }

Predictor predictor_among(const std::vector<device::DeviceInfo>& devices, const device::DeviceInfo& device) {
  if (is_model(device)) return {device.id.substr(0, device.id.find(',')), true};
  const auto made_for = std::find_if(devices.begin(), devices.end(), [&](const device::DeviceInfo& each) {
    return is_model(each) && each.name == device.name;
  });
  if (made_for != devices.end()) return {made_for->id, true};
  return {"model:" + std::string(kDefaultProfile), false};
}

std::optional<int> index_of(std::string_view digits) {
  int index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error != std::errc{} || end != digits.data() + digits.size() || index < 0) return std::nullopt;
  return index;
}

}  // namespace

device::DeviceList list_devices() {
  Gpus found = gpus();
  device::DeviceList list{std::move(found.devices), {}};
  if (list.devices.empty()) list.why_no_gpu = std::move(found.why_none);
  for (model::Profile& profile : shipped_profiles()) {
    const bool first = profile.id == kDefaultProfile;
    const auto models = std::find_if(list.devices.begin(), list.devices.end(), is_model);
    list.devices.insert(first ? models : list.devices.end(), model::make_model(std::move(profile))->info());
  }
  for (device::DeviceInfo& device : list.devices) device.predicted_by = predictor_among(list.devices, device).id;
  return list;
}

Result<model::Profile> read_profile(const fs::path& file) {
  auto text = read_text(file, 1u << 20);
  if (!text) return fail(std::move(text.error()));
  return model::parse_profile(*text, file.string(), file.stem().string());
}

std::vector<model::Profile> shipped_profiles() {
  std::vector<model::Profile> all;
  for (const fs::path& file : profile_files()) {
    // A profile that cannot be read is no device; opening it by name reports what is wrong with it.
    if (auto profile = read_profile(file)) all.push_back(std::move(*profile));
  }
  return all;
}

Predictor predictor_of(const device::DeviceInfo& device) {
  // Only the models count, and no GPU is asked for them.
  std::vector<device::DeviceInfo> models;
  for (model::Profile& profile : shipped_profiles()) models.push_back(model::make_model(std::move(profile))->info());
  return predictor_among(models, device);
}

Result<model::Profile> open_profile(const std::string& name) {
  const auto profile = profile_in(name);
  if (!profile) return fail(ErrorKind::bad_input, fmt::format("\"{}\" is no model, so it has no profile.", name));
  return changed_profile(name, *profile);
}

Result<std::unique_ptr<device::Device>> open_device(const std::string& name) {
  if (name == "auto") {
    if (!gpus().devices.empty()) return open_gpu(0);
    return open_model(name, std::string(kDefaultProfile));
  }
  if (const auto profile = profile_in(name)) return open_model(name, *profile);
  if (name == "cuda" || name.starts_with("cuda:")) {
    const std::optional<int> index = name == "cuda" ? 0 : index_of(std::string_view(name).substr(5));
    if (!index) return no_such_device(name, "after \"cuda:\" comes a number, counted from 0");
    const Gpus found = gpus();
    if (found.devices.empty()) return no_such_device(name, found.why_none);
    if (static_cast<std::size_t>(*index) >= found.devices.size()) {
      return no_such_device(name, fmt::format("there are {} GPUs, counted from 0", found.devices.size()));
    }
    return open_gpu(*index);
  }
  return no_such_device(name, "a device is auto, cuda, cuda:N, model, model:PROFILE or model:PROFILE,key=value,...");
}

}  // namespace streamscope::catalog

#include "engine/device/catalog/catalog.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/base/suggest.h"
#include "engine/base/translate.h"
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

using device::DeviceSpec;
using device::kDefaultProfile;

#if STREAMSCOPE_HAVE_CUDA
device::DeviceList gpus() { return cuda::cuda_devices(); }
Result<std::unique_ptr<device::Device>> open_gpu(int index) { return cuda::open_cuda_device(index); }
#else
device::DeviceList gpus() { return {{}, tr("this build has no CUDA device: nvcc was not found when it was built")}; }
Result<std::unique_ptr<device::Device>> open_gpu(int) { return fail(ErrorKind::no_device, gpus().why_no_gpu); }
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
  std::string_view reason = why;
  for (const std::string_view stop : {".", "。"}) {
    if (reason.ends_with(stop)) reason.remove_suffix(stop.size());
  }
  std::vector<std::string> there;
  for (const device::DeviceInfo& device : list_devices().devices) there.push_back(device.id);
  std::vector<std::string_view> known(there.begin(), there.end());
  known.insert(known.end(), {"auto", "cuda", "model"});
  const std::string all = there.empty() ? tr("none") : fmt::format("{}", fmt::join(there, ", "));
  // Of a GPU that is not there the reason says more than another's name.
  const std::string meant = asked.starts_with("cuda") ? "" : did_you_mean(asked.substr(0, asked.find(',')), known);
  if (!meant.empty())
    return fail(ErrorKind::no_device, tr("There is no device \"{}\"{} Devices here: {}.", asked, meant, all));
  return fail(ErrorKind::no_device, tr("There is no device \"{}\": {}. Devices here: {}.", asked, reason, all));
}

model::Profile several_of(model::Profile profile, int devices) {
  if (devices > 1) profile.id = fmt::format("{}x{}", profile.id, devices);
  profile.devices = devices;
  return profile;
}

Result<model::Profile> find_profile(const DeviceSpec& asked) {
  const std::string& profile = asked.profile;
  auto [one, devices] = device::several_in(profile);
  std::error_code error;
  const std::string path = device::profile_file(asked);
  fs::path file = path;
  if (path.empty()) {
    // Only a name from the list, so that "../x" cannot lead out of the folder.
    const std::vector<fs::path> files = profile_files();
    const auto named = [&](const std::string& name) {
      return std::find_if(files.begin(), files.end(), [&](const fs::path& each) { return each.stem() == name; });
    };
    auto at = named(profile);
    if (at != files.end()) {
      devices = 1;
    } else {
      at = named(one);
    }
    if (at == files.end()) {
      return no_such_device(text(asked), tr("no profile has that name in {}", (assets_folder() / "devices").string()));
    }
    file = *at;
  } else if (!fs::exists(file, error)) {
    return no_such_device(text(asked), tr("there is no file {}", path));
  }
  auto read = TRY(read_profile(file));
  if (!path.empty()) read.id = path;
  return several_of(std::move(read), devices);
}

Result<std::unique_ptr<device::Device>> open_model(const DeviceSpec& asked) {
  auto profile = TRY(open_profile(asked));
  return model::make_model(std::move(profile));
}

bool is_model(const device::DeviceInfo& info) { return info.kind == trace::Provenance::Kind::model; }

Predictor predictor_among(const std::vector<device::DeviceInfo>& devices, const device::DeviceInfo& device) {
  const auto spec_of = [](const device::DeviceInfo& model) {
    return device::unchanged(device::parse_device(model.id).value_or(device::model_of(kDefaultProfile)));
  };
  if (is_model(device)) return {spec_of(device), true};
  const auto made_for = std::find_if(devices.begin(), devices.end(), [&](const device::DeviceInfo& each) {
    return is_model(each) && each.name == device.name;
  });
  if (made_for != devices.end()) return {spec_of(*made_for), true};
  return {device::model_of(kDefaultProfile), false};
}

}  // namespace

device::DeviceList list_devices() {
  device::DeviceList list = gpus();
  for (model::Profile& profile : shipped_profiles()) {
    if (profile.id != kDefaultProfile) {
      list.devices.push_back(model::make_model(std::move(profile))->info());
      continue;
    }
    // First of the models, and behind it two of it: most programs of several devices name two.
    auto models = std::find_if(list.devices.begin(), list.devices.end(), is_model);
    for (const int devices : {1, 2})
      models = std::next(list.devices.insert(models, model::make_model(several_of(profile, devices))->info()));
  }
  for (device::DeviceInfo& device : list.devices)
    device.predicted_by = text(predictor_among(list.devices, device).model);
  return list;
}

Result<model::Profile> read_profile(const fs::path& file) {
  auto text = TRY(read_text(file, 1u << 20));
  return model::parse_profile(text, file.string(), file.stem().string());
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

Result<DeviceSpec> device_named(const std::string& name) {
  auto spec = device::parse_device(name);
  if (!spec && spec.error().kind == ErrorKind::no_device) return no_such_device(name, spec.error().message);
  return spec;
}

DeviceSpec with_devices(const DeviceSpec& model, std::size_t devices) {
  if (devices <= 1 || model.kind != DeviceSpec::Kind::model) return model;
  const auto profile = find_profile(device::unchanged(model));
  if (!profile || static_cast<std::size_t>(profile->devices) >= devices) return model;
  DeviceSpec one = model;
  if (profile->devices > 1) one.profile = device::several_in(model.profile).first;
  return device::several_of(std::move(one), devices);
}

Result<model::Profile> open_profile(const DeviceSpec& asked) {
  if (asked.kind != DeviceSpec::Kind::model)
    return fail(ErrorKind::bad_input, tr("\"{}\" is no model, so it has no profile.", text(asked)));
  auto profile = TRY(find_profile(asked));
  for (const DeviceSpec::Change& each : asked.changes) {
    if (auto changed = model::change(profile, each.key, each.value); !changed)
      return fail(ErrorKind::bad_input, tr("device \"{}\": {}", text(asked), changed.error().message));
  }
  return profile;
}

Result<std::unique_ptr<device::Device>> open_device(const DeviceSpec& asked) {
  switch (asked.kind) {
    case DeviceSpec::Kind::model: return open_model(asked);
    case DeviceSpec::Kind::automatic: {
      auto opened = TRY(open_automatic());
      return std::move(opened.device);
    }
    case DeviceSpec::Kind::cuda: break;
  }
  const device::DeviceList found = gpus();
  const std::size_t all = found.devices.size() + found.skipped.size();
  if (all == 0) return no_such_device(text(asked), found.why_no_gpu);
  if (static_cast<std::size_t>(asked.index) >= all)
    return no_such_device(text(asked),
                          tr_n("there is {} GPU, counted from 0", "there are {} GPUs, counted from 0", all, all));
  return open_gpu(asked.index);
}

Result<Automatic> open_automatic() { return open_first(gpus(), open_gpu); }

Result<Automatic> open_first(const device::DeviceList& gpus, const OpenGpu& open) {
  Automatic found;
  const int all = static_cast<int>(gpus.devices.size() + gpus.skipped.size());
  for (int i = 0; i < all; ++i) {
    const std::string id = text(DeviceSpec{DeviceSpec::Kind::cuda, i});
    const auto skipped = std::find_if(gpus.skipped.begin(), gpus.skipped.end(),
                                      [&](const device::SkippedGpu& gpu) { return gpu.id == id; });
    if (skipped != gpus.skipped.end()) {
      found.passed_over.push_back(tr("{} was passed over: {}.", id, skipped->why));
      continue;
    }
    auto opened = open(i);
    if (opened) {
      found.device = std::move(*opened);
      return found;
    }
    std::string_view why = opened.error().message;
    if (why.ends_with(".")) why.remove_suffix(1);
    found.passed_over.push_back(tr("{} was passed over: {}.", id, why));
  }
  found.device = TRY(open_model(device::model_of(kDefaultProfile)));
  return found;
}

}  // namespace streamscope::catalog

#include "app/window/state/run_settings.h"

#include <algorithm>
#include <utility>

#include "engine/device/device_spec.h"

namespace streamscope::window {
namespace {

struct SettingsUpdate {
  RunSettings& settings;

  bool operator()(const command::SetDevice& c) {
    if (c.id == settings.device) return false;
    const device::DeviceInfo* before = what_if_model(settings);
    settings.device = c.id;
    if (what_if_model(settings) != before) settings.what_ifs.clear();  // they are of that model
    settings.quick_took = kAbsent;
    return true;
  }
  bool operator()(const command::SetRepeat& c) {
    settings.repeat = std::clamp(c.times, 0, 100);
    return false;
  }
  bool operator()(const command::SetMeasuring& c) {
    Measuring wanted = c.measuring;
    wanted.share = std::clamp<std::uint32_t>(wanted.share, 1, kLargestShare);
    if (wanted == settings.measuring) return false;
    const bool inside = wanted.stages_of != settings.measuring.stages_of;  // of a model too
    // So that nothing runs by itself that takes long because of so many more runs.
    if (known(settings.quick_took))
      settings.quick_took = settings.quick_took / runs_to_see_all(settings.measuring) * runs_to_see_all(wanted);
    settings.measuring = wanted;
    return on_gpu(settings) || inside;
  }
  bool operator()(const command::SetWhatIf& c) {
    const device::DeviceInfo* model = what_if_model(settings);
    if (model == nullptr) return false;
    const auto number = std::find_if(model->what_ifs.begin(), model->what_ifs.end(),
                                     [&](const device::WhatIfNumber& each) { return each.key == c.key; });
    if (number == model->what_ifs.end()) return false;
    const auto present = settings.what_ifs.find(c.key);
    const double wanted = c.value == number->value ? c.value : std::clamp(c.value, number->least, number->most);
    if (wanted == (present != settings.what_ifs.end() ? present->second : number->value)) return false;
    if (wanted == number->value)
      settings.what_ifs.erase(c.key);
    else
      settings.what_ifs[c.key] = wanted;
    if (on_gpu(settings)) settings.predict = true;  // there is nothing else that it changes
    return true;
  }
  bool operator()(const command::ResetWhatIfs&) {
    const bool some = !settings.what_ifs.empty();
    settings.what_ifs.clear();
    return some;
  }
};

const device::DeviceInfo* find_device(const RunSettings& settings, const std::string& id) {
  for (const device::DeviceInfo& each : settings.devices.devices)
    if (each.id == id) return &each;
  return nullptr;
}

}  // namespace

bool update(RunSettings& settings, const SettingsCommand& command) {
  return std::visit(SettingsUpdate{settings}, command);
}

void take(RunSettings& settings, device::DeviceList devices) {
  settings.devices = std::move(devices);
  if (find_device(settings, settings.device) == nullptr) settings.device = "auto";
}

const device::DeviceInfo* device_of(const RunSettings& settings) {
  const std::vector<device::DeviceInfo>& devices = settings.devices.devices;
  if (settings.device == "auto") return devices.empty() ? nullptr : &devices.front();  // GPUs stand first
  return find_device(settings, settings.device);
}

bool on_gpu(const RunSettings& settings) {
  const device::DeviceInfo* device = device_of(settings);
  return device != nullptr && device->kind == trace::Provenance::Kind::measured;
}

const device::DeviceInfo* what_if_model(const RunSettings& settings) {
  const device::DeviceInfo* device = device_of(settings);
  if (device == nullptr || device->kind == trace::Provenance::Kind::model) return device;
  return find_device(settings, device->predicted_by);
}

std::string model_named(const RunSettings& settings, const std::string& id, std::size_t devices) {
  const auto spec = device::parse_device(id);
  const bool chosen = settings.device != "auto" && !on_gpu(settings);
  return chosen || !spec ? id : text(device::several_of(*spec, devices));
}

std::string changed_model(const RunSettings& settings, const device::DeviceInfo& model, std::size_t devices) {
  auto changed_spec = device::parse_device(model_named(settings, model.id, devices));
  if (!changed_spec) return model.id;
  for (const device::WhatIfNumber& number : model.what_ifs) {
    const auto changed = settings.what_ifs.find(number.key);
    if (changed != settings.what_ifs.end())
      changed_spec->changes.push_back({number.key, device::value_text(number, changed->second)});
  }
  return text(*changed_spec);
}

int runs_of_figures(const RunSettings& settings) {
  return settings.repeat > 0 ? settings.repeat : on_gpu(settings) ? kRunsOnGpu : kRunsOnModel;
}

int runs_to_see_all(const Measuring& measuring) {
  return measuring.instrument == device::Instrument::sampled ? static_cast<int>(measuring.share) : 1;
}

}  // namespace streamscope::window

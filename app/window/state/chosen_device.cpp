#include "app/window/state/chosen_device.h"

#include <algorithm>

namespace streamscope::window {

const device::DeviceInfo* device_of(const State& state) {
  const std::vector<device::DeviceInfo>& devices = state.devices.devices;
  if (devices.empty()) return nullptr;
  if (state.device == "auto") return &devices.front();  // GPUs stand first
  const auto found = std::find_if(devices.begin(), devices.end(),
                                  [&](const device::DeviceInfo& each) { return each.id == state.device; });
  return found == devices.end() ? nullptr : &*found;
}

bool on_gpu(const State& state) {
  const device::DeviceInfo* device = device_of(state);
  return device != nullptr && device->kind == trace::Provenance::Kind::measured;
}

const device::DeviceInfo* what_if_model(const State& state) {
  const device::DeviceInfo* device = device_of(state);
  if (device == nullptr || device->kind == trace::Provenance::Kind::model) return device;
  for (const device::DeviceInfo& each : state.devices.devices)
    if (each.id == device->predicted_by) return &each;
  return nullptr;
}

std::string changed_model(const State& state, const device::DeviceInfo& model) {
  std::string id = model.id;
  for (const device::WhatIfNumber& number : model.what_ifs) {
    const auto changed = state.what_ifs.find(number.key);
    if (changed != state.what_ifs.end()) id += "," + number.key + "=" + device::value_text(number, changed->second);
  }
  return id;
}

}  // namespace streamscope::window

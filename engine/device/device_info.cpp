#include "engine/device/device_info.h"

#include <fmt/format.h>

namespace streamscope::device {

std::string value_text(const WhatIfNumber& number, double value) {
  std::string text = fmt::format("{:.6f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text + number.unit;
}

std::string title(const DeviceInfo& device) {
  const bool several = device.kind == trace::Provenance::Kind::model && device.devices > 1;
  return several ? fmt::format("{} × {}", device.devices, device.name) : device.name;
}

}  // namespace streamscope::device

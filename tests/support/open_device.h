// A device by the name that --device takes.
#pragma once

#include <memory>
#include <string>

#include "engine/device/catalog/catalog.h"

namespace streamscope::tests {

inline Result<std::unique_ptr<device::Device>> open_device(const std::string& name) {
  const auto spec = catalog::device_named(name);
  if (!spec) return fail(spec.error());
  return catalog::open_device(*spec);
}

}  // namespace streamscope::tests

#include "engine/device/catalog/open_devices.h"

#include <utility>

#include "engine/device/catalog/catalog.h"

namespace streamscope::catalog {

Result<device::Device*> OpenDevices::open(const device::DeviceSpec& asked) {
  const std::string name = text(asked);
  const auto known = ids_.find(name);
  if (known != ids_.end()) return devices_.at(known->second).get();
  auto opened = TRY(open_device(asked));
  const std::string id = opened->info().id;
  // A slider that is dragged asks for a model at each step.
  if (!asked.changes.empty()) {
    devices_.erase(changed_);
    std::erase_if(ids_, [&](const auto& each) { return each.second == changed_; });
    changed_ = id;
  }
  ids_[name] = id;
  return devices_.try_emplace(id, std::move(opened)).first->second.get();
}

}  // namespace streamscope::catalog

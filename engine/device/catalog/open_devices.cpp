#include "engine/device/catalog/open_devices.h"

#include <utility>

#include "engine/device/catalog/catalog.h"

namespace streamscope::catalog {
namespace {

bool has_changed_numbers(const std::string& id) { return id.find(',') != std::string::npos; }

}  // namespace

Result<device::Device*> OpenDevices::open(const std::string& name) {
  const auto known = ids_.find(name);
  if (known != ids_.end()) return devices_.at(known->second).get();
  auto opened = open_device(name);
  if (!opened) return fail(std::move(opened.error()));
  const std::string id = (*opened)->info().id;
  // A slider that is dragged asks for a model at each step.
  if (has_changed_numbers(id)) {
    std::erase_if(ids_, [](const auto& each) { return has_changed_numbers(each.second); });
    std::erase_if(devices_, [](const auto& each) { return has_changed_numbers(each.first); });
  }
  ids_[name] = id;
  return devices_.try_emplace(id, std::move(*opened)).first->second.get();
}

}  // namespace streamscope::catalog

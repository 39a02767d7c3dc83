#include "engine/device/catalog/open_devices.h"

#include <utility>

#include "engine/device/catalog/catalog.h"

namespace streamscope::catalog {

Result<device::Device*> OpenDevices::open(const device::DeviceSpec& asked, std::size_t devices) {
  const bool automatic = asked.kind == device::DeviceSpec::Kind::automatic;
  if (automatic && devices > 1) {
    device::Device* const one = TRY(open(asked));
    const bool model = one->info().kind == trace::Provenance::Kind::model;
    return model ? open(with_devices(device::model_of(device::kDefaultProfile), devices)) : one;
  }
  const std::string name = text(asked);
  const auto known = ids_.find(name);
  if (known != ids_.end()) return devices_.at(known->second).get();
  auto found = automatic ? TRY(open_automatic()) : Automatic{TRY(open_device(asked)), {}};
  std::unique_ptr<device::Device> opened = std::move(found.device);
  if (automatic) passed_over_ = std::move(found.passed_over);
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

trace::Notes OpenDevices::notes_on(const device::DeviceSpec& asked) const {
  trace::Notes notes;
  if (asked.kind != device::DeviceSpec::Kind::automatic) return notes;
  for (const std::string& line : passed_over_) notes.push_back({trace::NoteKind::gpu, line});
  return notes;
}

}  // namespace streamscope::catalog

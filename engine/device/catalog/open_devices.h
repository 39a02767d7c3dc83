// The devices that are open: each is opened once, whatever names it was asked for by ("auto" and "cuda:0" are often the
// same).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/device/device.h"
#include "engine/device/device_spec.h"

namespace streamscope::catalog {

class OpenDevices {
 public:
  // Opens it where it is not. It stays open, but a model with changed numbers ("model:h200,copies.engines=1") only
  // until another such one is opened. `devices`: how many a program names; where `auto` takes a model, it takes one of
  // so many. Errors as open_device() has them.
  Result<device::Device*> open(const device::DeviceSpec& asked, std::size_t devices = 1);
  // What a run on the device that was opened by this name has to say of it: which GPUs `auto` passed over, and why.
  trace::Notes notes_on(const device::DeviceSpec& asked) const;

 private:
  std::map<std::string, std::string> ids_;  // by what was asked for
  std::map<std::string, std::unique_ptr<device::Device>> devices_;
  std::vector<std::string> passed_over_;  // by `auto`
  std::string changed_;                   // the id of the model with changed numbers that is open; empty: none is
};

}  // namespace streamscope::catalog

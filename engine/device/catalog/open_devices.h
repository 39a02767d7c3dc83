// The devices that are open: each is opened once, whatever names it was asked for by ("auto" and "cuda:0" are often the
// same).
#pragma once

#include <map>
#include <memory>
#include <string>

#include "engine/device/device.h"

namespace streamscope::catalog {

class OpenDevices {
 public:
  // Opens it where it is not. It stays open, but a model with changed numbers ("model:h200,copies.engines=1") only
  // until another such one is opened. Errors as open_device() has them.
  Result<device::Device*> open(const device::DeviceSpec& asked);

 private:
  std::map<std::string, std::string> ids_;  // by what was asked for
  std::map<std::string, std::unique_ptr<device::Device>> devices_;
  std::string changed_;  // the id of the model with changed numbers that is open; empty: none is
};

}  // namespace streamscope::catalog

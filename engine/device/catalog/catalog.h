// Which devices there are, by the names --device takes: auto, cuda, cuda:N, model, model:PROFILE.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/device/device.h"

namespace streamscope {

struct DeviceList {
  std::vector<DeviceInfo> devices;  // GPUs first, then models
  std::string why_no_gpu;           // one line, where there is none
};
DeviceList list_devices();

// auto: the first GPU, else the model "h200". "model:h200,copies.engines=1,host.launch=5us" is a model whose profile is
// changed (profile_numbers.h). Error no_device: what was asked for is not there, and what is.
Result<std::unique_ptr<Device>> open_device(const std::string& name);

}  // namespace streamscope

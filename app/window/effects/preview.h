// A run that goes on, as far as it is known: its spans so far in the frame of its program.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/device/device_info.h"
#include "engine/remote/message.h"

namespace streamscope::window {

// Nothing where the text cannot be read or is too large to be worth it. `device` as in the request: "auto" is the
// first.
std::shared_ptr<const trace::Run> preview_of(const std::string& program, const std::string& device,
                                             const device::DeviceList& devices, const std::vector<trace::Span>& spans);

}  // namespace streamscope::window

// A run that goes on, as far as it is known: its spans so far in the frame of its program.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/remote/message.h"

namespace streamscope {

// Nothing where the text cannot be read or is too large to be worth it. `device` as in the request: "auto" is the
// first.
std::shared_ptr<const Run> glimpse_of(const std::string& program, const std::string& device, const DeviceList& devices,
                                      const std::vector<Span>& spans);

}  // namespace streamscope

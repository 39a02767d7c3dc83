// Refuses, before anything runs, a program of devices that are not there.
#pragma once

#include <string_view>

#include "engine/base/result.h"
#include "engine/program/program.h"

namespace streamscope::device {

// `devices`: how many there are. `what_there_is`: that in words, for the message. Error no_device, naming the line.
Result<void> check_devices(const program::Program& program, std::size_t devices, std::string_view what_there_is);

}  // namespace streamscope::device

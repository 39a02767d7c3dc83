#include "engine/device/check_devices.h"

#include "engine/base/translate.h"
#include "engine/program/diagnostic.h"

namespace streamscope::device {

Result<void> check_devices(const program::Program& program, std::size_t devices, std::string_view what_there_is) {
  const std::size_t named = program::device_count(program);
  if (named <= devices) return {};
  const std::uint32_t line = program::line_beyond(program, devices);
  return fail(ErrorKind::no_device, program::at_line(line, tr("the program is for {} devices, counted from 0, and {}.",
                                                              named, what_there_is)));
}

}  // namespace streamscope::device

#include "engine/device/device.h"

namespace streamscope::device {

std::string_view name(Instrument instrument) { return kNames<Instrument>[static_cast<std::size_t>(instrument)]; }

}  // namespace streamscope::device

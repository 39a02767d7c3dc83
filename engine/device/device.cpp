#include "engine/device/device.h"

#include "engine/base/name_table.h"

namespace streamscope::device {

namespace {
constexpr NameTable<4> kInstruments{"full", "bare", "sampled", "cupti"};
}

std::string_view name(Instrument instrument) { return kInstruments[static_cast<std::size_t>(instrument)]; }
std::optional<Instrument> instrument(std::string_view wanted) { return by_name<Instrument>(kInstruments, wanted); }

}  // namespace streamscope::device

#include "engine/device/model/hardware/bus.h"

#include <algorithm>

namespace streamscope::model {
namespace {

bool is_mapped(const program::Program& program, const program::Range& range) {
  return program.buffers[range.buffer.value].host == program::HostMemory::mapped;
}

Nanoseconds over_the_bus(const Profile& profile, BusUse use, std::uint64_t bytes) {
  const Profile::Copies& copies = profile.copies;
  const Nanoseconds in = use.in ? copies.h2d.at(bytes) : 0, out = use.out ? copies.d2h.at(bytes) : 0;
  const Nanoseconds longer = std::max(in, out);
  if (!use.in || !use.out) return longer;
  return static_cast<Nanoseconds>(static_cast<__int128>(longer) * 1'000'000 / copies.both_directions);
}

}  // namespace

std::uint64_t carried_bytes(const program::Range& range) {
  // Rows of less cost a copy engine as much as these: on an H200 rows of 16 and 64 bytes took 1.4 to 2.0 ns each, the
  // time of 78 to 112 bytes, and rows of 256 bytes no more than their bytes.
  constexpr std::uint64_t kLeastRow = 96;
  if (range.pitch == 0) return range.bytes;
  return program::rows_of(range) * std::max(kLeastRow, program::row_bytes(range));
}

BusUse bus_use(const program::Program& program, const program::Work& work) {
  if (const auto* memset = std::get_if<program::op::Memset>(&work)) {
    return {.out = is_mapped(program, memset->range)};
  }
  if (const auto* copy = std::get_if<program::op::CopyOnDevice>(&work)) {
    return {is_mapped(program, copy->from), is_mapped(program, copy->to)};
  }
  return {};
}

Nanoseconds memset_time(const Profile& profile, const program::Program& program, const program::op::Memset& memset) {
  const std::uint64_t bytes = memset.range.bytes;
  return std::max(profile.copies.memset.at(bytes), over_the_bus(profile, bus_use(program, memset), bytes));
}

Nanoseconds copy_on_device_time(const Profile& profile, const program::Program& program,
                                const program::op::CopyOnDevice& copy) {
  const std::uint64_t bytes = carried_bytes(copy.to);
  return std::max(profile.copies.on_device.at(bytes), over_the_bus(profile, bus_use(program, copy), bytes));
}

}  // namespace streamscope::model

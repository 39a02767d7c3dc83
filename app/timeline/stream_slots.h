// Which hue a stream has where bars are coloured by stream: the eight that were busy longest have one each, all others
// are one class, so that no two streams look like one that is named.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/time.h"

namespace streamscope::timeline {

inline constexpr std::uint8_t kStreamHues = 8;
inline constexpr std::uint8_t kOtherStreams = kStreamHues;  // the slot of all others

struct StreamSlots {
  std::vector<std::uint8_t> of;  // by stream: below kStreamHues, or kOtherStreams
};
// `busy`: by stream, nanoseconds; kAbsent: it carried nothing out. A stream has the hue of its number where that is
// free.
StreamSlots stream_slots(const std::vector<Nanoseconds>& busy);
std::uint8_t slot_of(const StreamSlots& slots, std::uint32_t stream);

}  // namespace streamscope::timeline

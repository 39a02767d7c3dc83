#include "app/timeline/stream_slots.h"

#include <algorithm>
#include <array>

namespace streamscope::timeline {

StreamSlots stream_slots(const std::vector<Nanoseconds>& busy) {
  std::vector<std::uint32_t> largest;
  for (std::uint32_t i = 0; i < busy.size(); ++i)
    if (known(busy[i])) largest.push_back(i);
  std::stable_sort(largest.begin(), largest.end(), [&](std::uint32_t a, std::uint32_t b) { return busy[a] > busy[b]; });
  if (largest.size() > kStreamHues) largest.resize(kStreamHues);
  std::sort(largest.begin(), largest.end());
  StreamSlots out{std::vector<std::uint8_t>(busy.size(), kOtherStreams)};
  std::array<bool, kStreamHues> taken{};
  std::vector<std::uint32_t> without;
  for (const std::uint32_t stream : largest) {
    const auto own = static_cast<std::uint8_t>(stream % kStreamHues);
    if (taken[own]) {
      without.push_back(stream);
    } else {
      out.of[stream] = own;
      taken[own] = true;
    }
  }
  for (const std::uint32_t stream : without) {
    const auto free = std::find(taken.begin(), taken.end(), false);
    *free = true;
    out.of[stream] = static_cast<std::uint8_t>(free - taken.begin());
  }
  return out;
}

std::uint8_t slot_of(const StreamSlots& slots, std::uint32_t stream) {
  return stream < slots.of.size() ? slots.of[stream] : static_cast<std::uint8_t>(stream % kStreamHues);
}

}  // namespace streamscope::timeline

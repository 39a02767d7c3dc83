#include "app/timeline/compared_run.h"

#include <algorithm>
#include <deque>
#include <map>
#include <string_view>
#include <tuple>

#include "app/timeline/tracks.h"

namespace streamscope::timeline {

View view_with_offset(const View& view, Nanoseconds offset) {
  constexpr std::int64_t kLimit = kFurthest * kFine;
  const Nanoseconds by = std::clamp(offset, -kFurthest, kFurthest);
  return {std::clamp(std::clamp(view.origin, -kLimit, kLimit) - by * kFine, -kLimit, kLimit), view.scale};
}

Overlay overlay(const Tracks& first, const Tracks& second) {
  // Of the first device is also what a run on one has.
  const auto key = [](const Track& track) {
    return std::tuple(track.kind, track.device, std::string_view(track.label.empty() ? track.name : track.label));
  };
  std::map<decltype(key(Track())), std::deque<std::uint32_t>> free;  // two streams may have one name
  for (std::uint32_t i = 0; i < second.tracks.size(); ++i) free[key(second.tracks[i])].push_back(i);
  Overlay out;
  out.under.reserve(first.tracks.size());
  std::vector<bool> taken(second.tracks.size(), false);
  for (const Track& track : first.tracks) {
    const auto found = free.find(key(track));
    const bool none = found == free.end() || found->second.empty() || track.kind == TrackKind::inside;
    out.under.push_back(none ? kNoPartner : found->second.front());
    if (none) continue;
    taken[found->second.front()] = true;
    found->second.pop_front();
  }
  for (std::uint32_t i = 0; i < second.tracks.size(); ++i)
    if (!taken[i]) out.alone.push_back(i);
  return out;
}

trace::Interval extent(const Tracks& tracks, const ComparedRun& compared) {
  if (!compared.there() || compared.tracks->tracks.empty()) return {tracks.begin, tracks.end};
  const auto moved = [&](Nanoseconds time) {
    return std::clamp(time, -kFurthest, kFurthest) + std::clamp(compared.offset, -kFurthest, kFurthest);
  };
  const trace::Interval other{moved(compared.tracks->begin), moved(compared.tracks->end)};
  if (tracks.tracks.empty()) return other;
  return {std::min(tracks.begin, other.start), std::max(tracks.end, other.end)};
}

}  // namespace streamscope::timeline

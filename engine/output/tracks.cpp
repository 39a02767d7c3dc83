#include "engine/output/tracks.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace streamscope::output {

std::vector<std::vector<Slice>> spread(std::vector<Slice> slices) {
  std::sort(slices.begin(), slices.end(), [](const Slice& a, const Slice& b) {
    if (a.start != b.start) return a.start < b.start;
    if (a.end != b.end) return a.end < b.end;
    return a.span < b.span;
  });
  std::vector<std::vector<Slice>> tracks;
  using End = std::pair<Nanoseconds, std::size_t>;  // when a track is free again, and which
  std::priority_queue<End, std::vector<End>, std::greater<>> taken;
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> free;
  for (const Slice& slice : slices) {
    while (!taken.empty() && taken.top().first <= slice.start) {
      free.push(taken.top().second);
      taken.pop();
    }
    std::size_t track = tracks.size();
    if (free.empty()) {
      tracks.emplace_back();
    } else {
      track = free.top();
      free.pop();
    }
    tracks[track].push_back(slice);
    taken.emplace(slice.end, track);
  }
  return tracks;
}

}  // namespace streamscope::output

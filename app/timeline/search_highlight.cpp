#include "app/timeline/search_highlight.h"

namespace streamscope::timeline {
namespace {

std::vector<Lane> those(const std::vector<Lane>& lanes, const std::vector<bool>& meant) {
  std::vector<Lane> out(lanes.size());
  for (std::size_t k = 0; k < lanes.size(); ++k) {
    const Lane& from = lanes[k];
    for (std::uint32_t i = 0; i < from.size(); ++i) {
      if (from.span[i] < meant.size() && meant[from.span[i]]) out[k].add(from.start[i], from.end(i), from.span[i]);
    }
    index(out[k]);
  }
  return out;
}

}  // namespace

SearchHighlight search_highlight(const Tracks& tracks, const std::vector<bool>& meant) {
  SearchHighlight out;
  for (const Track& track : tracks.tracks)
    if (track.kind != TrackKind::inside)
      out.tracks[key(track)] = {those(track.executing, meant), those(track.waiting, meant)};
  return out;
}

}  // namespace streamscope::timeline

#include "app/timeline/search_highlight.h"

namespace streamscope::timeline {
namespace {

// `index_of`: of what a lane calls a span, the index into the trace.
template <class IndexOf>
std::vector<Lane> those(const std::vector<Lane>& lanes, const std::vector<bool>& meant, IndexOf index_of) {
  std::vector<Lane> out(lanes.size());
  for (std::size_t k = 0; k < lanes.size(); ++k) {
    const Lane& from = lanes[k];
    for (std::uint32_t i = 0; i < from.size(); ++i) {
      const std::uint32_t which = index_of(from.span[i]);
      if (which >= meant.size() || !meant[which]) continue;
      if (from.classes.empty())
        out[k].add(from.start[i], from.end(i), from.span[i]);
      else
        out[k].add(from.start[i], from.end(i), from.span[i], from.classes[i]);
    }
    index(out[k]);
  }
  return out;
}

}  // namespace

SearchHighlight search_highlight(const Tracks& tracks, const std::vector<bool>& meant) {
  SearchHighlight out;
  const auto itself = [](std::uint32_t span) { return span; };
  const auto that_waits = [&](std::uint32_t piece) { return tracks.waits[piece].span; };
  for (const Track& track : tracks.tracks)
    if (track.kind != TrackKind::inside)
      out.tracks[key(track)] = {those(track.executing, meant, itself), those(track.waiting, meant, that_waits)};
  return out;
}

}  // namespace streamscope::timeline

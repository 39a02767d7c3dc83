// What a search found, as lanes of its own. They are drawn over the others, which are pale then, and by the same rule:
// so what is found is exact at any zoom, and none of it vanishes under what is longer.
#pragma once

#include <map>
#include <vector>

#include "app/timeline/tracks.h"

namespace streamscope::timeline {

struct HighlightedLanes {
  std::vector<Lane> executing, waiting;  // lane by lane those of the track
};

struct SearchHighlight {
  std::map<TrackKey, HighlightedLanes> tracks;
};
// `meant`: by index into the trace. O(n), and as much memory again for each span that is meant.
SearchHighlight search_highlight(const Tracks& tracks, const std::vector<bool>& meant);

}  // namespace streamscope::timeline

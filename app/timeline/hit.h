// What lies under a pixel of a timeline's picture.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/timeline/layout_options.h"
#include "app/timeline/tracks.h"
#include "app/timeline/view.h"

namespace streamscope::timeline {

// How much of a column one class of operations takes: 0..1.
struct ClassShare {
  std::uint8_t which = 0;  // of the colours in use (lane.h)
  double share = 0;
};

struct Hit {
  OperationIndex operation = kNoOperation;  // the longest under the pixel
  std::uint32_t how_many = 0;               // spans under that pixel column in that lane
  std::vector<ClassShare> shares = {};      // of that column, where there are several; the largest first
  bool waiting = false;                     // the hatched part: it was ready
  bool queued = false;                      // the dotted one: it was issued, and not ready
  bool ghost = false;                       // the predicted one
  std::size_t track = 0;
  TrackKind row = TrackKind::stream;  // the track's kind
  std::uint32_t piece = kNoPiece;     // of Tracks::inside: the longest under the pixel
  std::uint32_t wait = kNoWait;       // of Tracks::waits: why it was waiting or queued there
  bool compared = false;              // operation and track are the second run's
};
std::optional<Hit> hit(const trace::Trace& trace, const Tracks& tracks, const View& view, const LayoutOptions& options,
                       int x, int y);

}  // namespace streamscope::timeline

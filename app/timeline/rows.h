// Where tracks, lanes, axis and badge lie: the geometry that layout(), frame() and hit() share.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "app/timeline/layout_options.h"
#include "app/timeline/tracks.h"

namespace streamscope::timeline {

// Sizes in pixels that follow from the options alone.
struct Metrics {
  int row = 0, inset = 0;  // of a lane; the air above and below its bars
  int ghost = 0;           // of a ghost under its bar; 0: none are drawn
  int heading = 0;         // of a group of tracks
  int inside_heading = 0;  // of an opened kernel: with its ring
  int group_gap = 0;
  int title = 0, axis = 0, badge = 0;
  int pad = 0;
  float text = 0, small_text = 0, bar_text = 0;
};
Metrics metrics(const LayoutOptions& options);
// As low as a lane can be before the letters on its bars get smaller, pixels.
int lowest_row(const LayoutOptions& options);
// Of a track's name from the left edge, besides the pad: the inside of a kernel is a tree.
int indent_of(const Track& track, const Metrics& metrics);

// The part of the picture that tracks are shown in: rows [top, bottom).
struct TrackArea {
  int top = 0, bottom = 0;
};
TrackArea track_area(const LayoutOptions& options);

// A track's lanes, or a heading (track == kNone), at rows [y0, y1) of the picture, not clipped. The pinned ones come
// first and stay where they are; the others are scrolled and go under them.
struct Strip {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t track = kNone;
  TrackKind kind = TrackKind::stream;
  int y0 = 0, y1 = 0;
  bool pinned = false;
  std::size_t hidden = 0;               // of a heading: the tracks of its group that are folded away
  std::optional<std::uint32_t> device;  // of a run on several, or beside one: below whose heading it stands
};
std::vector<Strip> strips(const Tracks& tracks, const LayoutOptions& options);
// Those of the second run (LayoutOptions::compared), whose tracks they index: all of it below the first; overlaid, what
// the first does not have, in the same groups.
std::vector<Strip> strips_of_compared(const Tracks& tracks, const LayoutOptions& options);
// Where the scrolled strips are shown; the pinned ones are above it.
TrackArea scrolled_area(const std::vector<Strip>& strips, const LayoutOptions& options);

struct Frame {
  int plot_x = 0;  // first column of the plot: track headers are to the left of it
  int plot_width = 0;
  int content_height = 0;  // of all tracks, for scrolling
};
Frame frame(const Tracks& tracks, const LayoutOptions& options);

// How many lanes lie below the picture, or a part of each.
std::size_t lanes_below(const Tracks& tracks, const LayoutOptions& options);

// How wide a heading's chevron is, with the gap before it.
float heading_sign(const Metrics& metrics);
// First column of the place for a track's pin, in its header; as wide as two pads.
int pin_left(const Frame& frame, const Metrics& metrics);

// "HOST", "STREAMS", "ENGINES", "INSIDE tiles"; of a run on several devices "HOST", "GPU 0 · NVIDIA H200".
std::string group_name(const Tracks& tracks, TrackKind kind, std::optional<std::uint32_t> device = std::nullopt);
// How many groups there are where nothing is pinned.
std::size_t group_count(const Tracks& tracks);
// Where it stands below its device's heading the name need not say which.
const std::string& name_at(const Track& track, const Strip& strip);

// Where two runs stand one below the other a heading names its run: "RUN 3 · STREAMS".
std::string heading_text(const std::string& run, std::string_view group);

// The lanes [first, end) of a track of so many that are in sight: it may have thousands.
struct LaneRange {
  std::size_t first, end;
};
LaneRange lanes_in_sight(const Metrics& metrics, const TrackArea& area, const Strip& strip, std::size_t lanes);
// The strip at that row of the picture; null where there is none.
const Strip* strip_at(const std::vector<Strip>& strips, const LayoutOptions& options, int y);

}  // namespace streamscope::timeline

// The timeline as a picture: a pure function of the trace and the view. No ImGui, no GL.
//
//   tracks(trace)  once for each trace: which tracks there are and their lanes, ready for any zoom
//   layout(...)    once for each view: what to draw; cost follows pixels, not spans
//   hit(...)       what lies under a pixel
#pragma once

#include <compare>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/timeline/compared_run.h"
#include "app/timeline/flows.h"
#include "app/timeline/inside.h"
#include "app/timeline/lane.h"
#include "app/timeline/picture.h"
#include "app/timeline/ring.h"
#include "app/timeline/theme.h"
#include "app/timeline/view.h"
#include "engine/trace/interval.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::timeline {

// inside: the rows of an opened kernel (inside.h); their lanes hold no spans but pieces of it.
enum class TrackKind : std::uint8_t { host, stream, engine, inside };
enum class InsideRow : std::uint8_t { none, closed, open, stage };  // closed, open: a multiprocessor

// One row. Overlapping spans go to further lanes below, so that none is hidden.
struct Track {
  TrackKind kind = TrackKind::stream;
  std::string name;             // "main", "S0", "H2D engine"
  std::uint32_t id = 0;         // index into Trace::threads or Trace::streams; the Engine; the multiprocessor
  std::vector<Lane> executing;  // lane by lane
  std::vector<Lane> waiting;    // ready..start of the same lanes; streams only
  // What a prediction has carried out on this track, lane by lane; at most as many as `executing`. Its spans are known
  // by their index, which is that of the same operation in the trace.
  std::vector<Lane> ghosts;
  InsideRow inside = InsideRow::none;
};

// Names a track, also of another run.
struct TrackKey {
  TrackKind kind = TrackKind::stream;
  std::uint32_t id = 0;
  friend auto operator<=>(const TrackKey&, const TrackKey&) = default;
};
inline TrackKey key(const Track& track) { return {track.kind, track.id}; }

// Which tracks stand at the top, whatever is scrolled, and which groups show their heading only.
struct TrackChoice {
  std::vector<TrackKey> pinned;  // in this order; those a run does not have are left out
  std::set<TrackKind> collapsed;
  friend bool operator==(const TrackChoice&, const TrackChoice&) = default;
};

struct Tracks {
  std::vector<Track> tracks;  // host threads, streams that are used, engines that are used, an opened kernel
  Nanoseconds begin = 0, end = 0;
  Inside inside;  // what the lanes of TrackKind::inside mean
};
Tracks tracks(const trace::Trace& trace);
// With the prediction's bars as ghosts; both have the same operations. From the first of both to the last.
Tracks tracks(const trace::Trace& trace, const trace::Trace& predicted);

struct Found;

enum class ColourBy : std::uint8_t { kind, stream };

struct LayoutOptions {
  int width = 0, height = 0;  // of the picture, pixels
  float scale = 1;            // of text and rows; whoever shows it multiplies the theme's text_scale in
  int row_height = 0;         // of one lane, pixels; 0: 26 times the scale
  ColourBy colour_by = ColourBy::kind;
  OperationIndex selected = kNoOperation;
  OperationIndex hovered = kNoOperation;
  std::uint32_t hovered_piece = kNoPiece;  // of Tracks::inside
  RingAt ring;                             // drawn in the heading of the inside
  int scroll = 0;                          // pixels the tracks are scrolled up by
  // The profile whose prediction is drawn under the bars, as ghosts: "h200". Empty: none is, and no room is left for
  // it.
  std::string ghost;
  bool badge = true;  // MEASURED or MODEL, device and clock, burned in at the lower edge
  std::string title;  // over the picture; empty: none
  // An interval that is being measured, drawn over all tracks; kAbsent: none.
  Nanoseconds measure_begin = kAbsent, measure_end = kAbsent;
  std::vector<trace::Interval> marks;    // kept intervals, drawn as bands with their lengths
  std::optional<trace::Interval> range;  // what lies outside is dimmed
  Nanoseconds playhead = kAbsent;        // a line over all tracks
  std::shared_ptr<const Found> found;    // what is searched for (found.h): all else is pale. Null: all are alike
  TrackChoice choice;
  const Waiters* waiters = nullptr;        // of the trace; null: no threads to what waited for the selection
  std::optional<TrackKey> hovered_header;  // whose pin is shown
  Beside beside;                           // a second run on the same axis
  bool on_paper = false;                   // where nothing can be folded, so there is no sign for it
  friend bool operator==(const LayoutOptions&, const LayoutOptions&) = default;
};

struct Frame {
  int plot_x = 0;  // first column of the plot: track headers are to the left of it
  int plot_width = 0;
  int content_height = 0;  // of all tracks, for scrolling
};
Frame frame(const Tracks& tracks, const LayoutOptions& options);

Picture layout(const trace::Trace& trace, const Tracks& tracks, const View& view, const Theme& theme,
               const LayoutOptions& options);

struct Hit {
  OperationIndex operation = kNoOperation;  // the longest under the pixel
  std::uint32_t how_many = 0;               // spans under that pixel column in that lane
  bool waiting = false;                     // the hatched part
  bool ghost = false;                       // the predicted one
  std::size_t track = 0;
  std::uint32_t piece = kNoPiece;  // of Tracks::inside: the longest under the pixel
  bool beside = false;             // operation and track are the second run's
};
std::optional<Hit> hit(const trace::Trace& trace, const Tracks& tracks, const View& view, const LayoutOptions& options,
                       int x, int y);

}  // namespace streamscope::timeline

// What a timeline's picture shows besides the trace and the view: size, selection, marks, a second run.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/timeline/bar_style.h"
#include "app/timeline/compared_run.h"
#include "app/timeline/flows.h"
#include "app/timeline/search_highlight.h"
#include "app/timeline/shared_ring.h"
#include "app/timeline/tracks.h"
#include "app/timeline/verdict_marks.h"
#include "engine/trace/interval.h"

namespace streamscope::timeline {

struct CounterRow;

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
  bool badge = true;                        // MEASURED or MODEL, device and clock, burned in at the lower edge
  std::string title;                        // over the picture; empty: none
  std::optional<trace::Interval> measured;  // drawn over all tracks
  std::vector<trace::Interval> marks;       // kept intervals, drawn as bands with their lengths
  std::optional<trace::Interval> range;     // what lies outside is dimmed
  Nanoseconds playhead = kAbsent;           // a line over all tracks
  std::shared_ptr<const SearchHighlight>
      highlight;                                // what a search found: all else is pale. Null: nothing is searched for
  std::shared_ptr<const VerdictMarks> verdict;  // of the trace; null: it is not known, and none of the four is shown
  bool path = false;                            // the critical path, as a line over the rows
  bool pale_off_path = false;                   // operations that are not on it; a search goes before
  bool rulers = false;                          // the bounds
  bool queues = false;                          // how many operations each stream had been given, as a thin step line
  Meaning lit = kNoMeaning;                     // of the legend: all else is pale
  bool all_waits = false;                       // the arrows of all waits in sight, not of the selection's alone
  TrackChoice choice;
  const std::vector<CounterRow>* counters = nullptr;  // rows below the tracks; null: none
  std::vector<OperationIndex> led_here, led_on;       // by arrows of the trace's own file, to the selection and from it
  const Waiters* waiters = nullptr;        // of the trace; null: no flow arrows to what waited for the selection
  std::optional<TrackKey> hovered_header;  // whose pin is shown
  ComparedRun compared;                    // a second run on the same axis
  bool on_paper = false;                   // where nothing can be folded, so there is no sign for it
  friend bool operator==(const LayoutOptions&, const LayoutOptions&) = default;
};

}  // namespace streamscope::timeline

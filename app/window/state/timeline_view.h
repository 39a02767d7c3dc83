// What of the run in view the timeline shows, and what on it is selected, measured and marked.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "app/timeline/layout_options.h"
#include "app/timeline/tracks.h"

namespace streamscope::window {

// The critical path as a line over the rows; and then all that is not on it is pale.
enum class PathShown : std::uint8_t { no, line, alone };

struct TimelineView {
  std::optional<timeline::View> view;  // nothing: fit
  OperationIndex selected = kNoOperation;
  timeline::OpenKernel opening;  // the kernel whose inside is in view
  std::optional<trace::Interval> measured;
  std::optional<trace::Interval> range;  // limits all statistics
  std::vector<trace::Interval> marks;    // in the order of their begins
  timeline::TrackChoice choice;
  timeline::ColourBy colour_by = timeline::ColourBy::kind;
  PathShown path = PathShown::no;
  bool rulers = false;                           // the bounds, as lines
  bool all_waits = false;                        // the arrows of all waits in sight
  timeline::Meaning lit = timeline::kNoMeaning;  // of the legend: what is shown alone
};

namespace command {
struct SetView {
  std::optional<timeline::View> view;  // nothing: the whole run, also of the runs to come
};
struct ToggleMultiprocessor {  // of the opened kernel: its stages
  std::uint32_t multiprocessor;
};
struct Measure {
  std::optional<trace::Interval> interval;
};
struct SetRange {  // all statistics are of what lies in it
  std::optional<trace::Interval> range;
};
struct MarkInterval {
  trace::Interval interval;
};
struct RemoveMark {
  std::size_t index;
};
struct PinTrack {
  timeline::TrackKey track;
  bool pinned;
};
struct CollapseGroup {
  timeline::TrackKind group;
  bool collapsed;
  std::optional<std::uint32_t> device = std::nullopt;  // its streams and engines; `group` does not count then
};
struct SetColourBy {
  timeline::ColourBy by;
};
struct ShowPath {
  PathShown how;
};
struct ShowRulers {
  bool on;
};
struct ShowAllWaits {
  bool on;
};
struct ShowAlone {                                   // of the legend; all else is pale
  timeline::Meaning meaning = timeline::kNoMeaning;  // nothing: all is shown
};
// These look at the runs in view, too.
struct Select {
  OperationIndex operation;
};
// Opens the inside of a kernel on the timeline, or closes it.
struct ToggleInside {
  OperationIndex operation;
};
}  // namespace command

using TimelineCommand = std::variant<command::SetView, command::ToggleMultiprocessor, command::Measure,
                                     command::SetRange, command::MarkInterval, command::RemoveMark, command::PinTrack,
                                     command::CollapseGroup, command::SetColourBy, command::ShowPath,
                                     command::ShowRulers, command::ShowAlone, command::ShowAllWaits>;
void update(TimelineView& timeline, const TimelineCommand& command);
// Where it looked, and what was selected and opened.
void forget_places(TimelineView& timeline);
// What was measured, marked or limited belongs to a program that is in view no more.
void forget_intervals(TimelineView& timeline);

}  // namespace streamscope::window

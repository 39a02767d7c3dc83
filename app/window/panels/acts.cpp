#include "app/window/panels/acts.h"

#include <algorithm>

#include "app/timeline/tracks.h"
#include "app/window/state/run_verdicts.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

// Null, and says so: no lesson is open.
const lesson::Step* lesson_step(const Panel& panel) {
  const lesson::Step* step = step_at(panel.state.lesson);
  if (step == nullptr) panel.emit(command::Say{tr("No lesson is open; the gallery (G) has them.")});
  return step;
}

// What was measured, else the selected operation.
std::optional<trace::Interval> interval_of(const State& state) {
  if (state.timeline.measured) return state.timeline.measured;
  const std::optional<trace::Span> span = span_of(state, state.timeline.selected);
  if (!span) return std::nullopt;
  const bool on_device = known(span->start) && known(span->end);
  const Nanoseconds from = on_device ? span->start : span->host_begin, to = on_device ? span->end : span->host_end;
  if (!known(from) || !known(to) || to < from) return std::nullopt;
  return trace::Interval{from, to};
}

}  // namespace

namespace act {

void mark(const Panel& panel, TimelinePanel&) {
  if (const auto interval = interval_of(panel.state))
    panel.emit(command::MarkInterval{*interval});
  else
    panel.emit(command::Say{tr("Select an operation or measure something, then M marks its interval.")});
}

void set_range(const Panel& panel, TimelinePanel&) {
  if (const auto interval = interval_of(panel.state))
    panel.emit(command::SetRange{*interval});
  else
    panel.emit(command::Say{tr("Select an operation or measure something first, or drag with Ctrl.")});
}

void pin_selection(const Panel& panel, TimelinePanel&) {
  const State& state = panel.state;
  const std::optional<trace::Span> span = span_of(state, state.timeline.selected);
  if (!span) {
    panel.emit(command::Say{tr("Select an operation whose track is to be pinned.")});
    return;
  }
  const timeline::TrackKey track = span->stream != trace::Span::kNoStream
                                       ? timeline::TrackKey{timeline::TrackKind::stream, span->stream}
                                       : timeline::TrackKey{timeline::TrackKind::host, span->thread};
  const auto& pinned = state.timeline.choice.pinned;
  panel.emit(command::PinTrack{track, std::find(pinned.begin(), pinned.end(), track) == pinned.end()});
}

void unpin_all(const Panel& panel, TimelinePanel&) {
  for (const timeline::TrackKey& each : panel.state.timeline.choice.pinned) panel.emit(command::PinTrack{each, false});
}
// A line, then all else pale, then neither.
void path_otherwise(const Panel& panel, TimelinePanel&) {
  const PathShown now = panel.state.timeline.path;
  panel.emit(command::ShowPath{now == PathShown::no     ? PathShown::line
                               : now == PathShown::line ? PathShown::alone
                                                        : PathShown::no});
  if (now == PathShown::no && verdict_in_view(panel.state) == nullptr)
    panel.emit(command::Say{tr("The critical path is shown once it is known.")});
}

void rulers_otherwise(const Panel& panel, TimelinePanel&) {
  panel.emit(command::ShowRulers{!panel.state.timeline.rulers});
}

void all_waits_otherwise(const Panel& panel, TimelinePanel&) {
  panel.emit(command::ShowAllWaits{!panel.state.timeline.all_waits});
}

// The change that helps most.
void try_first(const Panel& panel, TimelinePanel&) {
  const auto verdict = verdict_in_view(panel.state);
  if (has_entries(verdict.get()))
    for (const remedy::Entry& each : verdict->explained->verdict.entries)
      if (each.help) return panel.emit(command::TryChange{*each.help});
  panel.emit(command::Say{tr("No change is known that would help.")});
}

void light_first(const Panel& panel, TimelinePanel&) {
  const auto verdict = verdict_in_view(panel.state);
  if (has_entries(verdict.get()) && !verdict->operations.front().empty())
    panel.emit(command::LightUp{verdict->operations.front()});
  else
    panel.emit(command::Say{tr("Nothing is known yet that could be shown.")});
}

void present_otherwise(const Panel& panel, TimelinePanel&) {
  panel.emit(command::Present{!panel.state.workspace.presenting});
}

// Where its tab is not in sight it comes into sight, and stays open.
void cuda_otherwise(const Panel& panel, TimelinePanel&) {
  const Workspace& looks = panel.state.workspace;
  const bool seen = looks.cuda_open && looks.dock_open && looks.dock == command::Dock::program;
  panel.emit(command::ShowCuda{!seen});
}

void colour_otherwise(const Panel& panel, TimelinePanel&) {
  using timeline::ColourBy;
  panel.emit(
      command::SetColourBy{panel.state.timeline.colour_by == ColourBy::kind ? ColourBy::stream : ColourBy::kind});
}

void lesson_next(const Panel& panel, TimelinePanel& timeline) {
  if (lesson_step(panel) == nullptr) return;
  if (!hides_run(panel.state.lesson))
    panel.emit(command::StepLesson{1});
  else if (panel.state.workspace.presenting)
    lesson_reveal(panel, timeline);
  else
    panel.emit(command::Say{tr("Answer the question first, or reveal it (H).")});
}

void lesson_before(const Panel& panel, TimelinePanel&) {
  if (lesson_step(panel) != nullptr) panel.emit(command::StepLesson{-1});
}

void lesson_reveal(const Panel& panel, TimelinePanel&) {
  if (const lesson::Step* step = lesson_step(panel); step != nullptr && hides_run(panel.state.lesson))
    panel.emit(command::GiveAnswer{revealed(panel.state.lesson, *step)});
}

// Closes or clears one thing, the first of these that there is.
void clear(const Panel& panel, TimelinePanel&) {
  const State& state = panel.state;
  if (state.workspace.palette_open)
    panel.emit(command::ShowPalette{false});
  else if (state.workspace.asks_close)
    panel.emit(command::StayOpen{});
  else if (state.files.asks != FileQuestion::none)
    panel.emit(command::AskFile{FileQuestion::none});
  else if (state.workspace.gallery_open)
    panel.emit(command::ShowGallery{false});
  else if (state.workspace.export_open)
    panel.emit(command::ShowExport{false});
  else if (state.workspace.keys_open)
    panel.emit(command::ShowKeys{false});
  else if (state.help.open)
    panel.emit(command::CloseHelp{});
  else if (state.workspace.walk != 0)
    panel.emit(command::EndWalk{});
  else if (state.workspace.hint_open)
    panel.emit(command::ShowHint{false});
  else if (state.timeline.measured)
    panel.emit(command::Measure{});
  else if (state.verdicts.lit)
    panel.emit(command::LightUp{});
  else if (state.timeline.lit != timeline::kNoMeaning)
    panel.emit(command::ShowAlone{});
  else if (known(state.slow_motion.playhead))
    panel.emit(command::SetPlayhead{kAbsent});
  else if (state.timeline.selected != kNoOperation)
    panel.emit(command::Select{kNoOperation});
  else if (!state.readings.search.empty())
    panel.emit(command::Search{{}});
  else if (state.timeline.range)
    panel.emit(command::SetRange{std::nullopt});
  else if (state.comparison.second)
    panel.emit(command::CompareWith{kNoRun});
  else if (state.workspace.presenting)
    panel.emit(command::Present{false});
}

// With the run that was made before the one in view; without one there is nothing to compare.
void compare_with_before(const Panel& panel, TimelinePanel&) {
  const State& state = panel.state;
  const auto now = std::find(state.runs.all.begin(), state.runs.all.end(), state.runs.shown);
  if (state.runs.all.size() < 2 || now == state.runs.all.end()) {
    panel.emit(command::Say{tr("There is no second run yet. Change something and run again.")});
    return;
  }
  panel.emit(command::CompareWith{(now == state.runs.all.begin() ? *(now + 1) : *(now - 1))->number});
  panel.emit(command::ShowDock{command::Dock::compare});
}

void swap_runs(const Panel& panel, TimelinePanel&) {
  const State& state = panel.state;
  const auto other = std::find(state.runs.all.begin(), state.runs.all.end(), state.comparison.second);
  if (other != state.runs.all.end())
    panel.emit(command::ShowRun{static_cast<std::size_t>(other - state.runs.all.begin())});
}

void arrange_otherwise(const Panel& panel, TimelinePanel&) {
  using command::Arrangement;
  panel.emit(command::Arrange{panel.state.comparison.arrangement == Arrangement::stacked ? Arrangement::overlaid
                                                                                         : Arrangement::stacked});
}

void name_run(const Panel& panel, TimelinePanel&) {
  if (panel.state.runs.shown) panel.emit(command::BeginRename{panel.state.runs.shown->number});
}
}  // namespace act
}  // namespace streamscope::window

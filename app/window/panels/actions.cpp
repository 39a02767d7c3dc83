#include "app/window/panels/actions.h"

#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/timeline/tracks.h"
#include "app/window/panels/slow_motion_panel.h"
#include "app/window/panels/timeline_panel.h"
#include "app/window/state/selection_steps.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

constexpr double kZoomStep = 1.3;
constexpr double kPanStep = 0.12;
constexpr float kTextStep = 0.25f;

void select(const Panel& panel, OperationIndex next) {
  if (next != kNoOperation) panel.emit(command::Select{next});
}

template <OperationIndex (*Find)(const State&)>
void select_by(const Panel& panel, TimelinePanel&) {
  select(panel, Find(panel.state));
}

template <class C>
void emit(const Panel& panel, TimelinePanel&) {
  panel.emit(C{});
}

template <command::Side Which>
void toggle(const Panel& panel, TimelinePanel&) {
  panel.emit(command::TogglePanel{Which});
}

// The tab that is open closes with its own key.
template <command::Dock Which>
void dock(const Panel& panel, TimelinePanel&) {
  if (panel.state.workspace.dock_open && panel.state.workspace.dock == Which)
    panel.emit(command::TogglePanel{command::Side::program});
  else
    panel.emit(command::ShowDock{Which});
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

void mark(const Panel& panel, TimelinePanel&) {
  if (const auto interval = interval_of(panel.state))
    panel.emit(command::MarkInterval{*interval});
  else
    panel.emit(command::Say{"Select an operation or measure something, then M marks its interval."});
}

void set_range(const Panel& panel, TimelinePanel&) {
  if (const auto interval = interval_of(panel.state))
    panel.emit(command::SetRange{*interval});
  else
    panel.emit(command::Say{"Select an operation or measure something first, or drag with Ctrl."});
}

void pin_selection(const Panel& panel, TimelinePanel&) {
  const State& state = panel.state;
  const std::optional<trace::Span> span = span_of(state, state.timeline.selected);
  if (!span) {
    panel.emit(command::Say{"Select an operation whose track is to be pinned."});
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

template <timeline::TrackKind Group>
void fold(const Panel& panel, TimelinePanel&) {
  panel.emit(command::CollapseGroup{Group, !panel.state.timeline.choice.collapsed.contains(Group)});
}

void zoom_in(const Panel& panel, TimelinePanel& timeline) { timeline.zoom(panel, kZoomStep); }
void zoom_out(const Panel& panel, TimelinePanel& timeline) { timeline.zoom(panel, 1 / kZoomStep); }
void pan_left(const Panel& panel, TimelinePanel& timeline) { timeline.pan(panel, -kPanStep); }
void pan_right(const Panel& panel, TimelinePanel& timeline) { timeline.pan(panel, kPanStep); }
void frame_selection(const Panel& panel, TimelinePanel& timeline) { timeline.frame_selection(panel); }
void look_inside(const Panel& panel, TimelinePanel& timeline) { timeline.toggle_inside(panel); }
void see_all(const Panel& panel, TimelinePanel&) { panel.emit(command::SetView{std::nullopt}); }
void whole_run(const Panel& panel, TimelinePanel&) { panel.emit(command::SetRange{std::nullopt}); }
void play_or_pause(const Panel& panel, TimelinePanel&) { toggle_play(panel); }
void predict(const Panel& panel, TimelinePanel&) { panel.emit(command::SetPredict{!panel.state.settings.predict}); }
void show_palette(const Panel& panel, TimelinePanel&) {
  panel.emit(command::ShowPalette{!panel.state.workspace.palette_open});
}
void show_keys(const Panel& panel, TimelinePanel&) { panel.emit(command::ShowKeys{!panel.state.workspace.keys_open}); }
void show_export(const Panel& panel, TimelinePanel&) { panel.emit(command::ShowExport{true}); }
void text_as_it_was(const Panel& panel, TimelinePanel&) { panel.emit(command::SetTextScale{1}); }

template <int Direction>
void step_to_event(const Panel& panel, TimelinePanel&) {
  step_playhead(panel, Direction);
}

template <int Steps>
void larger_text(const Panel& panel, TimelinePanel&) {
  panel.emit(command::SetTextScale{panel.state.workspace.text_scale + Steps * kTextStep});
}

void colour_otherwise(const Panel& panel, TimelinePanel&) {
  using timeline::ColourBy;
  panel.emit(
      command::SetColourBy{panel.state.timeline.colour_by == ColourBy::kind ? ColourBy::stream : ColourBy::kind});
}

// Closes or clears one thing, the first of these that there is.
void clear(const Panel& panel, TimelinePanel&) {
  const State& state = panel.state;
  if (state.workspace.palette_open)
    panel.emit(command::ShowPalette{false});
  else if (state.workspace.export_open)
    panel.emit(command::ShowExport{false});
  else if (state.workspace.keys_open)
    panel.emit(command::ShowKeys{false});
  else if (state.help.open)
    panel.emit(command::CloseHelp{});
  else if (state.workspace.hint_open)
    panel.emit(command::ShowHint{false});
  else if (state.timeline.measured)
    panel.emit(command::Measure{});
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
}

// With the run that was made before the one in view; without one there is nothing to compare.
void compare_with_before(const Panel& panel, TimelinePanel&) {
  const State& state = panel.state;
  const auto now = std::find(state.runs.all.begin(), state.runs.all.end(), state.runs.shown);
  if (state.runs.all.size() < 2 || now == state.runs.all.end()) {
    panel.emit(command::Say{"There is no second run yet. Change something and run again."});
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

constexpr std::string_view kTwoRuns = "Two runs", kRunning = "Running", kMoving = "Moving about the timeline",
                           kOperations = "Operations", kMeasuring = "Measuring", kTracks = "Tracks",
                           kSlow = "Slow motion", kLooks = "Looks and panels";

Chord letter(char32_t character) { return {.character = character}; }
Chord key(int key) { return {.key = key}; }
Chord control(int key) { return {.key = key, .control = true}; }

bool meant(const Chord& chord, const KeyPress& press) {
  if (press.character != 0) {
    const char32_t small = press.character >= U'A' && press.character <= U'Z' ? press.character + 32 : press.character;
    return !press.control && chord.character == small;
  }
  return chord.key != 0 && chord.key == press.key && chord.control == press.control && chord.shift == press.shift;
}

}  // namespace

const std::vector<Action>& actions() {
  static const std::vector<Action> all = {
      {kRunning, "Run", "Space", {key(GLFW_KEY_SPACE)}, emit<command::RunNow>},
      {kRunning,
       "Run, also from the editor",
       "Ctrl Enter",
       {control(GLFW_KEY_ENTER), control(GLFW_KEY_KP_ENTER)},
       emit<command::RunNow>,
       false,
       true},
      {kRunning, "Live: run again and again", "L", {letter(U'l')}, emit<command::ToggleLive>},
      {kRunning, "Stop the run and live mode", "", {}, emit<command::Stop>},
      {kRunning, "Predict: the model's ghost under the bars", "P", {letter(U'p')}, predict},
      {kRunning, "Start a new engine", "", {}, emit<command::RestartEngine>},

      {kMoving, "Zoom in", "W", {letter(U'w')}, zoom_in},
      {kMoving, "Zoom out", "S", {letter(U's')}, zoom_out},
      {kMoving, "Pan left", "A", {letter(U'a')}, pan_left},
      {kMoving, "Pan right", "D", {letter(U'd')}, pan_right},
      {kMoving, "Frame the selection; again: everything", "F", {letter(U'f')}, frame_selection},
      {kMoving, "Everything", "Home", {key(GLFW_KEY_HOME)}, see_all},

      {kOperations, "Search", "/", {letter(U'/')}, emit<command::FocusSearch>},
      {kOperations, "Along the track, back", "←", {key(GLFW_KEY_LEFT)}, select_by<previous_on_track>, false},
      {kOperations, "Along the track, on", "→", {key(GLFW_KEY_RIGHT)}, select_by<next_on_track>, false},
      {kOperations, "To the track above", "↑", {key(GLFW_KEY_UP)}, select_by<on_track_above>, false},
      {kOperations, "To the track below", "↓", {key(GLFW_KEY_DOWN)}, select_by<on_track_below>, false},
      {kOperations, "Previous operation of the program", ",", {letter(U',')}, select_by<previous_operation>},
      {kOperations, "Next operation of the program", ".", {letter(U'.')}, select_by<next_operation>},
      {kOperations, "Follow what it waited for", "[", {letter(U'[')}, select_by<waited_for>},
      {kOperations, "Follow what waited for it", "]", {letter(U']')}, select_by<waited_by>},
      {kOperations,
       "Look inside a kernel of tiles; again: close it",
       "Enter   O",
       {key(GLFW_KEY_ENTER), key(GLFW_KEY_KP_ENTER), letter(U'o')},
       look_inside},

      {kMeasuring, "Mark the interval measured or selected; again: unmark", "M", {letter(U'm')}, mark},
      {kMeasuring, "Limit statistics to the interval measured or selected", "R", {letter(U'r')}, set_range},
      {kMeasuring, "Statistics of the whole run", "", {}, whole_run},
      {kMeasuring, "Clear, one thing after the other", "Esc", {key(GLFW_KEY_ESCAPE)}, clear},

      {kTwoRuns, "Compare with the run before", "B", {letter(U'b')}, compare_with_before},
      {kTwoRuns, "Stack or overlay the two runs", "V", {letter(U'v')}, arrange_otherwise},
      {kTwoRuns, "Swap the two runs", "X", {letter(U'x')}, swap_runs},
      {kTwoRuns, "Name the run in view", "F2", {key(GLFW_KEY_F2)}, name_run},
      {kTwoRuns, "Copy the differences as CSV", "", {}, emit<command::CopyDifferences>},
      {kTwoRuns, "Close the comparison", "", {}, emit<command::CompareWith>},

      {kSlow, "Play in slow motion, or pause", "K", {letter(U'k')}, play_or_pause},
      {kSlow,
       "To the next start or end of an operation",
       "Shift →",
       {{.key = GLFW_KEY_RIGHT, .shift = true}},
       step_to_event<1>},
      {kSlow, "To the start or end before", "Shift ←", {{.key = GLFW_KEY_LEFT, .shift = true}}, step_to_event<-1>},

      {kTracks, "Pin the selection's track; again: unpin", "T", {letter(U't')}, pin_selection},
      {kTracks, "Unpin all tracks", "", {}, unpin_all},
      {kTracks, "Fold or unfold the host threads", "", {}, fold<timeline::TrackKind::host>},
      {kTracks, "Fold or unfold the streams", "", {}, fold<timeline::TrackKind::stream>},
      {kTracks, "Fold or unfold the engines", "", {}, fold<timeline::TrackKind::engine>},

      {kLooks,
       "All commands",
       "Ctrl Shift P",
       {{.key = GLFW_KEY_P, .control = true, .shift = true}},
       show_palette,
       false,
       true},
      {kLooks, "Colour by kind or by stream", "C", {letter(U'c')}, colour_otherwise},
      {kLooks,
       "Larger text",
       "Ctrl +",
       {control(GLFW_KEY_EQUAL), control(GLFW_KEY_KP_ADD), {.key = GLFW_KEY_EQUAL, .control = true, .shift = true}},
       larger_text<1>},
      {kLooks, "Smaller text", "Ctrl -", {control(GLFW_KEY_MINUS), control(GLFW_KEY_KP_SUBTRACT)}, larger_text<-1>},
      {kLooks, "Text as it was", "Ctrl 0", {control(GLFW_KEY_0), control(GLFW_KEY_KP_0)}, text_as_it_was},
      {kLooks, "Show or hide the controls", "1", {letter(U'1')}, toggle<command::Side::controls>},
      {kLooks, "Show or hide the summary", "2", {letter(U'2')}, toggle<command::Side::summary>},
      {kLooks, "The program", "3", {letter(U'3')}, dock<command::Dock::program>},
      {kLooks, "The table of operations", "4", {letter(U'4')}, dock<command::Dock::operations>},
      {kLooks, "The runs kept, and two of them compared", "5", {letter(U'5')}, dock<command::Dock::compare>},
      {kLooks, "Slow motion", "6", {letter(U'6')}, dock<command::Dock::slow_motion>},
      {kLooks, "What was waited for, in all", "7", {letter(U'7')}, dock<command::Dock::waits>},
      {kLooks, "Export the picture as PNG, as it is seen", "", {}, emit<command::ExportPng>},
      {kLooks, "Export a picture: PNG, SVG, PDF", "Ctrl E", {control(GLFW_KEY_E)}, show_export},
      {kLooks,
       tr_later("Help on what is under the mouse or at the cursor"),
       "F1",
       {key(GLFW_KEY_F1)},
       emit<command::AskHelp>,
       true,
       true},
      {kLooks, "The list of keys", "?", {letter(U'?')}, show_keys},
      {kLooks, "Close the window", "Ctrl Q", {control(GLFW_KEY_Q)}, emit<command::Close>},
  };
  return all;
}

const std::vector<Gesture>& mouse_gestures() {
  static const std::vector<Gesture> all = {
      {kMoving, "Zoom at the cursor", "Wheel"},
      {kMoving, "Pan", "Right or middle drag, Shift wheel"},
      {kMoving, "Scroll the tracks", "Ctrl wheel, or wheel over their names"},
      {kMoving, "Move or widen what is seen", "Drag in the overview"},
      {kOperations, "Select", "Click"},
      {kOperations, "Zoom to the operation", "Double click"},
      {kOperations, "Show or hide the stages of a multiprocessor", "Click on it"},
      {kMeasuring, "Measure; edges attract", "Left drag"},
      {kMeasuring, "Limit statistics to a range", "Ctrl left drag"},
      {kSlow, "Set the instant; away with a double click", "Click or drag in the axis"},
      {kTracks, "Fold or unfold a group", "Click on its heading"},
      {kTracks, "Pin or unpin a track", "Click on the pin beside its name"},
  };
  return all;
}

void act_on(const KeyPress& press, bool typing, const Panel& panel, TimelinePanel& timeline) {
  for (const Action& action : actions()) {
    if (typing && !action.while_typing) continue;
    if (std::any_of(action.chords.begin(), action.chords.end(), [&](const Chord& c) { return meant(c, press); })) {
      action.act(panel, timeline);
      return;
    }
  }
}

}  // namespace streamscope::window

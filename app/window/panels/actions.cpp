#include "app/window/panels/actions.h"

#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/timeline/tracks.h"
#include "app/window/panels/acts.h"
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
void run_or_pause(const Panel& panel, TimelinePanel&) {
  const SlowMotion& slow = panel.state.slow_motion;
  if (slow.playing || slow.paused)
    toggle_play(panel);
  else
    panel.emit(command::RunNow{});
}
void predict(const Panel& panel, TimelinePanel&) { panel.emit(command::SetPredict{!panel.state.settings.predict}); }
void show_palette(const Panel& panel, TimelinePanel&) {
  panel.emit(command::ShowPalette{!panel.state.workspace.palette_open});
}
void show_keys(const Panel& panel, TimelinePanel&) { panel.emit(command::ShowKeys{!panel.state.workspace.keys_open}); }
void show_gallery(const Panel& panel, TimelinePanel&) { panel.emit(command::ShowGallery{true}); }

// Dialogs walk their own fields.
template <int By>
void walk(const Panel& panel, TimelinePanel&) {
  const Workspace& workspace = panel.state.workspace;
  if (!dialog_open(workspace) && !workspace.palette_open && panel.state.files.asks == FileQuestion::none)
    panel.emit(command::Walk{By});
}

template <FileQuestion Which>
void ask_file(const Panel& panel, TimelinePanel&) {
  panel.emit(command::AskFile{Which});
}
void show_export(const Panel& panel, TimelinePanel&) { panel.emit(command::ShowExport{true}); }
void text_as_it_was(const Panel& panel, TimelinePanel&) {
  panel.emit(command::SetTextScale{panel.state.workspace.presenting ? kPresentScale : 1});
}

template <int Direction>
void step_to_event(const Panel& panel, TimelinePanel&) {
  step_playhead(panel, Direction);
}

template <int Steps>
void larger_text(const Panel& panel, TimelinePanel&) {
  panel.emit(command::SetTextScale{text_scale_now(panel.state.workspace) + Steps * kTextStep});
}

constexpr std::string_view kFiles = tr_later("Files"), kTwoRuns = tr_later("Two runs"), kRunning = tr_later("Running"),
                           kMoving = tr_later("Moving about the timeline"), kOperations = tr_later("Operations"),
                           kWhy = tr_later("Why it took so long"), kMeasuring = tr_later("Measuring"),
                           kTracks = tr_later("Tracks"), kSlow = tr_later("Slow motion"),
                           kLessons = tr_later("Lessons"), kLooks = tr_later("Looks and panels");

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
      {kRunning,
       tr_later("Run; while slow motion plays: pause, and go on"),
       tr_later("Space"),
       {key(GLFW_KEY_SPACE)},
       run_or_pause,
       false},
      {kRunning,
       tr_later("Run, also from the editor"),
       tr_later("Ctrl Enter"),
       {control(GLFW_KEY_ENTER), control(GLFW_KEY_KP_ENTER)},
       emit<command::RunNow>,
       false,
       Reach::anywhere},
      {kRunning, tr_later("Live: run again and again"), "L", {letter(U'l')}, emit<command::ToggleLive>},
      {kRunning,
       tr_later("Single shot: live until the trigger holds a run"),
       "N",
       {letter(U'n')},
       emit<command::SingleShot>},
      {kRunning, tr_later("Stop the run and live mode"), "", {}, emit<command::Stop>},
      {kRunning, tr_later("Start the sweep"), "", {}, emit<command::StartSweep>},
      {kRunning, tr_later("Predict: the model's ghost under the bars"), "P", {letter(U'p')}, predict},
      {kRunning, tr_later("Start a new engine"), "", {}, emit<command::RestartEngine>},

      {kRunning,
       tr_later("Undo the last change of settings or text"),
       tr_later("Ctrl Z"),
       {control(GLFW_KEY_Z)},
       emit<command::UndoChange>},
      {kRunning,
       tr_later("Redo what was undone"),
       tr_later("Ctrl Shift Z"),
       {{.key = GLFW_KEY_Z, .control = true, .shift = true}},
       emit<command::RedoChange>},
      {kRunning, tr_later("Set all as the run in view was made with"), "", {}, emit<command::UseRunSettings>},

      {kFiles, tr_later("Gallery: experiments, programs, recent files"), "G", {letter(U'g')}, show_gallery},
      {kFiles,
       tr_later("Open a file: an experiment, a program, a trace"),
       tr_later("Ctrl O"),
       {control(GLFW_KEY_O)},
       ask_file<FileQuestion::open>,
       true,
       Reach::anywhere},
      {kFiles,
       tr_later("Save what is set or typed"),
       tr_later("Ctrl S"),
       {control(GLFW_KEY_S)},
       emit<command::Save>,
       true,
       Reach::anywhere},
      {kFiles,
       tr_later("Save it in another file"),
       tr_later("Ctrl Shift S"),
       {{.key = GLFW_KEY_S, .control = true, .shift = true}},
       ask_file<FileQuestion::save>,
       true,
       Reach::anywhere},

      {kMoving, tr_later("Zoom in"), "W", {letter(U'w')}, zoom_in},
      {kMoving, tr_later("Zoom out"), "S", {letter(U's')}, zoom_out},
      {kMoving, tr_later("Pan left"), "A", {letter(U'a')}, pan_left},
      {kMoving, tr_later("Pan right"), "D", {letter(U'd')}, pan_right},
      {kMoving, tr_later("Frame the selection; again: everything"), "F", {letter(U'f')}, frame_selection},
      {kMoving, tr_later("Show the whole run in the timeline"), tr_later("Home"), {key(GLFW_KEY_HOME)}, see_all},

      {kOperations,
       tr_later("Search: find operations by name, stream or number"),
       tr_later("/   Ctrl F"),
       {letter(U'/'), control(GLFW_KEY_F)},
       emit<command::FocusSearch>},
      {kOperations,
       tr_later("To the operation before on its track"),
       "←",
       {key(GLFW_KEY_LEFT)},
       select_by<previous_on_track>,
       false},
      {kOperations,
       tr_later("To the next operation on its track"),
       "→",
       {key(GLFW_KEY_RIGHT)},
       select_by<next_on_track>,
       false},
      {kOperations,
       tr_later("To an operation on the track above"),
       "↑",
       {key(GLFW_KEY_UP)},
       select_by<on_track_above>,
       false},
      {kOperations,
       tr_later("To an operation on the track below"),
       "↓",
       {key(GLFW_KEY_DOWN)},
       select_by<on_track_below>,
       false},
      {kOperations, tr_later("Previous operation of the program"), ",", {letter(U',')}, select_by<previous_operation>},
      {kOperations, tr_later("Next operation of the program"), ".", {letter(U'.')}, select_by<next_operation>},
      {kOperations, tr_later("To what the selected operation waited for"), "[", {letter(U'[')}, select_by<waited_for>},
      {kOperations, tr_later("To what waited for the selected operation"), "]", {letter(U']')}, select_by<waited_by>},
      {kOperations,
       tr_later("Look inside a kernel of tiles; again: close it"),
       tr_later("Enter   O"),
       {key(GLFW_KEY_ENTER), key(GLFW_KEY_KP_ENTER), letter(U'o')},
       look_inside},

      {kWhy,
       tr_later("The critical path as a line; again: all else pale; again: neither"),
       "Y",
       {letter(U'y')},
       act::path_otherwise},
      {kWhy, tr_later("The bounds as rulers on the timeline"), "U", {letter(U'u')}, act::rulers_otherwise},
      {kWhy,
       tr_later("The arrows of all waits in sight, or of the selection's alone"),
       "E",
       {letter(U'e')},
       act::all_waits_otherwise},
      {kWhy, tr_later("Light what the first cause speaks of"), "I", {letter(U'i')}, act::light_first},
      {kWhy, tr_later("Try the change that would help most"), "", {}, act::try_first},
      {kWhy, tr_later("Take the change that was tried back"), "", {}, emit<command::TakeBack>},

      {kMeasuring, tr_later("Mark the interval measured or selected; again: unmark"), "M", {letter(U'm')}, act::mark},
      {kMeasuring,
       tr_later("Limit statistics to the interval measured or selected"),
       "R",
       {letter(U'r')},
       act::set_range},
      {kMeasuring, tr_later("Statistics of the whole run"), "", {}, whole_run},
      {kMeasuring,
       tr_later("Close or clear the topmost thing, one at a time"),
       tr_later("Esc"),
       {key(GLFW_KEY_ESCAPE)},
       act::clear,
       true,
       Reach::dialogs},

      {kTwoRuns, tr_later("Compare with the run before"), "B", {letter(U'b')}, act::compare_with_before},
      {kTwoRuns, tr_later("Stack or overlay the two runs compared"), "V", {letter(U'v')}, act::arrange_otherwise},
      {kTwoRuns, tr_later("Swap the two runs compared"), "X", {letter(U'x')}, act::swap_runs},
      {kTwoRuns, tr_later("Name the run in view"), "F2", {key(GLFW_KEY_F2)}, act::name_run},
      {kTwoRuns, tr_later("Copy the differences as CSV"), "", {}, emit<command::CopyDifferences>},
      {kTwoRuns, tr_later("Close the comparison"), "", {}, emit<command::CompareWith>},

      {kSlow, tr_later("Play in slow motion, or pause"), "K", {letter(U'k')}, play_or_pause},
      {kSlow,
       tr_later("To the next start or end of an operation"),
       tr_later("Shift →"),
       {{.key = GLFW_KEY_RIGHT, .shift = true}},
       step_to_event<1>},
      {kSlow,
       tr_later("To the start or end of an operation before"),
       tr_later("Shift ←"),
       {{.key = GLFW_KEY_LEFT, .shift = true}},
       step_to_event<-1>},

      {kLessons,
       tr_later("Next step of the lesson; presented, a question is revealed first"),
       tr_later("Page Down"),
       {key(GLFW_KEY_PAGE_DOWN)},
       act::lesson_next,
       true,
       Reach::lesson},
      {kLessons,
       tr_later("Previous step of the lesson"),
       tr_later("Page Up"),
       {key(GLFW_KEY_PAGE_UP)},
       act::lesson_before,
       true,
       Reach::lesson},
      {kLessons,
       tr_later("Reveal the run that a question is about"),
       "H",
       {letter(U'h')},
       act::lesson_reveal,
       true,
       Reach::panels,
       tr_later("In a class, after the show of hands; what was put in is the answer")},

      {kTracks, tr_later("Pin the selection's track; again: unpin"), "T", {letter(U't')}, act::pin_selection},
      {kTracks, tr_later("Unpin all tracks"), "", {}, act::unpin_all},
      {kTracks, tr_later("Fold or unfold the host threads"), "", {}, fold<timeline::TrackKind::host>},
      {kTracks, tr_later("Fold or unfold the streams"), "", {}, fold<timeline::TrackKind::stream>},
      {kTracks, tr_later("Fold or unfold the engines"), "", {}, fold<timeline::TrackKind::engine>},

      {kLooks,
       tr_later("To the controls of the next panel: arrows walk, Space presses, Esc ends"),
       tr_later("Tab"),
       {key(GLFW_KEY_TAB)},
       walk<1>,
       false,
       Reach::dialogs},
      {kLooks,
       tr_later("To those of the panel before"),
       tr_later("Shift Tab"),
       {{.key = GLFW_KEY_TAB, .shift = true}},
       walk<-1>,
       false,
       Reach::dialogs},
      {kLooks,
       tr_later("Find and run any command"),
       tr_later("Ctrl Shift P"),
       {{.key = GLFW_KEY_P, .control = true, .shift = true}},
       show_palette,
       false,
       Reach::anywhere},
      {kLooks, tr_later("Colour by kind or by stream"), "C", {letter(U'c')}, act::colour_otherwise},
      {kLooks,
       tr_later("Larger text"),
       tr_later("Ctrl +"),
       {control(GLFW_KEY_EQUAL), control(GLFW_KEY_KP_ADD), {.key = GLFW_KEY_EQUAL, .control = true, .shift = true}},
       larger_text<1>,
       true,
       Reach::anywhere},
      {kLooks,
       tr_later("Smaller text"),
       tr_later("Ctrl -"),
       {control(GLFW_KEY_MINUS), control(GLFW_KEY_KP_SUBTRACT)},
       larger_text<-1>,
       true,
       Reach::anywhere},
      {kLooks,
       tr_later("Text in its usual size"),
       tr_later("Ctrl 0"),
       {control(GLFW_KEY_0), control(GLFW_KEY_KP_0)},
       text_as_it_was,
       true,
       Reach::anywhere},
      {kLooks,
       tr_later("Present: the timeline large, its explanation over it; again: all panels"),
       "F5",
       {key(GLFW_KEY_F5)},
       act::present_otherwise,
       true,
       Reach::anywhere,
       tr_later("For a lecture, on a projector or a full screen")},
      {kLooks, tr_later("Show or hide the controls"), "1", {letter(U'1')}, toggle<command::Side::controls>},
      {kLooks, tr_later("Show or hide the summary"), "2", {letter(U'2')}, toggle<command::Side::summary>},
      {kLooks, tr_later("Show the program"), "3", {letter(U'3')}, dock<command::Dock::program>},
      {kLooks,
       tr_later("The program as CUDA C++ beside it; again: close it"),
       "0",
       {letter(U'0')},
       act::cuda_otherwise},
      {kLooks, tr_later("Copy the CUDA C++"), "", {}, emit<command::CopyCuda>},
      {kFiles, tr_later("Save the program as CUDA C++"), "", {}, ask_file<FileQuestion::save_cuda>},
      {kLooks, tr_later("Show the table of operations"), "4", {letter(U'4')}, dock<command::Dock::operations>},
      {kLooks,
       tr_later("Show the runs kept, and two of them compared"),
       "5",
       {letter(U'5')},
       dock<command::Dock::compare>},
      {kLooks, tr_later("Slow motion"), "6", {letter(U'6')}, dock<command::Dock::slow_motion>},
      {kLooks, tr_later("Show what was waited for, in all"), "7", {letter(U'7')}, dock<command::Dock::waits>},
      {kLooks,
       tr_later("Sweep: the experiment over the values of its keys"),
       "8",
       {letter(U'8')},
       dock<command::Dock::sweep>},
      {kLooks, tr_later("Show the totals by name"), "9", {letter(U'9')}, dock<command::Dock::totals>},
      {kLooks, tr_later("Export the picture as PNG, as it is seen"), "", {}, emit<command::ExportPng>},
      {kLooks,
       tr_later("Export a picture: PNG, SVG, PDF"),
       tr_later("Ctrl E"),
       {control(GLFW_KEY_E)},
       show_export,
       true,
       Reach::anywhere},
      {kLooks,
       tr_later("Help on what is under the mouse or at the cursor"),
       "F1",
       {key(GLFW_KEY_F1)},
       emit<command::AskHelp>,
       true,
       Reach::anywhere},
      {kLooks, tr_later("Show the list of keys"), "?", {letter(U'?')}, show_keys, true, Reach::dialogs},
      {kLooks,
       tr_later("Close the window"),
       tr_later("Ctrl Q"),
       {control(GLFW_KEY_Q)},
       emit<command::Close>,
       true,
       Reach::anywhere},
  };
  return all;
}

const std::vector<Gesture>& mouse_gestures() {
  static const std::vector<Gesture> all = {
      {kMoving, tr_later("Zoom at the cursor"), tr_later("Wheel")},
      {kMoving, tr_later("Pan the timeline"), tr_later("Right or middle drag, Shift wheel")},
      {kMoving, tr_later("Scroll the tracks"), tr_later("Ctrl wheel, or wheel over the names")},
      {kMoving, tr_later("Move or widen what is seen"), tr_later("Drag in the overview")},
      {kOperations, tr_later("Select the operation"), tr_later("Click")},
      {kOperations, tr_later("What can be done with the operation, the track or the run"), tr_later("Right click")},
      {kOperations, tr_later("Zoom to the operation"), tr_later("Double click")},
      {kOperations, tr_later("Show or hide the stages of a multiprocessor"), tr_later("Click on a multiprocessor")},
      {kMeasuring, tr_later("Measure a time; edges of operations attract"), tr_later("Left drag")},
      {kMeasuring, tr_later("Limit statistics to a range"), tr_later("Ctrl left drag")},
      {kSlow, tr_later("Set the instant of slow motion; double click: none"), tr_later("Click or drag in the axis")},
      {kTracks, tr_later("Fold or unfold a group"), tr_later("Click on a group's heading")},
      {kTracks, tr_later("Pin or unpin a track"), tr_later("Click on the pin beside a name")},
  };
  return all;
}

void act_on(const KeyPress& press, Reach at, const Panel& panel, TimelinePanel& timeline) {
  if (at == Reach::panels && panel.state.lesson.open) at = Reach::lesson;
  for (const Action& action : actions()) {
    if (action.reach < at) continue;
    if (std::any_of(action.chords.begin(), action.chords.end(), [&](const Chord& c) { return meant(c, press); })) {
      action.act(panel, timeline);
      return;
    }
  }
}

}  // namespace streamscope::window

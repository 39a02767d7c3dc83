#include "app/panels/keys.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <limits>

#include "app/panels/steps.h"

namespace streamscope {
namespace {

constexpr double kZoomStep = 1.3;
constexpr double kPanStep = 0.12;

void toggle_text(const Panel& panel, float step) { panel.emit(command::SetTextScale{panel.state.text_scale + step}); }

void on_character(char32_t character, const Panel& panel, TimelinePanel& timeline) {
  const State& state = panel.state;
  const auto select = [&](OperationIndex next) {
    if (next != kNoOperation) panel.emit(command::Select{next});
  };
  switch (character) {
    case U'w':
    case U'W': timeline.zoom(panel, kZoomStep); break;
    case U's':
    case U'S': timeline.zoom(panel, 1 / kZoomStep); break;
    case U'a':
    case U'A': timeline.pan(panel, -kPanStep); break;
    case U'd':
    case U'D': timeline.pan(panel, kPanStep); break;
    case U'f':
    case U'F': timeline.frame_selection(panel); break;
    case U'o':
    case U'O': timeline.toggle_inside(panel); break;
    case U'l':
    case U'L': panel.emit(command::ToggleLive{}); break;
    case U'p':
    case U'P': panel.emit(command::SetPredict{!state.predict}); break;
    case U'c':
    case U'C':
      panel.emit(command::SetColourBy{state.colour_by == ColourBy::kind ? ColourBy::stream : ColourBy::kind});
      break;
    case U'm':
    case U'M':
      if (const std::optional<Span> span = span_of(state, state.selected);
          span && known(span->start) && known(span->end))
        panel.emit(command::Measure{span->start, span->end});
      break;
    case U'.': select(next_operation(state)); break;
    case U',': select(previous_operation(state)); break;
    case U'[': select(waited_for(state)); break;
    case U']': select(waited_by(state)); break;
    case U'1': panel.emit(command::TogglePanel{command::Side::controls}); break;
    case U'2': panel.emit(command::TogglePanel{command::Side::summary}); break;
    case U'3': panel.emit(command::TogglePanel{command::Side::program}); break;
    case U'?': panel.emit(command::ShowKeys{!state.keys_open}); break;
    default: break;
  }
}

}  // namespace

void act_on(const KeyPress& press, bool typing, const Panel& panel, TimelinePanel& timeline) {
  const State& state = panel.state;
  if (press.control && (press.key == GLFW_KEY_ENTER || press.key == GLFW_KEY_KP_ENTER)) {
    panel.emit(command::RunNow{});
    return;
  }
  if (typing) return;
  if (press.character != 0) {
    if (!press.control) on_character(press.character, panel, timeline);
    return;
  }
  const auto select = [&](OperationIndex next) {
    if (next != kNoOperation) panel.emit(command::Select{next});
  };
  if (press.control) {
    switch (press.key) {
      case GLFW_KEY_EQUAL:
      case GLFW_KEY_KP_ADD: toggle_text(panel, 0.25f); break;
      case GLFW_KEY_MINUS:
      case GLFW_KEY_KP_SUBTRACT: toggle_text(panel, -0.25f); break;
      case GLFW_KEY_0:
      case GLFW_KEY_KP_0: panel.emit(command::SetTextScale{1}); break;
      case GLFW_KEY_Q: panel.emit(command::Close{}); break;
      default: break;
    }
    return;
  }
  switch (press.key) {
    case GLFW_KEY_SPACE: panel.emit(command::RunNow{}); break;
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER: timeline.toggle_inside(panel); break;
    case GLFW_KEY_HOME: panel.emit(command::SetView{std::nullopt}); break;
    case GLFW_KEY_LEFT: select(previous_on_track(state)); break;
    case GLFW_KEY_RIGHT: select(next_on_track(state)); break;
    case GLFW_KEY_UP: select(on_track_above(state)); break;
    case GLFW_KEY_DOWN: select(on_track_below(state)); break;
    case GLFW_KEY_ESCAPE:  // one thing at a time
      if (state.keys_open)
        panel.emit(command::ShowKeys{false});
      else if (known(state.measure_begin))
        panel.emit(command::Measure{kAbsent, kAbsent});
      else
        panel.emit(command::Select{kNoOperation});
      break;
    default: break;
  }
}

const std::vector<KeyMeaning>& key_meanings() {
  static const std::vector<KeyMeaning> all = {
      {"", "Running"},
      {"Space", "Run"},
      {"Ctrl Enter", "Run, also from the editor"},
      {"L", "Live: run again and again"},
      {"P", "Predict: the model's ghost under the bars"},
      {"", "Moving about the timeline"},
      {"Wheel", "Zoom at the cursor"},
      {"Right or middle drag, Shift wheel", "Pan"},
      {"Ctrl wheel", "Scroll the tracks"},
      {"W   S", "Zoom in, out"},
      {"A   D", "Pan left, right"},
      {"F", "Frame the selection; again: everything"},
      {"Home", "Everything"},
      {"", "Operations"},
      {"Click", "Select"},
      {"Double click", "Zoom to the operation"},
      {"Enter   O", "Look inside a kernel of tiles; again: close it"},
      {"Click on a multiprocessor", "Show or hide its stages"},
      {"← →", "Along the track"},
      {"↑ ↓", "To the track above, below"},
      {",   .", "Previous, next operation of the program"},
      {"[   ]", "What it waited for, what waited for it"},
      {"", "Measuring"},
      {"Left drag", "Measure; edges attract"},
      {"M", "Measure the selection"},
      {"Esc", "Clear the measurement, then the selection"},
      {"", "Looks"},
      {"C", "Colour by kind or by stream"},
      {"Ctrl +   Ctrl -   Ctrl 0", "Size of text"},
      {"1   2   3", "Show or hide controls, summary, program"},
      {"?", "This list"},
      {"Ctrl Q", "Close the window"},
  };
  return all;
}

}  // namespace streamscope

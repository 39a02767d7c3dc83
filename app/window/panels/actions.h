// Everything that can be done with a key, by name: the keyboard, the list of keys and the command palette all read this
// one table.
#pragma once

#include <string_view>
#include <vector>

#include "app/window/panels/panel.h"

namespace streamscope::window {

class TimelinePanel;

// A letter as it is typed, whatever the keyboard's layout, or a key that types none (GLFW_KEY_...).
struct Chord {
  char32_t character = 0;  // small letters stand for both cases
  int key = 0;
  bool control = false, shift = false;
};

// Where a key acts: in the panels, and there only while a lesson is open; in the panels; in dialogs, too; also where
// text is typed or a drop-down list is open.
enum class Reach : std::uint8_t { lesson, panels, dialogs, anywhere };

struct Action {
  std::string_view group;  // "Moving about the timeline"
  std::string_view title;  // "Zoom in"
  std::string_view keys;   // as a person reads them: "W"; empty: none
  std::vector<Chord> chords;
  void (*act)(const Panel& panel, TimelinePanel& timeline);
  bool palette = true;  // listed there; cursor keys are not
  Reach reach = Reach::panels;
  std::string_view sentence = {};  // what else it is found by in the palette
};
const std::vector<Action>& actions();

// What the mouse does, for the list of keys.
struct Gesture {
  std::string_view group, title, keys;
};
const std::vector<Gesture>& mouse_gestures();

// What the window system reports, gathered between two frames. The keyboard's own layout decides: letters come as the
// characters they type.
struct KeyPress {
  char32_t character = 0;  // typed, or 0
  int key = 0;             // GLFW_KEY_..., or 0
  bool shift = false, control = false;
};

// `at`: what has the keyboard now; only what reaches as far acts.
void act_on(const KeyPress& press, Reach at, const Panel& panel, TimelinePanel& timeline);

}  // namespace streamscope::window

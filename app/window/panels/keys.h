// Keys to actions. The keyboard's own layout decides: letters come as the characters they type.
#pragma once

#include "app/window/panels/actions.h"

namespace streamscope::window {

// What the window system reports, gathered between two frames.
struct KeyPress {
  char32_t character = 0;  // typed, or 0
  int key = 0;             // GLFW_KEY_..., or 0
  bool shift = false, control = false;
};

// `typing`: a text field has the focus; then only few act.
void act_on(const KeyPress& press, bool typing, const Panel& panel, TimelinePanel& timeline);

}  // namespace streamscope::window

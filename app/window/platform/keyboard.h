// The keyboard, event by event: a frame that took long must not swallow a key or change the order of what was typed.
//
// Dear ImGui 1.86 looks at the state of keys once a frame, so that a key pressed and let go between two frames is lost
// for it, and Enter typed between two letters comes after both. So events wait in a queue here, and keys that are more
// than a character (Enter, arrows, anything with Control) get a frame of their own.
#pragma once

#include <deque>

#include "app/window/panels/actions.h"

struct GLFWwindow;

namespace streamscope::window {

class Keyboard {
 public:
  // Takes over the key and character callbacks of the window, after Dear ImGui's backend was installed. One at a time.
  explicit Keyboard(GLFWwindow* window);
  ~Keyboard();
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;

  // Hands this frame's events to Dear ImGui and gives them back for our own keys.
  std::vector<KeyPress> feed();
  bool pending() const { return !events_.empty(); }

 private:
  struct Event {
    int key = 0, scancode = 0, action = 0, mods = 0;
    unsigned character = 0;
  };
  static bool needs_own_frame(const Event& event);

  GLFWwindow* window_;
  std::deque<Event> events_;
};

}  // namespace streamscope::window

// Keys and the mouse's buttons, event by event: a frame that took long must not swallow one or change the order of what
// was typed and clicked.
//
// Dear ImGui 1.86 looks at the state of keys and buttons once a frame, so that a key pressed and let go between two
// frames is lost for it, Enter typed between two letters comes after both, and a click after them takes the field away
// before they are in it. Later versions hold back letters behind a click, not a click behind letters. So events wait in
// a queue here, and buttons and keys that are more than a character (Enter, arrows, anything with Control) get a frame
// of their own.
#pragma once

#include <array>
#include <deque>

#include "app/window/panels/actions.h"

struct GLFWwindow;

namespace streamscope::window {

class InputQueue {
 public:
  // Takes over the window's callbacks for keys, characters and buttons, after Dear ImGui's backend was installed. One
  // at a time. `button_came` is called at once, before the button's event waits.
  InputQueue(GLFWwindow* window, void (*button_came)(int button, int action));
  ~InputQueue();
  InputQueue(const InputQueue&) = delete;
  InputQueue& operator=(const InputQueue&) = delete;

  // Hands this frame's events to Dear ImGui and gives back those of the keyboard, for our own keys. Without `keys` they
  // stay, and whatever comes behind them.
  std::vector<KeyPress> feed(bool keys);
  // After Dear ImGui's backend has begun the frame, which looks at the buttons as they are now.
  void set_buttons();
  bool pending() const { return !events_.empty(); }

 private:
  struct Event {
    int key = 0, scancode = 0, action = 0, mods = 0;
    unsigned character = 0;
    int button = -1;
  };
  static bool needs_own_frame(const Event& event);
  void press(const Event& event);

  GLFWwindow* window_;
  void (*button_came_)(int button, int action);
  std::deque<Event> events_;
  std::array<bool, 3> down_{}, let_go_{};
};

}  // namespace streamscope::window

// Keys and the mouse's buttons, event by event: a frame that took long must not swallow one or change the order of what
// was typed and clicked.
//
// Dear ImGui 1.86 looks at the state of keys and buttons once a frame, so that a key pressed and let go between two
// frames is lost for it, Enter typed between two letters comes after both, and a click after them takes the field away
// before they are in it. Later versions hold back letters behind a click, not a click behind letters. So events wait in
// a queue here, and buttons and keys that are more than a character (Enter, arrows, anything with Control) get a frame
// of their own. A click lands where it was made, wherever the mouse has gone since
// (with 1.86; later versions are told the mouse's way at once, and the click behind it).
#pragma once

#include <imgui.h>

#include <array>
#include <deque>
#include <optional>

#include "app/window/panels/actions.h"

struct GLFWwindow;

namespace streamscope::window {

class InputQueue {
 public:
  // Takes over the window's callbacks for keys, characters and buttons, after Dear ImGui's backend was installed. One
  // at a time. `button_came` is called at once, before the button's event waits, and says where the mouse is then.
  InputQueue(GLFWwindow* window, ImVec2 (*button_came)(int button, int action));
  ~InputQueue();
  InputQueue(const InputQueue&) = delete;
  InputQueue& operator=(const InputQueue&) = delete;

  // Hands this frame's events to Dear ImGui and gives back those of the keyboard, for our own keys. Without `keys` they
  // stay, and whatever comes behind them; so does all in the frame that shows a button as let go.
  std::vector<KeyPress> feed(bool keys);
  // After Dear ImGui's backend has begun the frame, which looks at the mouse as it is now.
  void set_mouse();
  bool pending() const { return !events_.empty() || shows_up_; }

 private:
  struct Event {
    int key = 0, scancode = 0, action = 0, mods = 0;
    unsigned character = 0;
    int button = -1;
    ImVec2 at{};  // the mouse, as the button came
  };
  static bool needs_own_frame(const Event& event);
  void press(const Event& event);

  GLFWwindow* window_;
  ImVec2 (*button_came_)(int button, int action);
  std::deque<Event> events_;
  std::array<bool, 3> down_{}, let_go_{};
  bool shows_up_ = false;     // the next frame shows the button as up that this one still shows as down
  std::optional<ImVec2> at_;  // of the click that this frame is about
};

}  // namespace streamscope::window

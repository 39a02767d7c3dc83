#include "app/window/platform/input_queue.h"

#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>

#include <utility>

namespace streamscope::window {
namespace {

InputQueue* listening = nullptr;  // GLFW's callbacks are plain functions

// Dear ImGui takes it for the end of what is typed in a field of several lines, which would lose the cursor.
bool is_run_key(int key, int mods) {
  return (key == GLFW_KEY_ENTER || key == GLFW_KEY_KP_ENTER) && (mods & GLFW_MOD_CONTROL) != 0;
}

}  // namespace

InputQueue::InputQueue(GLFWwindow* window, ImVec2 (*button_came)(int button, int action))
    : window_(window), button_came_(button_came) {
  listening = this;
  glfwSetKeyCallback(window, [](GLFWwindow*, int key, int scancode, int action, int mods) {
    if (listening != nullptr)
      listening->events_.push_back({.key = key, .scancode = scancode, .action = action, .mods = mods});
  });
  glfwSetCharCallback(window, [](GLFWwindow*, unsigned character) {
    if (listening != nullptr) listening->events_.push_back({.character = character});
  });
  glfwSetMouseButtonCallback(window, [](GLFWwindow*, int button, int action, int mods) {
    if (listening == nullptr) return;
    const ImVec2 at = listening->button_came_(button, action);
    listening->events_.push_back({.action = action, .mods = mods, .button = button, .at = at});
  });
}

InputQueue::~InputQueue() {
  listening = nullptr;
  glfwSetKeyCallback(window_, nullptr);
  glfwSetCharCallback(window_, nullptr);
  glfwSetMouseButtonCallback(window_, nullptr);
}

bool InputQueue::needs_own_frame(const Event& event) {
  if (event.character != 0) return false;
  if (event.button >= 0) return true;
  return event.key >= GLFW_KEY_ESCAPE || (event.mods & (GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER)) != 0;
}

void InputQueue::press(const Event& event) {
  ImGui_ImplGlfw_MouseButtonCallback(window_, event.button, event.action, event.mods);
  at_ = event.at;
  const auto which = static_cast<std::size_t>(event.button);
  if (which >= down_.size()) return;
  down_[which] = event.action != GLFW_RELEASE;
  let_go_[which] = shows_up_ = event.action == GLFW_RELEASE;
}

// Where a drag ends between two frames Dear ImGui 1.86 would miss the way to where it ended. So a button that was let
// go counts as down for one frame more, at its last place.
void InputQueue::set_mouse() {
#if IMGUI_VERSION_NUM < 18700
  for (std::size_t button = 0; button < down_.size(); ++button)
    ImGui::GetIO().MouseDown[button] = std::exchange(let_go_[button], false) || down_[button];
  if (at_) ImGui::GetIO().MousePos = *at_;
#endif
}

std::vector<KeyPress> InputQueue::feed(bool keys) {
  // What is behind it would hide that it is up: another press of it, or a key that acts before it.
  if (std::exchange(shows_up_, false)) return {};
  at_.reset();
  std::vector<KeyPress> presses;
  bool first = true;
  while (!events_.empty()) {
    const Event event = events_.front();
    const bool alone = needs_own_frame(event);
    if ((alone && !first) || (!keys && event.button < 0)) break;
    events_.pop_front();
    first = false;
    if (event.button >= 0) {
      press(event);
    } else if (event.character != 0) {
      ImGui_ImplGlfw_CharCallback(window_, event.character);
      presses.push_back({.character = event.character, .key = 0, .shift = false, .control = false});
    } else {
      if (event.action == GLFW_RELEASE || !is_run_key(event.key, event.mods))
        ImGui_ImplGlfw_KeyCallback(window_, event.key, event.scancode, event.action, event.mods);
      if (event.action != GLFW_RELEASE)
        presses.push_back({.character = 0,
                           .key = event.key,
                           .shift = (event.mods & GLFW_MOD_SHIFT) != 0,
                           .control = (event.mods & GLFW_MOD_CONTROL) != 0});
    }
    if (alone) break;
  }
  return presses;
}

}  // namespace streamscope::window

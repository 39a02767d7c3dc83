#include "app/window/platform/keyboard.h"

#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>

namespace streamscope::window {
namespace {

Keyboard* listening = nullptr;  // GLFW's callbacks are plain functions

// Dear ImGui takes it for the end of what is typed in a field of several lines, which would lose the cursor.
bool is_run_key(int key, int mods) {
  return (key == GLFW_KEY_ENTER || key == GLFW_KEY_KP_ENTER) && (mods & GLFW_MOD_CONTROL) != 0;
}

}  // namespace

Keyboard::Keyboard(GLFWwindow* window) : window_(window) {
  listening = this;
  glfwSetKeyCallback(window, [](GLFWwindow*, int key, int scancode, int action, int mods) {
    if (listening != nullptr) listening->events_.push_back({key, scancode, action, mods, 0});
  });
  glfwSetCharCallback(window, [](GLFWwindow*, unsigned character) {
    if (listening != nullptr) listening->events_.push_back({0, 0, 0, 0, character});
  });
}

Keyboard::~Keyboard() {
  listening = nullptr;
  glfwSetKeyCallback(window_, nullptr);
  glfwSetCharCallback(window_, nullptr);
}

bool Keyboard::needs_own_frame(const Event& event) {
  if (event.character != 0) return false;
  return event.key >= GLFW_KEY_ESCAPE || (event.mods & (GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER)) != 0;
}

std::vector<KeyPress> Keyboard::feed() {
  std::vector<KeyPress> presses;
  bool first = true;
  while (!events_.empty()) {
    const Event event = events_.front();
    const bool alone = needs_own_frame(event);
    if (alone && !first) break;
    events_.pop_front();
    first = false;
    if (event.character != 0) {
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

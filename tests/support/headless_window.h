// The window's frames without a display: Dear ImGui on an OpenGL context of its own, keys and mouse as they are put
// there. Its engine is a process like any other. Files go into folders of the test's own.
#pragma once

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "app/window/effects/files.h"
#include "app/window/main_window.h"
#include "app/window/platform/imgui_compat.h"
#include "app/window/platform/input_queue.h"
#include "tests/support/screen_context.h"

namespace streamscope::testing {

inline constexpr int kHeadlessWidth = 1920, kHeadlessHeight = 1200;

class HeadlessWindow {
 public:
  virtual ~HeadlessWindow() { end(); }

 protected:
  // Why there is none; empty: it is there.
  std::string begin(const std::string& engine_command, int width = kHeadlessWidth, int height = kHeadlessHeight) {
    context_.emplace(width, height);
    if (!context_->why_not().empty()) return context_->why_not();
    std::string name = (std::filesystem::temp_directory_path() / "streamscope-headless-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) return "no folder can be made";
    folder_ = name;
    before_ = std::filesystem::current_path();
    std::filesystem::create_directories(folder_ / "work");
    std::filesystem::current_path(folder_ / "work");
    ::setenv("XDG_CONFIG_HOME", (folder_ / "settings").c_str(), 1);
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
    ImGui::GetIO().DeltaTime = 0.1f;
#if IMGUI_VERSION_NUM < 18700
    ImGui::GetIO().KeyMap[ImGuiKey_Space] = GLFW_KEY_SPACE;  // as its backend for GLFW does: lists are walked with keys
#endif
    ImGui_ImplOpenGL3_Init("#version 330 core");
    window_.emplace(window::default_file(), std::filesystem::path(), window::Remembered(), engine_command, wake_up);
    const auto made = window_->create();
    return made ? std::string() : made.error().message;
  }
  void end() {
    if (window_) {
      window_->destroy();
      window_.reset();
      ImGui_ImplOpenGL3_Shutdown();
      ImGui::DestroyContext();
    }
    if (folder_.empty()) return;
    std::error_code ignored;
    std::filesystem::current_path(before_, ignored);
    std::filesystem::remove_all(std::exchange(folder_, {}), ignored);
  }
  std::filesystem::path folder() const { return folder_ / "work"; }  // the window's working folder
  virtual void drawn_frame(const window::State&) {}

  void frame() {
    window_->advance();
    window_->prepare_fonts(1);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    window_->draw();
    ImGui::Render();
    window_->drawn();
    drawn_frame(window_->state());
  }
  void frames() {
    for (int i = 0; i < 4; ++i) frame();
  }
  template <class Condition>
  bool until(Condition condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(40);
    for (;;) {
      frames();
      if (condition(window_->state())) return true;
      std::unique_lock lock(mutex_);
      if (!woken_.wait_until(lock, std::min(end, std::chrono::steady_clock::now() + std::chrono::milliseconds(100)),
                             [] { return std::exchange(wake_, false); }) &&
          std::chrono::steady_clock::now() >= end)
        return false;
    }
  }
  void press(window::KeyPress key) {
    window_->key(key);
    frames();
  }
  void letter(char32_t character) { press({.character = character}); }
  void point(float x, float y) {
    ImGui::GetIO().MousePos = {x, y};
    frame();
    frame();
  }
  void click_here(int button = 0) {
    ImGui::GetIO().MouseDown[button] = true;
    frame();
    ImGui::GetIO().MouseDown[button] = false;
    frames();
  }
  void type(const char* text) {
    for (const char* at = text; *at != '\0'; ++at) {
      ImGui::GetIO().AddInputCharacter(static_cast<unsigned char>(*at));
      frame();
    }
    frames();
  }

  std::optional<window::MainWindow> window_;

 private:
  static void wake_up() {
    const std::lock_guard lock(mutex_);
    wake_ = true;
    woken_.notify_all();
  }

  inline static std::mutex mutex_;
  inline static std::condition_variable woken_;
  inline static bool wake_ = false;
  std::filesystem::path folder_, before_;
  std::optional<OffscreenContext> context_;
};

}  // namespace streamscope::testing

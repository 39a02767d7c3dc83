// The window: GLFW, OpenGL 3.3 core, Dear ImGui. Returns when it is closed; an error where it cannot be opened.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/base/result.h"
#include "engine/base/stop_flag.h"
#include "engine/lesson/lesson.h"

namespace streamscope::window {

class MainWindow;

// Who watches the window, as a test does; called on its thread.
struct Observer {
  std::function<void(const MainWindow&)> changed;  // its state may have
  std::function<void(const MainWindow&)> drawn;    // a frame is on the screen
};

// How wide or tall the window is at first, of a screen with so much room: all of it up to `filled`, and most of a
// larger one. Pixels.
int first_extent(int screen, int filled);

// file: an experiment, a program, or a trace to look at; empty: the default experiment. engine_command: empty: this
// executable's `engine`. close: asked to stop, from any thread, it closes as by its close button, its engine ended with
// it.
Result<void> open_window(const std::string& file, const std::string& engine_command, const StopFlag& close,
                         const Observer& observer = {});
// On a lesson's folder. device: its id; empty: the one that was set last.
Result<void> open_lesson(const std::filesystem::path& folder, lesson::Language language, const std::string& device,
                         const StopFlag& close, const Observer& observer = {});

}  // namespace streamscope::window

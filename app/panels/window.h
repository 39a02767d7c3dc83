// The window: GLFW, OpenGL 3.3 core, Dear ImGui. Returns the process's exit code when it is closed.
#pragma once

#include <string>

namespace streamscope {

// file: an experiment or a program; empty: the default experiment. engine_command: empty: this executable's `engine`.
int open_window(const std::string& file, const std::string& engine_command);

}  // namespace streamscope

// A place in the window, and the fixed windows of Dear ImGui that panels are.
#pragma once

#include <imgui.h>

#include <optional>

namespace streamscope::window {

// Whether the keyboard walks the controls of panels that begin from now on (Workspace::walk).
void let_walk(bool on);

struct Box {
  float x = 0, y = 0, width = 0, height = 0;
};

// The line of a panel, over its whole width, with the control that the keyboard has come to.
std::optional<Box> focused_line();

// A fixed window without decoration at that place. Ends with ImGui::End().
void begin_panel(const char* name, const Box& place, ImGuiWindowFlags flags = 0);

}  // namespace streamscope::window

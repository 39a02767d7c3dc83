#include "app/window/widgets/box.h"

#include <imgui_internal.h>

namespace streamscope::window {
namespace {
bool walked = false;
}  // namespace

void let_walk(bool on) { walked = on; }

std::optional<Box> focused_line() {
  ImGuiContext& context = *ImGui::GetCurrentContext();
  ImGuiWindow* const window = context.NavWindow;
  if (window == nullptr || context.NavId == 0) return std::nullopt;
  const ImRect at = ImGui::WindowRectRelToAbs(window, window->NavRectRel[context.NavLayer]);
  const ImGuiWindow& panel = *window->RootWindow;
  return Box{panel.Pos.x, at.Min.y, panel.Size.x, at.GetHeight()};
}

void begin_panel(const char* name, const Box& place, ImGuiWindowFlags flags) {
  ImGui::SetNextWindowPos({place.x, place.y});
  ImGui::SetNextWindowSize({place.width, place.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});  // else a low one lies over what is below it
  ImGui::Begin(name, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | (walked ? ImGuiWindowFlags_None : ImGuiWindowFlags_NoNav) |
                   flags);
  ImGui::PopStyleVar(3);
}

}  // namespace streamscope::window

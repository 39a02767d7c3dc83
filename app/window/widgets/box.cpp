#include "app/window/widgets/box.h"

namespace streamscope::window {
namespace {
bool walked = false;
}  // namespace

void let_walk(bool on) { walked = on; }

void begin_panel(const char* name, const Box& place, ImGuiWindowFlags flags) {
  ImGui::SetNextWindowPos({place.x, place.y});
  ImGui::SetNextWindowSize({place.width, place.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::Begin(name, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | (walked ? ImGuiWindowFlags_None : ImGuiWindowFlags_NoNav) |
                   flags);
  ImGui::PopStyleVar(2);
}

}  // namespace streamscope::window

// The list of all keys, over everything else.
#include "app/panels/compat.h"
#include "app/panels/keys.h"
#include "app/panels/widgets.h"

namespace streamscope {

void keys_help(const Panel& panel) {
  constexpr const char* kName = "Keys and mouse";
  if (panel.state.keys_open && !ImGui::IsPopupOpen(kName)) ImGui::OpenPopup(kName);
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({size.x / 2, size.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSizeConstraints({0, 0}, {size.x * 0.95f, size.y * 0.95f});
  if (!ImGui::BeginPopupModal(
          kName, nullptr,
          ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings))
    return;
  panel.probe.widget(
      "keys-help", ImGui::GetWindowPos(),
      {ImGui::GetWindowPos().x + ImGui::GetWindowWidth(), ImGui::GetWindowPos().y + ImGui::GetWindowHeight()});
  float width = 0;
  for (const KeyMeaning& each : key_meanings()) width = std::max(width, ImGui::CalcTextSize(each.keys.data()).x);
  for (const KeyMeaning& each : key_meanings()) {
    if (each.keys.empty()) {
      heading(panel, each.meaning.data());
      continue;
    }
    const float start = ImGui::GetCursorPosX();
    text(each.keys, panel.look.theme.selection);
    ImGui::SameLine(start + width + ImGui::GetStyle().ItemSpacing.x * 2);
    text(each.meaning);
  }
  ImGui::Spacing();
  const bool close = ImGui::Button("Close", {-FLT_MIN, 0});
  panel.probe.item("close-keys");
  if (close) panel.emit(command::ShowKeys{false});
  if (close || !panel.state.keys_open) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace streamscope

#include "app/window/panels/close_question.h"

#include <algorithm>

#include "app/window/widgets/widgets.h"
#include "engine/base/translate.h"

namespace streamscope::window {

void close_question(const Panel& panel) {
  const bool open = panel.state.workspace.asks_close;
  const char* const name = tr("Unsaved program");
  if (open && !ImGui::IsPopupOpen(name)) ImGui::OpenPopup(name);
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({size.x / 2, size.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(ImGui::GetFontSize() * 30, size.x * 0.95f), 0});
  if (!ImGui::BeginPopupModal(name, nullptr, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings)) return;
  wrapped(tr("The stream program was edited and is in no file. Closing the window loses what was typed."));
  ImGui::Spacing();
  const float width = (ImGui::GetContentRegionAvail().x - 2 * ImGui::GetStyle().ItemSpacing.x) / 3;
  if (ImGui::Button(tr("Stay"), {width, 0})) panel.emit(command::StayOpen{});
  ImGui::SameLine();
  if (ImGui::Button(tr("Save"), {width, 0})) {
    panel.emit(command::StayOpen{});
    panel.emit(command::Save{});
  }
  if (ImGui::IsItemHovered()) tooltip(tr("The window stays open: closing it again loses nothing then"));
  ImGui::SameLine();
  if (ImGui::Button(tr("Close and lose it"), {width, 0})) panel.emit(command::Close{.even_unsaved = true});
  if (!open) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace streamscope::window

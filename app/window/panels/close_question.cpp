#include "app/window/panels/close_question.h"

#include <algorithm>

#include "app/window/widgets/widgets.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

const char* what_is_lost(const Editing& editing) {
  if (editing.replaced.empty())
    return tr("The stream program was edited and is in no file. Closing the window loses what was typed.");
  if (!editing.edited)
    return tr(
        "Typed text was put aside as another program took its place, and is in no file. Closing the window loses "
        "it; Save brings it back and asks for a name.");
  return tr(
      "The stream program was edited and is in no file, and neither is typed text that was put aside before it. "
      "Closing the window loses both; Save writes the one in the editor, and closing again asks about the other.");
}

}  // namespace

Commands save_before_close(const Editing& editing) {
  if (editing.edited) return {command::StayOpen{}, command::Save{}};
  return {command::StayOpen{}, command::RestoreTyped{}, command::AskFile{FileQuestion::save}};
}

void close_question(const Panel& panel) {
  const bool open = panel.state.workspace.asks_close;
  const char* const name = tr("Unsaved program");
  if (open && !ImGui::IsPopupOpen(name)) ImGui::OpenPopup(name);
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({size.x / 2, size.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(ImGui::GetFontSize() * 30, size.x * 0.95f), 0});
  if (!ImGui::BeginPopupModal(name, nullptr, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings)) return;
  wrapped(what_is_lost(panel.state.editing));
  ImGui::Spacing();
  const float width = (ImGui::GetContentRegionAvail().x - 2 * ImGui::GetStyle().ItemSpacing.x) / 3;
  if (ImGui::Button(tr("Stay"), {width, 0})) panel.emit(command::StayOpen{});
  ImGui::SameLine();
  if (ImGui::Button(tr("Save"), {width, 0}))
    for (const Command& each : save_before_close(panel.state.editing)) panel.emit(each);
  if (ImGui::IsItemHovered()) tooltip(tr("The window stays open: closing it again loses nothing then"));
  ImGui::SameLine();
  if (ImGui::Button(tr("Close and lose it"), {width, 0})) panel.emit(command::Close{.even_unsaved = true});
  if (!open) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace streamscope::window

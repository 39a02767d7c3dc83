#include "app/window/panels/close_question.h"

#include <algorithm>

#include "app/window/widgets/dialog.h"
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
  ImGui::SetNextWindowSize({std::min(ImGui::GetFontSize() * 30, size.x * 0.95f), 0});
  if (!begin_dialog(name)) return;
  wrapped(what_is_lost(panel.state.editing));
  ImGui::Spacing();
  const float width = (ImGui::GetContentRegionAvail().x - 2 * ImGui::GetStyle().ItemSpacing.x) / 3;
  if (dialog_button(tr("Stay"), width)) panel.emit(command::StayOpen{});
  ImGui::SameLine();
  if (default_button(tr("Save"), width))
    for (const Command& each : save_before_close(panel.state.editing)) panel.emit(each);
  if (ImGui::IsItemHovered()) tooltip(tr("The window stays open: closing it again loses nothing then"));
  ImGui::SameLine();
  if (dialog_button(tr("Close and lose it"), width)) panel.emit(command::Close{.even_unsaved = true});
  if (!open) ImGui::CloseCurrentPopup();
  end_dialog();
}

}  // namespace streamscope::window

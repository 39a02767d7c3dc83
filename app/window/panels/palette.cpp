#include "app/window/panels/palette.h"

#include <imgui.h>
// Dear ImGui before its own extension.
#include <imgui_stdlib.h>

#include <algorithm>
#include <string>

#include "app/window/panels/actions.h"
#include "app/window/panels/palette_choices.h"
#include "app/window/platform/imgui_compat.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

constexpr const char* kPaletteTitle = tr_later("Commands");

// What it must remember while it is open.
struct Typed {
  std::string words;
  int chosen = 0;
  bool was_open = false;
};

void perform(const Panel& panel, TimelinePanel& timeline, const Choice& choice) {
  panel.emit(command::ShowPalette{false});
  for (const Command& each : choice.commands) panel.commands.push_back(each);
  if (choice.action != nullptr) choice.action->act(panel, timeline);
}

}  // namespace

void palette(const Panel& panel, TimelinePanel& timeline) {
  static Typed typed;
  const bool opens = panel.state.workspace.palette_open && !typed.was_open;
  typed.was_open = panel.state.workspace.palette_open;
  if (opens) {
    typed = {};
    typed.was_open = true;
    ImGui::OpenPopup(tr(kPaletteTitle));
  }
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const float em = ImGui::GetFontSize();
  const float width = std::min(em * 38, size.x * 0.9f);
  ImGui::SetNextWindowPos({size.x / 2, size.y * 0.12f}, ImGuiCond_Always, {0.5f, 0});
  ImGui::SetNextWindowSize({width, 0});
  if (!ImGui::BeginPopup(tr(kPaletteTitle), ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings)) {
    if (panel.state.workspace.palette_open && !opens)
      panel.emit(command::ShowPalette{false});  // a click elsewhere closed it
    return;
  }
  if (opens) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-FLT_MIN);
  const bool entered =
      ImGui::InputTextWithHint("##words", tr("what to do"), &typed.words, ImGuiInputTextFlags_EnterReturnsTrue);
  if (ImGui::IsItemEdited()) typed.chosen = 0;
  const std::vector<Choice> found = choices_for(panel.state, typed.words);
  const int count = static_cast<int>(found.size());
  int moved = 0;
  if (key_pressed(ImGuiKey_DownArrow)) moved = 1;
  if (key_pressed(ImGuiKey_UpArrow)) moved = -1;
  typed.chosen = count == 0 ? 0 : (std::clamp(typed.chosen, 0, count - 1) + moved + count) % count;
  const float line = ImGui::GetTextLineHeightWithSpacing();
  ImGui::BeginChild("found", {0, std::min(line * 14, std::max(line, size.y * 0.6f))});
  for (int i = 0; i < count; ++i) {
    const Choice& each = found[static_cast<std::size_t>(i)];
    ImGui::PushID(i);
    if (ImGui::Selectable(each.title.c_str(), i == typed.chosen)) perform(panel, timeline, each);
    if (i == typed.chosen && moved != 0) ImGui::SetScrollHereY();
    if (!each.keys.empty()) {
      ImGui::SameLine();
      right_text(each.keys, panel.look.theme.faint_text);
    }
    ImGui::PopID();
  }
  if (count == 0) text(tr("Nothing is called so."), panel.look.theme.faint_text);
  ImGui::EndChild();
  if (entered && count > 0) perform(panel, timeline, found[static_cast<std::size_t>(typed.chosen)]);
  if (key_pressed(ImGuiKey_Escape)) panel.emit(command::ShowPalette{false});
  if (!panel.state.workspace.palette_open) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace streamscope::window

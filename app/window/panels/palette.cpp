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
struct Line {
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
  static Line at;
  const bool opens = panel.state.workspace.palette_open && !at.was_open;
  at.was_open = panel.state.workspace.palette_open;
  if (opens) {
    at = {};
    at.was_open = true;
    ImGui::OpenPopup(tr(kPaletteTitle));
  }
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const float em = ImGui::GetFontSize();
  const float width = std::min(em * 56, size.x * 0.9f);
  ImGui::SetNextWindowPos({size.x / 2, size.y * 0.12f}, ImGuiCond_Always, {0.5f, 0});
  ImGui::SetNextWindowSize({width, 0});
  if (!ImGui::BeginPopup(tr(kPaletteTitle), ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings)) {
    if (panel.state.workspace.palette_open && !opens)
      panel.emit(command::ShowPalette{false});  // a click elsewhere closed it
    return;
  }
  if (opens) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-FLT_MIN);
  std::string words = panel.state.workspace.palette_words;
  const bool entered = ImGui::InputTextWithHint("##words", tr("what to do, or a word of what is to be seen"), &words,
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  if (words != panel.state.workspace.palette_words) {
    at.chosen = 0;
    panel.emit(command::TypeInPalette{words});
  }
  const std::vector<Choice> found = choices_for(panel.state, words);
  const int count = static_cast<int>(found.size());
  int moved = 0;
  if (key_pressed(ImGuiKey_DownArrow)) moved = 1;
  if (key_pressed(ImGuiKey_UpArrow)) moved = -1;
  at.chosen = count == 0 ? 0 : (std::clamp(at.chosen, 0, count - 1) + moved + count) % count;
  const float line = ImGui::GetTextLineHeightWithSpacing();
  ImGui::BeginChild("found", {0, std::min(line * 14, std::max(line, size.y * 0.6f))});
  for (int i = 0; i < count; ++i) {
    const Choice& each = found[static_cast<std::size_t>(i)];
    ImGui::PushID(i);
    const float keys = each.keys.empty() ? 0 : width_of(each.keys) + em;
    const std::string title = elided(each.title, ImGui::GetContentRegionAvail().x - keys);
    if (ImGui::Selectable(title.c_str(), i == at.chosen)) perform(panel, timeline, each);
    if (i == at.chosen && moved != 0) ImGui::SetScrollHereY();
    const bool hovered = ImGui::IsItemHovered();
    if (hovered && title != each.title) tooltip(each.title);
    if (!each.keys.empty()) {
      ImGui::SameLine();
      right_text(each.keys, panel.look.theme.faint_text);
    }
    if (!each.sentence.empty()) {
      ImGui::SameLine(0, em);
      const std::string shown = elided(each.sentence, ImGui::GetContentRegionAvail().x);
      text(shown, panel.look.theme.faint_text);
      if (hovered && shown != each.sentence) tooltip(each.sentence);
    }
    ImGui::PopID();
  }
  if (count == 0) text(tr("Nothing is called so."), panel.look.theme.faint_text);
  ImGui::EndChild();
  if (entered && count > 0) perform(panel, timeline, found[static_cast<std::size_t>(at.chosen)]);
  if (key_pressed(ImGuiKey_Escape)) panel.emit(command::ShowPalette{false});
  if (!panel.state.workspace.palette_open) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace streamscope::window

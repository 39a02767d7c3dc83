#include "app/window/panels/keys_help.h"

#include <algorithm>
#include <utility>

#include "app/window/panels/actions.h"
#include "app/window/platform/imgui_compat.h"
#include "app/window/widgets/dialog.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/translate.h"

namespace streamscope::window {

void keys_help(const Panel& panel) {
  const char* const name = tr("Keys and mouse");
  if (panel.state.workspace.keys_open && !ImGui::IsPopupOpen(name)) ImGui::OpenPopup(name);
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowSizeConstraints({0, 0}, {size.x * 0.95f, size.y * 0.95f});
  if (!begin_dialog(name, ImGuiWindowFlags_AlwaysAutoResize)) return;
  struct Entry {
    std::string_view keys, meaning;
  };
  // Of each group the keys, then the mouse.
  std::vector<std::pair<std::string_view, std::vector<Entry>>> groups;
  const auto add = [&](std::string_view group, std::string_view keys, std::string_view meaning) {
    if (keys.empty()) return;
    if (groups.empty() || groups.back().first != group) groups.push_back({group, {}});
    groups.back().second.push_back({tr(keys), tr(meaning)});
  };
  for (const Action& each : actions()) add(each.group, each.keys, each.title);
  for (auto& [group, lines] : groups)
    for (const Gesture& each : mouse_gestures())
      if (each.group == group) lines.push_back({tr(each.keys), tr(each.title)});

  float key_width = 0, title_width = 0;
  for (const auto& [group, lines] : groups)
    for (const Entry& each : lines) {
      key_width = std::max(key_width, width_of(each.keys));
      title_width = std::max(title_width, width_of(each.meaning));
    }
  const float gap = ImGui::GetStyle().ItemSpacing.x * 2, room = size.x * 0.95f - 2 * ImGui::GetStyle().WindowPadding.x;
  const float bar = ImGui::GetStyle().ScrollbarSize, wanted = key_width + title_width + 2 * gap;
  const int columns = room > 2 * wanted + bar ? 2 : 1;
  const float column = std::min(wanted, room / static_cast<float>(columns) - bar);
  key_width = std::min(key_width, column * 0.4f);  // both wrap where text is large for the window
  const float most = size.y * 0.95f - 4 * ImGui::GetFrameHeight();
  std::size_t all_lines = 0;
  for (const auto& each : groups) all_lines += each.second.size() + 2;
  const float tall =
      ImGui::GetTextLineHeightWithSpacing() *
      static_cast<float>((all_lines + static_cast<std::size_t>(columns) - 1) / static_cast<std::size_t>(columns) + 4);
  ImGui::BeginChild("keys", {static_cast<float>(columns) * column + bar, std::min(most, tall)});
  const float step = 3 * ImGui::GetTextLineHeight();
  ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + step * static_cast<float>(key_pressed(ImGuiKey_DownArrow)) -
                                   step * static_cast<float>(key_pressed(ImGuiKey_UpArrow)),
                               0.0f, ImGui::GetScrollMaxY()));
  const float left = ImGui::GetCursorPosX(), top = ImGui::GetCursorPosY();
  std::size_t done = 0;
  float x = left;
  for (const auto& [group, lines] : groups) {
    if (columns == 2 && x == left && done * 2 >= all_lines) {
      x = left + column;
      ImGui::SetCursorPosY(top);
    }
    ImGui::SetCursorPosX(x);
    ImGui::BeginGroup();  // else its lines begin at the left edge
    heading(panel.look, tr(group).data());
    ImGui::EndGroup();
    for (const Entry& each : lines) {
      const float y = ImGui::GetCursorPosY();
      ImGui::SetCursorPosX(x);
      ImGui::PushTextWrapPos(x + key_width);
      text(each.keys, panel.look.theme.selection);
      ImGui::PopTextWrapPos();
      const float next = ImGui::GetCursorPosY();
      ImGui::SetCursorPos({x + key_width + gap, y});
      ImGui::PushTextWrapPos(x + column);
      text(each.meaning);
      ImGui::PopTextWrapPos();
      ImGui::SetCursorPosY(std::max(next, ImGui::GetCursorPosY()));
    }
    done += lines.size() + 2;
  }
  ImGui::EndChild();
  ImGui::Spacing();
  const bool close = default_button(tr("Close"), -FLT_MIN);
  if (close) panel.emit(command::ShowKeys{false});
  if (close || !panel.state.workspace.keys_open) ImGui::CloseCurrentPopup();
  end_dialog();
}

}  // namespace streamscope::window

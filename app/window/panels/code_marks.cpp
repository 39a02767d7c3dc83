#include "app/window/panels/code_marks.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/window/widgets/widgets.h"

namespace streamscope::window {

std::vector<CodeView::Piece> coloured(const CodeWords& words, const timeline::Theme& theme) {
  std::vector<CodeView::Piece> out;
  out.reserve(words.size());
  for (const CodeWord& each : words) out.push_back({each.text, colour_of(each, theme)});
  return out;
}

void code_block(const Look& look, std::string_view lines,
                const std::function<timeline::Colour(std::string_view line)>& ink) {
  const float inset = std::round(6 * look.scale);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float right = from.x + ImGui::GetContentRegionAvail().x;
  list.ChannelsSplit(2);
  list.ChannelsSetCurrent(1);
  ImGui::SetCursorScreenPos({from.x + inset, from.y + inset / 2});
  ImGui::BeginGroup();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    const std::string_view line = lines.substr(at, end - at);
    wrapped(line.empty() ? " " : line, ink(line), &look.fonts.mono);
    at = end + 1;
  }
  ImGui::PopStyleVar();
  ImGui::EndGroup();
  const float bottom = ImGui::GetItemRectMax().y + inset / 2;
  list.ChannelsSetCurrent(0);
  list.AddRectFilled(from, {right, bottom}, packed(mixed(look.theme.panel, look.theme.text, 0.06f)), 3 * look.scale);
  list.ChannelsMerge();
  ImGui::SetCursorScreenPos({from.x, bottom + inset / 2});
  ImGui::Dummy({1, 1});
}

void mark_lines(const Panel& panel, const CodeView::Lines& lines,
                const std::function<std::uint32_t(std::uint32_t)>& of_program) {
  const timeline::Theme& theme = panel.look.theme;
  const float thick = 3 * panel.look.scale;
  const std::uint32_t selected = selected_line(panel.state);
  const std::uint32_t looked_at = panel.state.workspace.cuda_open ? panel.state.cuda.looked_at : 0;
  for (std::uint32_t line = lines.first; line <= lines.last; ++line) {
    const std::uint32_t from = of_program(line);
    if (from == 0 || (from != selected && from != looked_at)) continue;
    lines.band(line, from == selected ? lit_ground(theme) : cursor_ground(theme));
    lines.bar(line, from == selected ? theme.selection : theme.faint_text, thick);
  }
}

std::uint32_t ChosenLine::newly(const State& state) {
  const std::uint32_t selected = selected_line(state), looked_at = state.cuda.looked_at;
  const bool other_selected = std::exchange(selected_, selected) != selected;
  const bool other_looked_at = std::exchange(looked_at_, looked_at) != looked_at;
  return other_looked_at && looked_at != 0 ? looked_at : other_selected ? selected : 0;
}

}  // namespace streamscope::window

#include "app/panels/timeline_tooltip.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/panels/compat.h"
#include "app/panels/describe.h"
#include "app/panels/describe_inside.h"
#include "app/panels/widgets.h"

namespace streamscope {
namespace {

void tooltip_rows(const Panel& panel, const std::vector<Fact>& rows) {
  float label_width = 0;
  for (const Fact& each : rows) label_width = std::max(label_width, ImGui::CalcTextSize(each.label.c_str()).x);
  label_width += ImGui::GetStyle().ItemSpacing.x * 1.5f;
  for (const Fact& each : rows) {
    if (each.label.empty()) {
      ImGui::PushTextWrapPos(ImGui::GetFontSize() * 26);
      text(each.value, panel.look.theme.strong_text);
      ImGui::PopTextWrapPos();
      continue;
    }
    const float start = ImGui::GetCursorPosX();
    text(each.label, panel.look.theme.faint_text);
    ImGui::SameLine(start + label_width);
    if (each.aside) push_font(panel.look.fonts.mono);
    text(each.value, each.doubtful ? panel.look.theme.warning : panel.look.theme.text);
    if (each.aside) ImGui::PopFont();
  }
}

}  // namespace

void operation_tooltip(const Panel& panel, const Run& run, const Span& span, const Hit& hit) {
  ImGui::BeginTooltip();
  push_font(panel.look.fonts.strong);
  text(operation_title(run.trace, span), panel.look.theme.strong_text);
  ImGui::PopFont();
  if (hit.how_many > 1)
    text(fmt::format("the longest of {} operations that are drawn as one here", hit.how_many),
         panel.look.theme.faint_text);
  if (hit.waiting) text("here it was ready and waited", panel.look.theme.faint_text);
  if (hit.ghost) text("here the model had it", panel.look.theme.faint_text);
  std::vector<Fact> rows = facts(run, span);
  if (!ghost_of(panel.state).empty())
    for (Fact& each : predicted_facts(run, panel.state.shown->comparison, span)) rows.push_back(std::move(each));
  tooltip_rows(panel, rows);
  ImGui::EndTooltip();
}

void piece_tooltip(const Panel& panel, const Trace& trace, const StagePiece& piece, std::uint32_t how_many) {
  ImGui::BeginTooltip();
  push_font(panel.look.fonts.strong);
  text(piece_title(trace, piece), panel.look.theme.strong_text);
  ImGui::PopFont();
  if (how_many > 1)
    text(fmt::format("the longest of {} pieces that are drawn as one here", how_many), panel.look.theme.faint_text);
  tooltip_rows(panel, piece_rows(trace, piece));
  ImGui::EndTooltip();
}

}  // namespace streamscope

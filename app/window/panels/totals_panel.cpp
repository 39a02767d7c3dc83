#include "app/window/panels/totals_panel.h"

#include <fmt/format.h>

#include <cmath>

#include "app/reading/name_totals.h"
#include "app/reading/operation_facts.h"
#include "app/window/platform/imgui_compat.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/counts.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

struct TotalColumn {
  const char* heading;
  const char* meaning;
  const char* usual;  // as wide as what it usually holds
};
constexpr TotalColumn kTotalColumns[] = {
    {tr_later("Calls"), tr_later("How many have this name."), "88,888,888"},
    {tr_later("Sum"), tr_later("The time of all, added up: of several at once each one's counts."), "888.88 us"},
    {tr_later("Mean"), tr_later("The sum by the number."), "888.88 us"},
    {tr_later("Share"), tr_later("Of the sum over all names of the device, or of the host."), "100.0 %"}};

// A click searches for the name, which shows where it comes.
void total_row(const Panel& panel, const reading::NameTotal& total, int id) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const ImVec2 at = ImGui::GetCursorPos();
  ImGui::PushID(id);
  const std::string words = fmt::format("\"{}\"", total.name);
  const bool searched = panel.state.readings.search == words;
  if (ImGui::Selectable("##row", searched, ImGuiSelectableFlags_SpanAllColumns))
    panel.emit(command::Search{searched ? std::string() : words});
  if (ImGui::IsItemHovered()) tooltip(tr("{}: a click searches for it.", total.name));
  ImGui::PopID();
  ImGui::SetCursorPos(at);
  text(elided(total.name, ImGui::GetContentRegionAvail().x));
  ImGui::TableNextColumn();
  right_text(with_commas(total.count));
  ImGui::TableNextColumn();
  right_text(display_duration(total.sum), panel.look.theme.strong_text);
  ImGui::TableNextColumn();
  right_text(display_duration(total.mean()));
  ImGui::TableNextColumn();
  right_text(fmt::format("{:.1f} %", total.share * 100));
}

void total_table(const Panel& panel, const char* id, const char* side, const std::vector<reading::NameTotal>& totals) {
  if (totals.empty()) return;
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_BordersInnerV | ImGuiTableFlags_NoSavedSettings;
  if (!ImGui::BeginTable(id, 1 + static_cast<int>(std::size(kTotalColumns)), kFlags)) return;
  ImGui::TableSetupColumn(side, ImGuiTableColumnFlags_WidthStretch);
  for (const TotalColumn& each : kTotalColumns)
    ImGui::TableSetupColumn(tr(each.heading), ImGuiTableColumnFlags_WidthFixed,
                            std::ceil(std::max(width_of(each.usual), width_of(tr(each.heading)))));
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  ImGui::TableNextColumn();
  text(side, panel.look.theme.faint_text);
  for (const TotalColumn& each : kTotalColumns) {
    ImGui::TableNextColumn();
    right_text(tr(each.heading), panel.look.theme.faint_text);
    if (ImGui::IsItemHovered()) tooltip(tr(each.meaning));
  }
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(totals.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
      total_row(panel, totals[static_cast<std::size_t>(i)], i);
  ImGui::EndTable();
}

}  // namespace

void totals_panel(const Panel& panel, const Box& place) {
  const State& state = panel.state;
  begin_panel("Totals", place);
  if (!state.runs.shown) {
    text(tr("No run yet: its operations by name are shown here."), panel.look.theme.faint_text);
    ImGui::End();
    return;
  }
  push_font(panel.look.fonts.small);
  const reading::NameTotals& totals = state.runs.shown->totals;
  begin_walked_child("both", {0, 0});  // which scrolls, so that neither table does for itself
  total_table(panel, "device", tr("On the device"), totals.device);
  if (!totals.device.empty()) ImGui::Spacing();
  total_table(panel, "host", tr("On the host"), totals.host);
  ImGui::EndChild();
  ImGui::PopFont();
  ImGui::End();
}

}  // namespace streamscope::window

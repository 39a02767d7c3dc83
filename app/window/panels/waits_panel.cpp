#include "app/window/panels/waits_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/timeline/span_text.h"
#include "app/window/panels/gestures.h"
#include "app/window/panels/help_answer.h"
#include "app/window/platform/imgui_compat.h"
#include "app/window/state/run_verdicts.h"
#include "app/window/state/verdict_words.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

// Behind the name that the table of operations and the search have for it.
const char* meaning_of(trace::WaitReason reason) {
  switch (reason) {
    case trace::WaitReason::stream: return tr("the one before it in its stream");
    case trace::WaitReason::legacy: return tr("other streams, by the default stream's rules");
    case trace::WaitReason::event: return tr("an event of another stream");
    case trace::WaitReason::engine: return tr("its engine, which was busy");
    case trace::WaitReason::host: return tr("the host waited for the device");
    case trace::WaitReason::gate: return tr("the gate: everything is queued first");
    case trace::WaitReason::graph: return tr("a node before it in its graph");
    case trace::WaitReason::queue: return tr("another stream in a shared hardware queue");
    case trace::WaitReason::none:
    case trace::WaitReason::unknown: break;
  }
  return tr("it is not known for what");
}

struct WaitColumn {
  const char* heading;
  const char* meaning;
  const char* usual;  // as wide as what it usually holds
  bool number = false;
};
constexpr std::array kWaitColumns{
    WaitColumn{tr_later("Waited for"), tr_later("What kept operations from starting, moment by moment."),
               "other-direction"},
    WaitColumn{tr_later("Time"),
               tr_later("In all, added up over the operations: of several that wait at once each one's counts."),
               "888.88 us", true},
    WaitColumn{tr_later("Operations"), tr_later("How many waited for it."), "888888", true},
    WaitColumn{tr_later("Longest"), tr_later("The longest of these waits."), "888.88 us", true},
    WaitColumn{tr_later("Of"), tr_later("The operation that waited longest."), ""},
    WaitColumn{tr_later("Which is"), "", ""}};

// `named`: the widest of the operations named, which are few; what is left goes to the last column.
std::array<float, kWaitColumns.size()> widths(float named, float meanings) {
  std::array<float, kWaitColumns.size()> out{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    const WaitColumn& each = kWaitColumns[i];
    const float usual = each.usual[0] != '\0' ? width_of(each.usual) : &each == &kWaitColumns.back() ? meanings : named;
    out[i] = std::ceil(std::max(usual, width_of(tr(each.heading))));
  }
  return out;
}

void wait_headings(const Panel& panel, const std::array<float, kWaitColumns.size()>& widths) {
  for (std::size_t i = 0; i < widths.size(); ++i)
    if (i + 1 == widths.size())
      ImGui::TableSetupColumn(tr(kWaitColumns[i].heading), ImGuiTableColumnFlags_WidthStretch);
    else
      ImGui::TableSetupColumn(tr(kWaitColumns[i].heading), ImGuiTableColumnFlags_WidthFixed, widths[i]);
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (const WaitColumn& each : kWaitColumns) {
    ImGui::TableNextColumn();
    // Headings stand where their columns' values stand.
    if (each.number)
      right_text(tr(each.heading), panel.look.theme.faint_text);
    else
      text(tr(each.heading), panel.look.theme.faint_text);
    if (each.meaning[0] != '\0' && ImGui::IsItemHovered()) tooltip(tr(each.meaning));
  }
}

// What was waited for, as the panel shows it.
struct WaitRow {
  std::string reason;   // as files, the search and the help have it
  std::string meaning;  // in words
  Nanoseconds time = 0, inferred = 0;
  std::uint32_t operations = 0;
  OperationIndex longest = kNoOperation;
  Nanoseconds longest_time = 0;
};

void wait_row(const Panel& panel, const trace::Trace& trace, const WaitRow& row, float height, int plot_width) {
  const std::optional<trace::Span> longest = trace::find_span(trace, row.longest);
  const std::string where = longest ? timeline::placed_text(trace, *longest) : std::string();
  ImGui::TableNextRow(0, height);
  ImGui::TableNextColumn();
  const ImVec2 at = ImGui::GetCursorPos();
  ImGui::PushID(row.reason.c_str());
  if (ImGui::Selectable("##row", row.longest == panel.state.timeline.selected,
                        ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick)) {
    panel.emit(command::Select{row.longest});
    if (longest && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
      if (const auto view = view_of(*longest, plot_width)) panel.emit(command::SetView{*view});
  }
  ImGui::PopID();
  help_here(panel, row.reason, help::Kind::wait_reason);
  if (ImGui::IsItemHovered()) {
    std::string words =
        tr("{}: {}. A click selects the operation that waited longest: {}.", row.reason, row.meaning, where);
    if (row.inferred > 0)
      words += "\n" + tr("Of its time {} is inferred: nothing else is known that held them then.",
                         display_duration(row.inferred));
    tooltip(words);
  }
  ImGui::SetCursorPos(at);
  text(row.reason);
  ImGui::TableNextColumn();
  right_text(display_duration(row.time), panel.look.theme.strong_text);
  ImGui::TableNextColumn();
  right_text(fmt::format("{}", row.operations));
  ImGui::TableNextColumn();
  right_text(display_duration(row.longest_time));
  ImGui::TableNextColumn();
  text(elided(where, ImGui::GetContentRegionAvail().x));
  ImGui::TableNextColumn();
  text(elided(row.meaning, ImGui::GetContentRegionAvail().x), panel.look.theme.faint_text);
}

void wait_table(const Panel& panel, const trace::Trace& trace, const std::vector<WaitRow>& rows, int plot_width) {
  push_font(panel.look.fonts.small);
  const float scale = panel.look.scale;
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {std::round(7 * scale), std::round(2 * scale)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 2 * std::round(2 * scale)});  // rows touch and do not overlap
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY | ImGuiTableFlags_BordersInnerV |
                                     ImGuiTableFlags_NoSavedSettings;
  float named = 0, meanings = 0;
  for (const WaitRow& each : rows) {
    meanings = std::max(meanings, width_of(each.meaning));
    if (const std::optional<trace::Span> span = trace::find_span(trace, each.longest))
      named = std::max(named, width_of(timeline::placed_text(trace, *span)));
  }
  const auto columns = widths(named, meanings);
  // Where there is less room the table scrolls, and nothing in it is cut.
  float all = ImGui::GetStyle().ScrollbarSize;
  for (const float each : columns) all += each + 2 * ImGui::GetStyle().CellPadding.x + 1;
  if (ImGui::BeginTable("waits", static_cast<int>(kWaitColumns.size()), kFlags, {0, 0},
                        std::max(all, ImGui::GetContentRegionAvail().x))) {
    const float height = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y;
    wait_headings(panel, columns);
    for (const WaitRow& each : rows) wait_row(panel, trace, each, height, plot_width);
    ImGui::EndTable();
  }
  ImGui::PopStyleVar(2);
  ImGui::PopFont();
}

// What the verdict charges the waits of device work to, or where there is none (yet) what the trace says; of the host's
// waits always that. Nothing while a range is being read.
std::optional<std::vector<WaitRow>> rows_in_view(const State& state) {
  const RangeReading* const range = state.timeline.range ? range_in_view(state) : nullptr;
  if (state.timeline.range && range == nullptr) return std::nullopt;
  const auto verdict = range != nullptr ? range->verdict : verdict_in_view(state);
  const bool judged = has_entries(verdict.get());
  std::vector<WaitRow> rows;
  if (judged)
    for (const WaitTotal& each : range != nullptr ? range->waits : verdict->waits)
      rows.push_back({std::string(name_of(each.cause)), in_words(each.cause), each.time, each.inferred, each.operations,
                      each.longest, each.longest_time});
  for (const analysis::WaitSum& each : range != nullptr ? range->analysis.waits : state.runs.shown->analysis.waits)
    if (!judged || each.reason == trace::WaitReason::host)
      rows.push_back({std::string(trace::name(each.reason)), meaning_of(each.reason), each.time, 0, each.operations,
                      each.longest, each.longest_time});
  std::ranges::stable_sort(rows, std::greater{}, &WaitRow::time);
  return rows;
}

}  // namespace

void waits_panel(const Panel& panel, const Box& place, int plot_width) {
  const State& state = panel.state;
  const timeline::Colour quiet = panel.look.theme.faint_text;
  begin_panel("Waits", place);
  if (!state.runs.shown) {
    text(tr("No run yet: what its operations waited for is shown here."), quiet);
  } else if (const auto rows = rows_in_view(state); !rows) {
    text(tr("counting…"), quiet);
  } else if (rows->empty()) {
    text(state.timeline.range ? tr("No operation waited in the range.") : tr("No operation waited."), quiet);
  } else {
    wait_table(panel, state.runs.shown->run->trace, *rows, plot_width);
  }
  ImGui::End();
}

}  // namespace streamscope::window

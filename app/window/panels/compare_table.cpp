#include "app/window/panels/compare_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/reading/operation_facts.h"
#include "app/timeline/span_text.h"
#include "app/window/panels/timeline_panel.h"
#include "app/window/state/compared_runs.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::window {
namespace {

// They differ in shape and sign, too; the two hues can be distinguished with any sort of colour blindness.
constexpr timeline::Colour kLonger{0xD5, 0x5E, 0x00}, kShorter{0x56, 0xB4, 0xE9};

void arrow(const Panel& panel, bool longer) {
  const float line = ImGui::GetTextLineHeight(), half = line * 0.22f;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float x = at.x + half + 1, y = at.y + line * 0.52f, way = longer ? -half : half;
  ImGui::GetWindowDrawList()->AddTriangleFilled(
      {x - half, y - way}, {x + half, y - way}, {x, y + way},
      packed(longer ? kLonger : mixed(kShorter, panel.look.theme.text, 0.1f)));
}

void time_change(const Panel& panel, Nanoseconds by, bool marked, bool within, Nanoseconds noise) {
  const timeline::Theme& theme = panel.look.theme;
  if (!known(by)) {
    right_text("–", theme.faint_text);
    return;
  }
  if (marked && by != 0 && !within) arrow(panel, by > 0);
  const std::string words = by == 0 ? "0" : fmt::format("{}{}", within ? "≈ " : "", reading::signed_duration(by));
  right_text(words, by == 0 || within ? theme.faint_text : theme.text);
  if (within && ImGui::IsItemHovered())
    tooltip(tr("Within the uncertainty of both runs: {}.", analysis::noise_text(noise)));
}

enum class Shows : std::uint8_t { line, operation, stream, first, second, change, ratio, start, end, waiting };
struct DifferenceColumn {
  Shows what;
  std::string label;
  float share;  // of the width that the line leaves
  std::optional<analysis::WorstBy> by;
};

// As many as there is room for.
std::vector<DifferenceColumn> columns_for(const ShownPair& pair, float room) {
  std::vector<DifferenceColumn> out = {{Shows::line, tr("Line"), 0, analysis::WorstBy::program},
                                       {Shows::operation, tr("Operation"), 1.1f, {}}};
  if (room > 500) out.push_back({Shows::stream, tr("Stream"), 0.75f, {}});
  out.push_back({Shows::first, tr("Run {}", pair.first->number), 0.95f, {}});
  out.push_back({Shows::second, tr("Run {}", pair.second->number), 0.95f, {}});
  out.push_back({Shows::change, tr("Change"), 1.2f, analysis::WorstBy::length});
  if (room > 580) out.push_back({Shows::ratio, tr("Ratio"), 0.8f, analysis::WorstBy::ratio});
  out.push_back({Shows::start, tr("Start"), 1.1f, analysis::WorstBy::start});
  if (room > 760) out.push_back({Shows::end, tr("End"), 1.1f, analysis::WorstBy::end});
  if (room > 760) out.push_back({Shows::waiting, tr("Waiting"), 1.1f, analysis::WorstBy::waiting});
  return out;
}

void header(const Panel& panel, const std::vector<DifferenceColumn>& columns) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const DifferenceColumn& each = columns[i];
    const bool line = each.what == Shows::line;  // never longer than its heading
    ImGuiTableColumnFlags flags = line ? ImGuiTableColumnFlags_WidthFixed : ImGuiTableColumnFlags_WidthStretch;
    if (!each.by)
      flags |= ImGuiTableColumnFlags_NoSort;
    else if (each.by == analysis::WorstBy::program)
      flags |= ImGuiTableColumnFlags_NoSortDescending;
    else
      flags |= ImGuiTableColumnFlags_NoSortAscending | ImGuiTableColumnFlags_PreferSortDescending;
    if (each.by == analysis::WorstBy::length) flags |= ImGuiTableColumnFlags_DefaultSort;
    const float sign = ImGui::GetFontSize() * 0.65f + ImGui::GetStyle().FramePadding.x;  // of the column that sorts
    ImGui::TableSetupColumn(each.label.c_str(), flags, line ? std::ceil(width_of(each.label) + sign) : each.share,
                            static_cast<ImGuiID>(i));
  }
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    ImGui::TableSetColumnIndex(static_cast<int>(i));
    ImGui::TableHeader(columns[i].label.c_str());
    if (columns[i].by && ImGui::IsItemHovered())
      tooltip(columns[i].by == analysis::WorstBy::program ? tr("In the program's order")
                                                          : tr("The largest change first"));
  }
  if (ImGuiTableSortSpecs* wanted = ImGui::TableGetSortSpecs(); wanted != nullptr && wanted->SpecsDirty) {
    wanted->SpecsDirty = false;
    const std::size_t at = wanted->SpecsCount > 0 ? wanted->Specs->ColumnUserID : columns.size();
    if (at < columns.size() && columns[at].by && *columns[at].by != panel.state.comparison.worst_by)
      panel.emit(command::SortDifferences{*columns[at].by});
  }
}

// What is too long for its column ends with an ellipsis, and is whole in its tooltip.
void cut_cell(std::string_view words) {
  const std::string shown = elided(words, ImGui::GetContentRegionAvail().x);
  text(shown);
  if (shown != words && ImGui::IsItemHovered()) tooltip(words);
}

}  // namespace

void CompareTable::draw(const Panel& panel, TimelinePanel& timeline) {
  const State& state = panel.state;
  const ShownPair& pair = *pair_in_view(state);
  const trace::Trace &first = pair.first->run->trace, &second = pair.second->run->trace;
  const std::vector<DifferenceColumn> columns = columns_for(pair, ImGui::GetContentRegionAvail().x / panel.look.scale);
  const int count = static_cast<int>(columns.size());
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {4 * panel.look.scale, 2 * panel.look.scale});
  const float tall = ImGui::GetTextLineHeight() + 4 * panel.look.scale;
  // In a low panel the totals leave no room: then the table stands below them, and the panel scrolls.
  const float height = std::max(ImGui::GetContentRegionAvail().y, 6 * tall);
  if (!ImGui::BeginTable(fmt::format("differences {}", count).c_str(), count,
                         ImGuiTableFlags_Sortable | ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                             ImGuiTableFlags_BordersInnerV | ImGuiTableFlags_Resizable |
                             ImGuiTableFlags_NoSavedSettings,
                         {0, height})) {
    ImGui::PopStyleVar();
    return;
  }
  header(panel, columns);
  if (std::exchange(scrolled_, pair.paired) != pair.paired) ImGui::SetScrollY(0);  // the worst of other runs
  // A selection that was made elsewhere comes into sight.
  if (state.timeline.selected != followed_) {
    followed_ = state.timeline.selected;
    if (const auto index = trace::find_index(first, state.timeline.selected)) {
      const auto at = std::find(pair.order.begin(), pair.order.end(), static_cast<std::uint32_t>(*index));
      const float y = static_cast<float>(at - pair.order.begin()) * tall;
      const float from = ImGui::GetScrollY(), room = ImGui::GetWindowHeight() - 2 * tall;
      if (at != pair.order.end() && (y < from || y > from + room)) ImGui::SetScrollY(std::max(0.0f, y - room / 2));
    }
  }
  const Nanoseconds offset = offset_of(state);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(std::min<std::size_t>(pair.order.size(), 100'000'000)), tall);
  while (clipper.Step()) {
    for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) {
      const std::uint32_t index = pair.order[static_cast<std::size_t>(row)];
      const trace::Span a = trace::span_at(first, index), b = trace::span_at(second, pair.paired->of_first[index]);
      const analysis::PairDifference by = analysis::difference(first, a, second, b, offset);
      ImGui::TableNextRow(0, tall);
      ImGui::PushID(row);
      for (const DifferenceColumn& each : columns) {
        ImGui::TableNextColumn();
        switch (each.what) {
          case Shows::line: {
            const std::string line = a.line != 0 ? std::to_string(a.line) : "–";
            if (ImGui::Selectable(line.c_str(), a.operation == state.timeline.selected,
                                  ImGuiSelectableFlags_SpanAllColumns)) {
              followed_ = a.operation;
              panel.emit(command::Select{a.operation});
              timeline.frame(panel, a, b);
            }
            if (ImGui::IsItemHovered())
              tooltip(tr("Operation {} of run {}, {} of run {}", a.operation, pair.first->number, b.operation,
                         pair.second->number));
            break;
          }
          case Shows::operation: cut_cell(timeline::span_name(first, a)); break;
          case Shows::stream: cut_cell(a.stream < first.streams.size() ? first.streams[a.stream].name : "–"); break;
          case Shows::first: right_text(display_duration(analysis::length(a))); break;
          case Shows::second: right_text(display_duration(analysis::length(b))); break;
          case Shows::change: time_change(panel, by.length, true, by.within_noise(), by.noise); break;
          case Shows::ratio:
            right_text(by.ratio ? fmt::format("× {:.3f}{}", *by.ratio, by.per_byte ? tr(" per byte") : "") : "–",
                       by.within_noise() ? panel.look.theme.faint_text : panel.look.theme.text);
            if (by.per_byte && ImGui::IsItemHovered())
              tooltip(tr("{} in run {}, {} in run {}: the difference is that for as many bytes as run {} has.",
                         display_bytes(a.bytes), pair.first->number, display_bytes(b.bytes), pair.second->number,
                         pair.first->number));
            break;
          case Shows::start: time_change(panel, by.by.start, false, false, 0); break;
          case Shows::end: time_change(panel, by.by.end, false, false, 0); break;
          case Shows::waiting: time_change(panel, by.by.waiting, false, false, 0); break;
        }
      }
      ImGui::PopID();
    }
  }
  ImGui::EndTable();
  ImGui::PopStyleVar();
}

}  // namespace streamscope::window

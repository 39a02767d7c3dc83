#include "app/window/panels/operations_table.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/timeline/theme.h"
#include "app/window/panels/gestures.h"
#include "app/window/platform/imgui_compat.h"
#include "app/window/widgets/styled_box.h"
#include "app/window/widgets/widgets.h"

namespace streamscope::window {
namespace {

constexpr float kRowsPerStep = 3;  // of the wheel

// Long times and large sizes are what a person looks for first.
bool largest_first(reading::Column column) {
  return reading::is_number(column) && column != reading::Column::operation && column != reading::Column::line &&
         column != reading::Column::start;
}

// The width of Dear ImGui's arrow next to the heading that sorts.
float arrow_width() { return ImGui::GetFontSize() * 0.65f + ImGui::GetStyle().FramePadding.x; }

// Streams of another tool's trace have long names that differ at their ends, and its operations have no line.
void columns(const trace::Trace& trace) {
  const bool theirs = trace::of_another_tool(trace.provenance);
  float stream = 0;
  constexpr std::size_t kMostMeasured = 200;
  for (std::size_t i = 0; theirs && i < std::min(trace.streams.size(), kMostMeasured); ++i)
    stream = std::max(stream, std::min(width_of(trace.streams[i].name), ImGui::GetFontSize() * 16));
  const float padding = 2 * ImGui::GetStyle().CellPadding.x;
  for (std::size_t i = 0; i < reading::kColumns; ++i) {
    const auto column = static_cast<reading::Column>(i);
    const std::string title(reading::heading(column));
    const float width = std::max({width_of(reading::usual(column)), width_of(title) + arrow_width(),
                                  column == reading::Column::stream ? stream : 0});
    ImGuiTableColumnFlags flags = ImGuiTableColumnFlags_WidthFixed;
    if (theirs && column == reading::Column::line) flags |= ImGuiTableColumnFlags_DefaultHide;
    if (column == reading::Column::device && trace::device_count(trace) == 1)
      flags |= ImGuiTableColumnFlags_DefaultHide;
    if (largest_first(column)) flags |= ImGuiTableColumnFlags_PreferSortDescending;
    if (column == reading::Column::operation) flags |= ImGuiTableColumnFlags_DefaultSort | ImGuiTableColumnFlags_NoHide;
    ImGui::TableSetupColumn(title.c_str(), flags, std::ceil(width + padding));
  }
}

// Headings stand where their columns' values stand.
void headings(const Panel& panel, reading::TableSort sort) {
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (int i = 0; i < ImGui::TableGetColumnCount(); ++i) {
    if (!ImGui::TableSetColumnIndex(i)) continue;
    const auto column = static_cast<reading::Column>(i);
    const std::string title(reading::heading(column));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x;
    ImGui::TableHeader(fmt::format("##{}", title).c_str());
    if (ImGui::IsItemHovered()) tooltip(reading::meaning(column));
    const float taken = width_of(title) + (sort.by == column ? arrow_width() : 0);
    const float x = reading::is_number(column) ? std::max(at.x, at.x + room - taken) : at.x;
    ImGui::PushClipRect(at, {at.x + room, at.y + ImGui::GetTextLineHeight()}, true);
    ImGui::GetWindowDrawList()->AddText({std::round(x), at.y},
                                        packed(sort.by == column ? panel.look.theme.text : panel.look.theme.faint_text),
                                        title.c_str());
    ImGui::PopClipRect();
  }
}

// What the columns that fit whole take of `room`, as they were drawn last.
float whole_columns(const char* id, float room) {
  const ImGuiTable* const table = ImGui::TableFindByID(ImGui::GetID(id));
  if (table == nullptr || table->ColumnsCount == 0) return room;
  const float left = table->OuterRect.Min.x - table->InnerWindow->Scroll.x;
  float taken = 0;
  for (int i = 0; i < table->ColumnsCount; ++i) {
    const ImGuiTableColumn& column = table->Columns[i];
    const float end = std::ceil(column.MaxX - left) + 1;
    if (column.IsEnabled && end <= room) taken = std::max(taken, end);
  }
  return taken > 0 ? taken : room;
}

void value(const Panel& panel, const trace::Trace& trace, const trace::Span& span, reading::Column column) {
  const std::string words = reading::cell(trace, span, column);
  if (words.empty()) return;
  if (column == reading::Column::kind) {
    const float size = std::round(ImGui::GetFontSize() * 0.6f);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float y = at.y + std::round((ImGui::GetTextLineHeight() - size) / 2);
    styled_box(*ImGui::GetWindowDrawList(), panel.look, {at.x, y, size, size}, span.kind, 2);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + size * 1.6f);
  }
  const bool quiet = column == reading::Column::operation || column == reading::Column::line;
  const timeline::Colour ink = quiet ? panel.look.theme.faint_text : panel.look.theme.text;
  if (reading::is_number(column)) return right_text(words, ink);
  const float from = ImGui::GetCursorScreenPos().x;
  const std::string shown = elided(words, ImGui::GetContentRegionAvail().x);
  text(shown, ink);
  if (shown == words) return;
  if (ImGui::IsItemHovered()) tooltip(words);
  // A double click on the column's edge makes room for all of it.
  float& widest = ImGui::GetCurrentWindow()->DC.CursorMaxPos.x;
  widest = std::max(widest, from + width_of(words));
}

}  // namespace

// Scrolls to the selected operation when it is another one, or stands in another row.
void OperationsTable::reveal(const State& state, const TableReading& table, std::size_t in_sight) {
  if (revealed_ == state.timeline.selected && revealed_in_ == table.rows) return;
  revealed_ = state.timeline.selected;
  revealed_in_ = table.rows;
  const auto place = trace::find_index(table.of->run->trace, state.timeline.selected);
  const auto row = place ? table.rows->find(static_cast<std::uint32_t>(*place)) : std::nullopt;
  if (!row || (*row >= first_ && *row < first_ + in_sight)) return;
  first_ = *row - std::min(*row, in_sight / 2);
}

void OperationsTable::rows(const Panel& panel, const TableReading& table, std::size_t in_sight, float height,
                           int plot_width) {
  const trace::Trace& trace = table.of->run->trace;
  const std::size_t end = std::min(table.rows->size(), first_ + in_sight);
  for (std::size_t row = first_; row < end; ++row) {
    const trace::Span span = trace::span_at(trace, (*table.rows)[row]);
    ImGui::TableNextRow(0, height);
    for (int i = 0; i < ImGui::TableGetColumnCount(); ++i) {
      if (!ImGui::TableSetColumnIndex(i)) continue;
      if (i == 0) {
        const ImVec2 at = ImGui::GetCursorPos();
        ImGui::PushID(static_cast<int>(row - first_));
        if (ImGui::Selectable("##row", span.operation == panel.state.timeline.selected,
                              ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick)) {
          revealed_ = span.operation;  // it is in sight: the rows must not move under the mouse
          panel.emit(command::Select{span.operation});
          if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
            if (const auto view = view_of(span, plot_width)) panel.emit(command::SetView{*view});
        }
        ImGui::PopID();
        ImGui::SetCursorPos(at);
      }
      value(panel, trace, span, static_cast<reading::Column>(i));
    }
  }
}

void OperationsTable::scroll_bar(const Panel& panel, std::size_t count, std::size_t in_sight, ImVec2 size) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton("scroll", size);
  if (in_sight >= count) return;
  const auto hidden = static_cast<double>(count - in_sight);
  const float least = std::min(size.y, 24 * panel.look.scale);
  const float grab =
      std::max(least, size.y * static_cast<float>(static_cast<double>(in_sight) / static_cast<double>(count)));
  const float way = std::max(1.0f, size.y - grab);
  const auto top = [&] { return static_cast<float>(static_cast<double>(first_) / hidden * static_cast<double>(way)); };
  const float mouse = ImGui::GetIO().MousePos.y - at.y;
  if (ImGui::IsItemActivated()) gripped_at_ = mouse >= top() && mouse < top() + grab ? mouse - top() : grab / 2;
  if (ImGui::IsItemActive()) {
    const double share = std::clamp(static_cast<double>((mouse - gripped_at_) / way), 0.0, 1.0);
    first_ = static_cast<std::size_t>(std::llround(share * hidden));
  }
  const ImU32 ink = ImGui::GetColorU32(ImGui::IsItemActive()    ? ImGuiCol_ScrollbarGrabActive
                                       : ImGui::IsItemHovered() ? ImGuiCol_ScrollbarGrabHovered
                                                                : ImGuiCol_ScrollbarGrab);
  const float inset = std::round(size.x * 0.2f);
  ImGui::GetWindowDrawList()->AddRectFilled({at.x + inset, at.y + top()}, {at.x + size.x - inset, at.y + top() + grab},
                                            ink, size.x);
}

float OperationsTable::draw(const Panel& panel, const TableReading& table, ImVec2 size, int plot_width) {
  push_font(panel.look.fonts.small);
  const float scale = panel.look.scale, bar = ImGui::GetStyle().ScrollbarSize;
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {std::round(7 * scale), std::round(2 * scale)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 2 * std::round(2 * scale)});  // rows touch and do not overlap
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY | ImGuiTableFlags_Sortable |
                                     ImGuiTableFlags_Resizable | ImGuiTableFlags_Reorderable |
                                     ImGuiTableFlags_Hideable | ImGuiTableFlags_SizingFixedFit |
                                     ImGuiTableFlags_BordersInnerV;
  const std::size_t count = table.rows->size();
  std::size_t in_sight = 0;
  float row_height = 0;
  const trace::Run& run = *table.of->run;
  // Another file's begin is looked at first; the same again stays where it was.
  if (std::string what = table.of->name + '\n' + run.program; what != std::exchange(of_, what)) first_ = 0;
  // One of its own where there are other columns.
  const bool theirs = trace::of_another_tool(run.trace.provenance), devices = trace::device_count(run.trace) > 1;
  const char* const id = theirs && devices ? "foreign_operations_of_devices"
                         : theirs          ? "foreign_operations"
                         : devices         ? "operations_of_devices"
                                           : "operations";
  const float wide = whole_columns(id, size.x - bar);
  if (ImGui::BeginTable(id, static_cast<int>(reading::kColumns), kFlags, {wide, size.y})) {
    ImGui::TableSetupScrollFreeze(1, 1);
    columns(run.trace);
    row_height = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y;
    const float room = ImGui::GetContentRegionAvail().y - row_height - 1;
    in_sight = static_cast<std::size_t>(std::max(0.0f, std::floor(room / row_height)));
    headings(panel, table.sort);
    if (ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs(); specs != nullptr && specs->SpecsDirty) {
      specs->SpecsDirty = false;
      if (specs->SpecsCount > 0)
        panel.emit(command::SortTable{{static_cast<reading::Column>(specs->Specs[0].ColumnIndex),
                                       specs->Specs[0].SortDirection == ImGuiSortDirection_Descending}});
    }
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsWindowHovered() && io.MouseWheel != 0 && !io.KeyShift) {
      wheel_ -= io.MouseWheel * kRowsPerStep;  // a trackpad's steps are fractions
      const auto whole = static_cast<std::ptrdiff_t>(wheel_);
      wheel_ -= static_cast<float>(whole);
      first_ = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(first_) + whole));
    }
    reveal(panel.state, table, in_sight);
    first_ = std::min(first_, count - std::min(count, in_sight));
    rows(panel, table, in_sight, row_height, plot_width);
    ImGui::EndTable();
  }
  ImGui::SameLine(0, 0);
  scroll_bar(panel, count, in_sight, {bar, size.y});
  ImGui::PopStyleVar(2);
  ImGui::PopFont();
  return wide + bar;
}

}  // namespace streamscope::window

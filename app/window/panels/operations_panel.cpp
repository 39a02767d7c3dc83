#include "app/window/panels/operations_panel.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "app/reading/operation_facts.h"
#include "app/window/panels/operations_histogram.h"
#include "app/window/panels/operations_table.h"
#include "app/window/platform/imgui_compat.h"
#include "app/window/state/selection_steps.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/counts.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

constexpr std::size_t kMostCopied = 100'000;  // rows; more belong into a file

constexpr const char* kHelp = tr_later(
    "Words occur in the name, kind, stream or thread: axpb S0\n"
    "By its number: 21, #21, H2D #21\n"
    "In quotes, with blanks: \"copy in\"\n"
    "One of some: kind:h2d,d2h  name:  stream:  thread:  engine:  reason:\n"
    "Compared: dur>10us  wait>=5us  bytes>1MiB  host<2us  start<1ms  line:7\n"
    "Left out: -kind:sync\n"
    "All of it must hold. Enter goes to the next, Shift Enter to the one before.");

std::uint64_t count(const reading::Histogram& histogram) {
  return std::accumulate(
      histogram.kinds.begin(), histogram.kinds.end(), std::uint64_t{0},
      [](std::uint64_t sum, const reading::KindFigures& kind) { return sum + kind.count + kind.unknown; });
}

std::string found_text(const State& state, const TableReading& table) {
  const std::uint64_t all = count(table.in_range), matched = table.rows->size();
  const std::string where = table.range ? tr(" in the range") : "";
  std::string words = table.read.empty() ? tr_n("{} operation{}", "{} operations{}", all, with_commas(all), where)
                      : matched == 0     ? tr("none of {} operations{}", with_commas(all), where)
                                         : tr("{} of {} operations{}", with_commas(matched), with_commas(all), where);
  if (matched != 0 && known(table.matches->total))
    words += tr(", {} of work in all", display_duration(table.matches->total));
  if (!table.read.empty() && !table.highlight && matched != 0) words += tr(", too many to light on the timeline");
  if (state.readings.table_under_way) words += tr("  searching…");
  return words;
}

void copy(const Panel& panel, const TableReading& table) {
  const std::size_t rows = std::min(table.rows->size(), kMostCopied);
  ImGui::SetClipboardText(reading::to_csv(table.of->run->trace, *table.rows, rows).c_str());
  panel.emit(
      command::Say{rows < table.rows->size()
                       ? tr("Copied the first {} of {} rows as CSV: search for fewer, or write all with `run --csv`.",
                            with_commas(rows), with_commas(table.rows->size()))
                       : tr_n("Copied {} row as CSV.", "Copied {} rows as CSV.", rows, with_commas(rows))});
}

// The cursor goes to the end, with nothing selected: what is typed next is added.
int to_the_end(ImGuiInputTextCallbackData* data) {
  bool& wanted = *static_cast<bool*>(data->UserData);
  if (!std::exchange(wanted, false)) return 0;
  data->CursorPos = data->SelectionStart = data->SelectionEnd = data->BufTextLen;
  return 0;
}

}  // namespace

void OperationsPanel::search(const Panel& panel, float width) {
  const State& state = panel.state;
  if (searched_ != state.readings.search) words_ = searched_ = state.readings.search;  // searched elsewhere
  if (state.workspace.search_focus || again_) {
    focus_field();
    if (state.workspace.search_focus) panel.emit(command::SearchFocused{});
    at_end_ = again_;
    again_ = false;
  }
  ImGui::SetNextItemWidth(width);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool wrong = state.readings.table && state.readings.table->error && state.readings.table->words == words_;
  const bool entered = ImGui::InputTextWithHint(
      "##search",
      elided(tr("search: axpb  #21  dur>10us  -stream:S0"), width - 2 * ImGui::GetStyle().FramePadding.x).c_str(),
      &words_,
      ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_CallbackAlways,
      to_the_end, &at_end_);
  if (ImGui::IsItemDeactivated() && key_pressed(ImGuiKey_Escape)) words_.clear();
  field_drawn();
  if (ImGui::IsItemHovered() && !ImGui::IsItemActive()) tooltip(tr(kHelp));
  if (words_ != state.readings.search) {
    searched_ = words_;
    panel.emit(command::Search{words_});
  }
  if (entered) {
    again_ = true;
    await_field();
    if (const OperationIndex next = next_match(state, ImGui::GetIO().KeyShift ? -1 : 1); next != kNoOperation)
      panel.emit(command::Select{next});
  }
  if (!wrong) return;
  // A line under what is wrong.
  const reading::QueryError& error = *state.readings.table->error;
  const std::string_view text(words_);
  const std::size_t from = std::min(error.column - 1, text.size()), to = std::min(from + error.length, text.size());
  const auto x_of = [&](std::size_t bytes) {
    return at.x + ImGui::GetStyle().FramePadding.x + width_of(text.substr(0, bytes));
  };
  const float y = at.y + ImGui::GetFrameHeight() - 2 * panel.look.scale, right = at.x + width;
  const float least = ImGui::GetFontSize() * 0.5f;
  ImGui::GetWindowDrawList()->AddRectFilled(
      {std::min(x_of(from), right - least), y},
      {std::clamp(x_of(to), std::min(x_of(from) + least, right), right), y + 2 * panel.look.scale},
      packed(panel.look.theme.error));
}

void OperationsPanel::draw(const Panel& panel, const Box& place, int plot_width) {
  const State& state = panel.state;
  begin_panel("Operations", place, ImGuiWindowFlags_NoScrollWithMouse);
  const float scale = panel.look.scale, room = ImGui::GetContentRegionAvail().x;
  const char* label = tr("Copy as CSV");
  const float button = sign_button_width(label, Sign::none), gap = ImGui::GetStyle().ItemSpacing.x;
  search(panel, std::clamp(room * 0.42f, std::min(120 * scale, room), 460 * scale));
  if (!state.readings.table) {
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    text(state.runs.shown ? tr("reading the operations…") : tr("The operations of a run appear here."),
         panel.look.theme.faint_text);
    ImGui::End();
    return;
  }
  const std::shared_ptr<const TableReading> table = state.readings.table;
  const std::string found = found_text(state, *table);
  ImGui::SameLine();
  const std::string shown = elided(found, ImGui::GetContentRegionAvail().x - button - gap);
  if (!shown.empty()) {
    ImGui::AlignTextToFramePadding();
    text(shown, table->read.empty() ? panel.look.theme.faint_text : panel.look.theme.text);
    if (shown != found && ImGui::IsItemHovered()) tooltip(found);
    ImGui::SameLine();
  }
  const float left = ImGui::GetContentRegionAvail().x - button;
  if (left > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + left);
  {
    const Disabled disabled(table->rows->size() == 0 ? tr("No row to copy.") : "");
    if (sign_button(panel.look, label, Sign::none)) copy(panel, *table);
    disabled.explain(tr("The rows as they stand, with the numbers unrounded"));
  }
  if (table->error && table->words == state.readings.search)
    wrapped(tr("Column {}: {}.", table->error->column, table->error->message), panel.look.theme.error);

  const ImVec2 rest = ImGui::GetContentRegionAvail();
  const bool with_chart = rest.x >= 620 * scale;  // else there is room for the table only
  const float chart = with_chart ? std::clamp(rest.x * 0.36f, 250 * scale, 480 * scale) : 0;
  const float wide =
      table_.draw(panel, *table,
                  {std::max(1.0f, rest.x - chart - (with_chart ? gap * 1.5f : 0)), std::max(1.0f, rest.y)}, plot_width);
  if (with_chart) {
    ImGui::SameLine(0, gap * 1.5f);
    ImGui::BeginChild("histogram", {rest.x - wide - gap * 1.5f, rest.y});
    operations_histogram(panel, *table);
    ImGui::EndChild();
  }
  ImGui::End();
}

}  // namespace streamscope::window

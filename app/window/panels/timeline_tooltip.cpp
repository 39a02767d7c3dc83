#include "app/window/panels/timeline_tooltip.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/reading/kernel_facts.h"
#include "app/reading/operation_facts.h"
#include "app/window/state/compared_runs.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::window {
namespace {

ImVec2 last_size{0, 0};  // of a tooltip; known once it is drawn

// Dear ImGui lets a tooltip that fits nowhere beside the mouse reach out of the window; this one, where it does not fit
// below, goes to the side of the mouse that has more room, as high as it must.
void begin_whole_tooltip() {
  const ImVec2 room = ImGui::GetIO().DisplaySize, mouse = ImGui::GetMousePos();
  const float gap = ImGui::GetFontSize();
  if (mouse.y + gap + last_size.y > room.y) {
    const float x = mouse.x > room.x - mouse.x ? mouse.x - gap - last_size.x : mouse.x + gap;
    ImGui::SetNextWindowPos({std::clamp(x, 0.0f, std::max(room.x - last_size.x, 0.0f)),
                             std::max(std::min(mouse.y + gap, room.y - last_size.y), 0.0f)});
  }
  ImGui::BeginTooltip();
}
void end_whole_tooltip() {
  last_size = ImGui::GetWindowSize();
  ImGui::EndTooltip();
}

void tooltip_rows(const Panel& panel, const std::vector<reading::Fact>& rows) {
  float label_width = 0;
  for (const reading::Fact& each : rows) label_width = std::max(label_width, width_of(each.label));
  label_width += ImGui::GetStyle().ItemSpacing.x * 1.5f;
  for (const reading::Fact& each : rows) {
    if (each.label.empty()) {
      ImGui::PushTextWrapPos(ImGui::GetFontSize() * 26);
      text(each.value, panel.look.theme.strong_text);
      ImGui::PopTextWrapPos();
      continue;
    }
    const float start = ImGui::GetCursorPosX();
    text(each.label, panel.look.theme.faint_text);
    ImGui::SameLine(start + label_width);
    text(each.value, each.within_noise ? panel.look.theme.warning : panel.look.theme.text,
         each.explanation ? &panel.look.fonts.mono : nullptr);
  }
}

// What the same operation did in the other run.
std::vector<reading::Fact> pair_facts(const State& state, const timeline::Hit& hit) {
  const ShownPair* pair = pair_in_view(state);
  if (pair == nullptr) return {};
  const trace::Trace &first = pair->first->run->trace, &second = pair->second->run->trace;
  const OperationIndex other =
      hit.compared ? partner_in_first(state, hit.operation) : partner_in_second(state, hit.operation);
  const auto a = trace::find_span(first, hit.compared ? other : hit.operation);
  const auto b = trace::find_span(second, hit.compared ? hit.operation : other);
  const ShownRun& there = hit.compared ? *pair->first : *pair->second;
  if (!a || !b) return {{"", tr("Run {} has no operation that is the same.", there.number), true}};
  const analysis::PairDifference by = analysis::difference(first, *a, second, *b, offset_of(state));
  const trace::Span& in_other = hit.compared ? *a : *b;
  std::vector<reading::Fact> rows;
  rows.push_back({tr("In run {}", there.number),
                  tr("{}, operation {}", display_duration(analysis::length(in_other)), in_other.operation)});
  if (known(by.length))
    rows.push_back({tr("Run {} less {}", pair->second->number, pair->first->number),
                    fmt::format("{}{}", reading::signed_duration(by.length),
                                by.within_noise() ? tr(", within {}", analysis::noise_text(by.noise)) : ""),
                    false, by.within_noise()});
  if (known(by.by.start)) rows.push_back({tr("at its start"), reading::signed_duration(by.by.start)});
  return rows;
}

}  // namespace

void operation_tooltip(const Panel& panel, const timeline::Hit& hit) {
  const State& state = panel.state;
  const trace::Run& run = hit.compared ? *state.comparison.second->run : *state.runs.shown->run;
  const std::optional<trace::Span> span = trace::find_span(run.trace, hit.operation);
  if (!span) return;
  begin_whole_tooltip();
  text(reading::operation_title(run.trace, *span), panel.look.theme.strong_text, &panel.look.fonts.strong);
  if (state.comparison.second) {
    const ShownRun& whose = hit.compared ? *state.comparison.second : *state.runs.shown;
    text(tr("{} · run {}: {}", tr(trace::badge(run.trace.provenance)), whose.number, run_name(state.runs, whose)),
         panel.look.theme.faint_text);
  }
  if (hit.how_many > 1)
    text(tr("the longest of {} operations that are drawn as one here", hit.how_many), panel.look.theme.faint_text);
  if (hit.waiting) text(tr("here it was ready and waited"), panel.look.theme.faint_text);
  if (hit.ghost && !hit.compared) text(tr("here the model had it"), panel.look.theme.faint_text);
  std::vector<reading::Fact> rows = reading::facts(run, *span);
  if (state.comparison.second)
    for (reading::Fact& each : pair_facts(state, hit)) rows.push_back(std::move(each));
  else if (!ghost_of(state).empty())
    for (reading::Fact& each : reading::predicted_facts(run, state.runs.shown->comparison, *span))
      rows.push_back(std::move(each));
  tooltip_rows(panel, rows);
  end_whole_tooltip();
}

void piece_tooltip(const Panel& panel, const trace::Trace& trace, const timeline::StagePiece& piece,
                   std::uint32_t how_many) {
  begin_whole_tooltip();
  text(reading::piece_title(trace, piece), panel.look.theme.strong_text, &panel.look.fonts.strong);
  if (how_many > 1)
    text(tr("the longest of {} pieces that are drawn as one here", how_many), panel.look.theme.faint_text);
  tooltip_rows(panel, reading::piece_rows(trace, piece));
  end_whole_tooltip();
}

}  // namespace streamscope::window

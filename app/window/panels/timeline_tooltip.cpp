#include "app/window/panels/timeline_tooltip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/reading/kernel_facts.h"
#include "app/reading/operation_facts.h"
#include "app/timeline/legend.h"
#include "app/timeline/provenance.h"
#include "app/timeline/span_text.h"
#include "app/timeline/waits.h"
#include "app/window/state/compared_runs.h"
#include "app/window/widgets/widgets.h"
#include "engine/analysis/analysis.h"
#include "engine/base/counts.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/trace/call_result.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::window {
namespace {

void begin_tooltip_beside(const RowAt& row, ImVec2 size) {
  const ImVec2 room = ImGui::GetIO().DisplaySize, mouse = ImGui::GetMousePos();
  const float gap = ImGui::GetFontSize() * 0.4f;
  const float below = row.bottom + gap, above = row.top - gap - size.y;
  ImGui::SetNextWindowPos({std::clamp(mouse.x + gap, 0.0f, std::max(room.x - size.x, 0.0f)),
                           below + size.y <= row.plot_bottom || above < 0 ? std::min(below, room.y - size.y) : above});
  ImGui::BeginTooltip();
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

struct Lines {
  std::string title, times, why;
};

// Of its tooltip, before it is drawn: there may be no second frame to put it right.
ImVec2 size_of(const Panel& panel, const Lines& lines, float widest) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const SizedFont& strong = panel.look.fonts.strong;
  const ImVec2 title = strong.font->CalcTextSizeA(strong.size, FLT_MAX, 0, lines.title.c_str());
  const ImVec2 times = ImGui::CalcTextSize(lines.times.c_str());
  ImVec2 all{std::max(title.x, times.x), title.y + style.ItemSpacing.y + times.y};
  if (!lines.why.empty()) {
    const ImVec2 why = ImGui::CalcTextSize(in_lines(lines.why, widest).c_str());
    all = {std::max(all.x, why.x), all.y + style.ItemSpacing.y + why.y};
  }
  return {std::ceil(all.x) + 2 * style.WindowPadding.x, std::ceil(all.y) + 2 * style.WindowPadding.y};
}

void add_to(std::string& line, const std::string& part) { timeline::add_part(line, part); }

// What the same operation did in the other run.
std::string in_other_run(const State& state, const timeline::Hit& hit) {
  const ShownPair* pair = pair_in_view(state);
  if (pair == nullptr) return {};
  const trace::Trace &first = pair->first->run->trace, &second = pair->second->run->trace;
  const OperationIndex other =
      hit.compared ? partner_in_first(state, hit.operation) : partner_in_second(state, hit.operation);
  const auto a = trace::find_span(first, hit.compared ? other : hit.operation);
  const auto b = trace::find_span(second, hit.compared ? hit.operation : other);
  const ShownRun& there = hit.compared ? *pair->first : *pair->second;
  if (!a || !b) return tr("Run {} has no operation that is the same.", there.number);
  const analysis::PairDifference by = analysis::difference(first, *a, second, *b, offset_of(state));
  std::string out = tr("In run {}: {}", there.number, display_duration(analysis::length(hit.compared ? *a : *b)));
  if (known(by.length))
    add_to(out, fmt::format("{}{}", reading::signed_duration(by.length),
                            by.within_noise() ? tr(", within {}", analysis::noise_text(by.noise)) : ""));
  if (known(by.by.start)) add_to(out, tr("{} at its start", reading::signed_duration(by.by.start)));
  return out;
}

// Why it is here and not earlier, or what else was meant of it: what is asked first.
std::string why_of(const State& state, const trace::Run& run, const trace::Span& span, const timeline::Hit& hit) {
  if (state.comparison.second) return in_other_run(state, hit);
  if (!ghost_of(state).empty())
    for (const reading::Fact& each : reading::predicted_facts(run, state.runs.shown->comparison, span))
      if (hit.ghost || !each.label.empty()) return each.label + " " + each.value;
  if (hit.wait != timeline::kNoWait) return timeline::wait_text(run.trace, state.runs.shown->tracks.waits[hit.wait]);
  if (span.result != CallResult::success)
    return trace::is_status(span) ? tr("It was given the status {}.", name(span.result))
                                  : tr("It returned {}.", name(span.result));
  return analysis::explain_wait(run.trace, span);
}

Lines lines_of(const State& state, const trace::Run& run, const trace::Span& span, const timeline::Hit& hit) {
  Lines out{reading::operation_title(run.trace, span), {}, why_of(state, run, span, hit)};
  if (state.comparison.second) {
    const ShownRun& whose = hit.compared ? *state.comparison.second : *state.runs.shown;
    add_to(out.title, tr("run {}", whose.number));
  }
  if (hit.ghost && !hit.compared) add_to(out.title, tr("as the model has it"));
  const bool call = hit.row == timeline::TrackKind::host;
  // The bar's own word, which may have been too long for it.
  if (const std::string_view word = timeline::call_text(run.trace, span); call && !out.title.starts_with(word))
    add_to(out.title, std::string(word));
  const Nanoseconds from = call ? span.host_begin : span.start, to = call ? span.host_end : span.end;
  if (!known(from) || !known(to)) return out;
  std::string length = display_duration(to - from);
  if (const Nanoseconds noise = call ? 0 : analysis::execution_noise(run.trace, span); noise > 0)
    length += " " + analysis::noise_text(noise);
  add_to(out.times, length);
  if (!call && span.bytes > 0 && to > from && span.kind != OperationKind::kernel)
    add_to(out.times, display_bandwidth(span.bytes, to - from));
  add_to(out.times, tr("at {}", display_duration(from)));
  return out;
}

// Of a column that stands for several: what they are, and how much of its time.
Lines lines_of_column(const State& state, const trace::Run& run, const trace::Span& longest, const timeline::Hit& hit) {
  const timeline::Tracks& tracks = hit.compared ? state.comparison.second->tracks : state.runs.shown->tracks;
  Lines out{tr("{} operations, less than a pixel each", with_commas(hit.how_many)), {}, {}};
  const auto percent = [](double share) {
    return share > 0 && share < 0.001 ? std::string("< 0.1 %") : fmt::format("{:.1f} %", share * 100);
  };
  double idle = 1;
  for (const timeline::ClassShare& each : hit.shares) {
    idle -= each.share;
    add_to(out.times, fmt::format("{} {}", timeline::name_of_class(each.which, state.timeline.colour_by, tracks),
                                  percent(each.share)));
  }
  if (idle > 0.0005) add_to(out.times, tr("idle {}", percent(idle)));
  out.why = tr("the longest: {}", reading::operation_title(run.trace, longest));
  return out;
}

}  // namespace

void operation_tooltip(const Panel& panel, const RowAt& row, const timeline::Hit& hit) {
  const State& state = panel.state;
  const trace::Run& run = hit.compared ? *state.comparison.second->run : *state.runs.shown->run;
  const std::optional<trace::Span> span = trace::find_span(run.trace, hit.operation);
  if (!span) return;
  Lines lines = hit.shares.empty() ? lines_of(state, run, *span, hit) : lines_of_column(state, run, *span, hit);
  // Where text is large for the window the reason takes two lines, or the tooltip would cover half of it.
  const float widest = std::min(ImGui::GetFontSize() * 46, ImGui::GetIO().DisplaySize.x * 0.4f);
  lines = {elided(lines.title, widest), elided(lines.times, widest), elided(lines.why, 1.8f * widest)};
  begin_tooltip_beside(row, size_of(panel, lines, widest));
  text(lines.title, panel.look.theme.strong_text, &panel.look.fonts.strong);
  text(lines.times, panel.look.theme.text);
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + widest);
  if (!lines.why.empty()) text(lines.why, panel.look.theme.faint_text);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void piece_tooltip(const Panel& panel, const RowAt& row, const trace::Trace& trace, const timeline::StagePiece& piece,
                   std::uint32_t how_many) {
  static ImVec2 last_size{0, 0};  // known once one is drawn
  begin_tooltip_beside(row, last_size);
  text(reading::piece_title(trace, piece), panel.look.theme.strong_text, &panel.look.fonts.strong);
  if (how_many > 1)
    text(tr("the longest of {} pieces that are drawn as one here", how_many), panel.look.theme.faint_text);
  tooltip_rows(panel, reading::piece_rows(trace, piece));
  last_size = ImGui::GetWindowSize();
  ImGui::EndTooltip();
}

void provenance_tooltip(const State& state) {
  const trace::Provenance& from = state.runs.shown->run->trace.provenance;
  const timeline::ComparedRun compared = compared_run(state);
  if (compared.there())
    tooltip(fmt::format("{}", fmt::join(timeline::provenance_texts(from, compared), "\n")));
  else
    tooltip(timeline::provenance_text(from));
}

}  // namespace streamscope::window

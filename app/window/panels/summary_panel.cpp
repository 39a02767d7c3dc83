#include "app/window/panels/summary_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "app/help/help.h"
#include "app/reading/operation_facts.h"
#include "app/timeline/provenance.h"
#include "app/timeline/span_text.h"
#include "app/window/panels/code_marks.h"
#include "app/window/panels/help_answer.h"
#include "app/window/platform/imgui_compat.h"
#include "app/window/state/referee_row.h"
#include "app/window/widgets/styled_box.h"
#include "app/window/widgets/widgets.h"
#include "engine/analysis/figures.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

constexpr const char* kWidestLabel = tr_later("Observer effect");
constexpr const char* kShorterThanSure = tr_later("It is shorter than the times at its two ends are sure.");

// `warning`: why the value is not to be trusted as it stands; a quiet mark then stands before it. `marked`: it is to
// be noticed as it stands.
void fact(const Panel& panel, std::string_view label, std::string_view figure, std::string_view meaning = {},
          std::string_view warning = {}, bool marked = false) {
  text(label, panel.look.theme.faint_text);
  const bool on_label = ImGui::IsItemHovered();
  const std::string value = warning.empty() ? std::string(figure) : fmt::format("≈ {}", figure);
  ImGui::SameLine();
  const timeline::Colour ink = warning.empty() && !marked ? panel.look.theme.text : panel.look.theme.warning;
  if (width_of(value) > ImGui::GetContentRegionAvail().x) {  // too long for the rest of the line: below, wrapped
    ImGui::NewLine();
    wrapped(value, ink);
  } else {
    right_text(value, ink);
  }
  if (!on_label && !ImGui::IsItemHovered()) return;
  // A figure is what a term says, not a word of the language or a key that is written like its name.
  if (panel.state.help.asked && std::ranges::any_of(help::find(help::all(), label).called, [](const help::Entry* each) {
        return each->kind == help::Kind::term;
      }))
    answer_help(panel, label, help::Kind::term);
  std::string words(meaning);
  if (!warning.empty()) words += fmt::format("{}≈ {}", words.empty() ? "" : "\n", warning);
  if (!words.empty()) tooltip(words);
}

std::string spread(const trace::Statistic& statistic, int runs) {
  std::string words = display_duration(statistic.median);
  if (known(statistic.spread))
    words += "  " + analysis::noise_text(statistic.spread);
  else if (runs > 1)
    words += tr("  ({} to {})", display_duration(statistic.minimum), display_duration(statistic.maximum));
  return words;
}

void badge_line(const Panel& panel, const trace::Provenance& provenance) {
  const timeline::Theme& theme = panel.look.theme;
  const float scale = panel.look.scale;
  badge(tr(trace::badge(provenance)), timeline::badge_colour(provenance, theme), {7 * scale, 2 * scale}, 3 * scale);
}

void use_bar(const Panel& panel, const analysis::EngineUse& use) {
  const timeline::Theme& theme = panel.look.theme;
  const OperationKind kind = use.engine == Engine::h2d   ? OperationKind::h2d
                             : use.engine == Engine::d2h ? OperationKind::d2h
                                                         : OperationKind::kernel;
  const float height = ImGui::GetTextLineHeight();
  const float label_width = width_of(tr("Compute")) + ImGui::GetStyle().ItemSpacing.x;
  const std::string share = fmt::format("{:.0f} %", use.use * 100);
  const float share_width = width_of("100 %");
  const float start = ImGui::GetCursorPosX();
  text(tr(words_of(use.engine).label));
  ImGui::SameLine(start + label_width);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = std::max(8.0f, ImGui::GetContentRegionAvail().x - share_width - ImGui::GetStyle().ItemSpacing.x);
  const float y0 = at.y + height * 0.22f, y1 = at.y + height * 0.82f;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({at.x, y0}, {at.x + width, y1}, packed(mixed(theme.panel, theme.text, 0.1f)), 2);
  const float filled = width * static_cast<float>(std::clamp(use.use, 0.0, 1.0));
  if (filled >= 1) styled_box(list, panel.look, {at.x, y0, filled, y1 - y0}, kind, 2);
  ImGui::Dummy({width, height});
  const bool hovered = ImGui::IsItemHovered();
  ImGui::SameLine();
  right_text(share);
  if (hovered || ImGui::IsItemHovered()) {
    answer_help(panel, use.engine == Engine::compute ? "compute engine" : "copy engine");
    std::string words = tr("Busy {} of the makespan, {} operations", display_duration(use.busy), use.operations);
    if (use.bytes != 0)
      words += tr(", {} at {} while busy", display_bytes(use.bytes), display_bandwidth(use.bytes, use.busy));
    tooltip(words + ".");
  }
}

void engines(const Panel& panel, const analysis::Analysis& a) {
  if (!known(a.makespan)) return;  // nothing was seen of them
  heading(panel.look, tr("Engines"));
  const bool several = a.engines.size() > 3;  // of more than one device: those that did something, by device
  std::vector<analysis::EngineUse> uses = a.engines;
  if (several) std::erase_if(uses, [](const analysis::EngineUse& use) { return use.operations == 0; });
  std::ranges::stable_sort(uses, {}, &analysis::EngineUse::device);
  for (std::size_t i = 0; i < uses.size(); ++i) {
    if (several && (i == 0 || uses[i].device != uses[i - 1].device))
      text(timeline::device_text(panel.state.runs.shown->run->trace, uses[i].device));
    use_bar(panel, uses[i]);
  }
}

// The makespan, large.
void makespan_line(const Panel& panel, const analysis::Analysis& a, const analysis::FigureNoise& noise,
                   const std::string& warning, std::string_view meaning) {
  const timeline::Theme& theme = panel.look.theme;
  text(display_duration(a.makespan), theme.strong_text, &panel.look.fonts.large);
  const bool on_makespan = ImGui::IsItemHovered();
  const float drop = panel.look.fonts.large.size - panel.look.fonts.body.size;
  ImGui::SameLine();
  if (width_of(tr("makespan")) <= ImGui::GetContentRegionAvail().x)
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + drop * 0.8f);  // on the figure's base line
  else
    ImGui::NewLine();
  text(warning.empty() ? tr("makespan") : tr("≈ makespan"), warning.empty() ? theme.faint_text : theme.warning);
  if (on_makespan || ImGui::IsItemHovered()) {
    answer_help(panel, "makespan");
    std::string words(meaning);
    if (noise.makespan > 0) words += tr(" Sure to {}.", analysis::noise_text(noise.makespan));
    if (!warning.empty()) words += "\n≈ " + warning;
    tooltip(words);
  }
}

// What the trace says, of all of it or of a range.
void trace_figures(const Panel& panel, const analysis::Analysis& a, const analysis::FigureNoise& noise) {
  for (const analysis::Figure& each : analysis::figures(a, noise)) {
    if (each.weight == analysis::FigureWeight::file || !each.value) continue;
    std::string words(each.meaning);
    if (!each.detail.empty()) words += "\n" + each.detail;
    if (!each.why.empty()) words += "\n" + each.why;
    if (!each.estimate.empty() && on_gpu(panel.state.settings))
      words += "\n" + std::string(tr("Run (Space) measures it."));
    fact(panel, each.name, analysis::display(each), words, analysis::warning(each));
  }
}

// "range 1.2 ms to 3.4 ms, 2.2 ms", a way out of it, and only what a range can limit: wall times and the check of the
// data are of the whole run.
void of_range(const Panel& panel, const trace::Interval& range) {
  const State& state = panel.state;
  const float button = sign_button_width(tr("Clear"), Sign::none);
  wrapped(tr("range {} to {}, {}", display_duration(range.start), display_duration(range.end),
             display_duration(range.end - range.start)),
          panel.look.theme.selection);
  if (button <= ImGui::GetContentRegionAvail().x && sign_button(panel.look, tr("Clear"), Sign::none))
    panel.emit(command::SetRange{std::nullopt});
  if (ImGui::IsItemHovered()) tooltip(tr("The figures of the whole run again"));
  ImGui::Spacing();
  const RangeReading* read = state.readings.range.get();
  if (range_in_view(state) == nullptr) text(tr("counting…"), panel.look.theme.faint_text);
  if (read == nullptr || !read->range) return;
  makespan_line(panel, read->analysis, read->noise,
                reading::makespan_warning(*read->of->run, read->analysis, read->noise),
                tr("From the first device work in the range to the last. What lies across its edges is cut there."));
  ImGui::Spacing();
  fact(panel, tr("Operations"), fmt::format("{}", read->operations), tr("Those of which some part lies in the range."));
  trace_figures(panel, read->analysis, read->noise);
  engines(panel, read->analysis);
}

void marks(const Panel& panel, const State& state, int plot_width) {
  if (state.timeline.marks.empty()) return;
  heading(panel.look, tr("Marked intervals"));
  const RangeReading* read = state.readings.range.get();
  if (read != nullptr && (read->of != state.runs.shown || read->marks != state.timeline.marks)) read = nullptr;
  const float cross = ImGui::GetFrameHeight() * 0.8f;
  for (std::size_t i = 0; i < state.timeline.marks.size(); ++i) {
    const trace::Interval& each = state.timeline.marks[i];
    ImGui::PushID(static_cast<int>(i));
    const float room = ImGui::GetContentRegionAvail().x;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (ImGui::Selectable("##mark", false, 0, {room - cross, 0})) {
      const Nanoseconds margin = std::max<Nanoseconds>((each.end - each.start) / 10, 1);
      panel.emit(command::SetView{timeline::fit(each.start - margin, each.end + margin, plot_width)});
    }
    if (ImGui::IsItemHovered())
      tooltip(tr("{} to {}. Click to look at it.", display_duration(each.start), display_duration(each.end)));
    ImGui::SameLine(0, 0);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    if (ImGui::InvisibleButton("remove", {cross, ImGui::GetTextLineHeight()})) panel.emit(command::RemoveMark{i});
    const bool hovered = ImGui::IsItemHovered();
    if (hovered) tooltip(tr("Remove this mark"));
    // Over the row, which takes the clicks.
    const timeline::Theme& theme = panel.look.theme;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::string length = display_duration(each.end - each.start);
    const std::string from = tr("at {}", display_duration(each.start));
    const std::string in = read == nullptr ? "…" : tr_n("{} op", "{} ops", read->in_marks[i], read->in_marks[i]);
    const float column = width_of("888.88 us  ");
    list.AddText(at, packed(theme.text), length.c_str());
    const float in_x = at.x + room - cross - width_of(in) - ImGui::GetStyle().ItemSpacing.x;
    if (at.x + column + width_of(from) < in_x)
      list.AddText({at.x + column, at.y}, packed(theme.faint_text), from.c_str());
    list.AddText({in_x, at.y}, packed(theme.text), in.c_str());
    const ImVec2 middle{corner.x + cross / 2, corner.y + ImGui::GetTextLineHeight() / 2};
    const float r = ImGui::GetFontSize() * 0.22f;
    const ImU32 ink = packed(hovered ? theme.strong_text : theme.faint_text);
    const float thick = std::max(1.0f, panel.look.scale * 1.4f);
    list.AddLine({middle.x - r, middle.y - r}, {middle.x + r, middle.y + r}, ink, thick);
    list.AddLine({middle.x - r, middle.y + r}, {middle.x + r, middle.y - r}, ink, thick);
    ImGui::PopID();
  }
}

void figures(const Panel& panel, const ShownRun& shown, SummaryView& view, int plot_width) {
  const trace::Run& run = *shown.run;
  const analysis::Analysis& a = shown.analysis;
  const timeline::Theme& theme = panel.look.theme;
  makespan_line(panel, a, shown.noise, reading::makespan_warning(run, a, shown.noise),
                tr("From the first start to the last end of device work."));
  if (run.trace.provenance.instrument == device::name(device::Instrument::sampled))
    wrapped(tr_n("merged from {} run", "merged from {} runs", static_cast<unsigned long>(run.runs), run.runs),
            theme.faint_text);
  else if (run.makespan && run.runs > 1)
    wrapped(tr("median of {} runs, {} to {}", run.runs, display_duration(run.makespan->minimum),
               display_duration(run.makespan->maximum)),
            theme.faint_text);
  verdict_section(panel, view.verdict, plot_width);
  heading(panel.look, tr("Figures"));
  trace_figures(panel, a, shown.noise);
  if (run.wall)
    fact(panel, tr("Wall time"), spread(*run.wall, run.runs),
         tr("Host clock, from the first statement to the return of the last synchronisation."));
  if (run.bare_wall)
    fact(panel, tr("Bare wall time"), spread(*run.bare_wall, run.runs), tr("The same without any instrument inside."));
  if (run.observer_effect)
    fact(panel, tr(kWidestLabel), fmt::format("{:.3f}×", run.observer_effect->median),
         tr("Wall time with the instrument over wall time without."), reading::observer_warning(run));
  if (run.stage_effect)
    fact(panel, tr("In-kernel cost"), fmt::format("{:.3f}×", run.stage_effect->median),
         tr("What it costs that blocks record their stages: the time in their kernels with it over the time without."));
  if (const RefereeRow referee = referee_row(panel.state); !referee.says.empty())
    fact(panel, tr("Referee"), referee.says, referee.meaning, {}, referee.contradicts);
  text(tr("Data"), theme.faint_text);
  ImGui::SameLine();
  if (run.verified && *run.verified)
    right_text(tr("verified"));
  else if (run.verified)
    right_text(tr("WRONG"), theme.error);
  else
    right_text(tr("not checked"));
  const bool of_model = run.trace.provenance.kind == trace::Provenance::Kind::model;
  if (!run.verified && ImGui::IsItemHovered())
    tooltip(of_model ? tr("A model moves no data. What a missing order leaves open is marked in the program.")
                     : tr("Run (Space) compares all data with what the CPU computes, where Verify is on. A run after a "
                          "change of a control, or of live mode, leaves that out, so that its picture comes soon."));
  engines(panel, a);
}

// What the run's time was made of; while that is not known, pale what the time of the run before was made of, so that
// what stands below does not jump.
void time_of(const Panel& panel, SummaryView& view, int plot_width) {
  if (hides_verdict(panel.state.lesson)) return;
  std::shared_ptr<const RunVerdict> of = verdict_in_view(panel.state);
  const bool pale = of == nullptr;
  if (const auto before = panel.state.verdicts.found.find(view.verdict.last);
      pale && !panel.state.running.live && before != panel.state.verdicts.found.end())
    of = before->second;
  if (!has_entries(of.get())) return;
  ImGui::BeginDisabled(pale);
  path_section(panel, *of, view.path, plot_width);
  idle_section(panel, *of);
  ImGui::EndDisabled();
}

void provenance(const Panel& panel, const trace::Run& run) {
  const trace::Provenance& p = run.trace.provenance;
  badge_line(panel, p);
  wrapped(reading::provenance_line(p));
  if (!p.clock.empty()) wrapped(tr("Clock: {}", p.clock), panel.look.theme.faint_text);
  std::string how;
  if (!p.instrument.empty())
    how = p.gated ? tr("Instrument: {} with the gate", p.instrument) : tr("Instrument: {}", p.instrument);
  if (p.uncertainty != 0) how += fmt::format("{}±{}", how.empty() ? "" : ", ", display_duration(p.uncertainty));
  if (!how.empty()) wrapped(how, panel.look.theme.faint_text);
  if (!p.date.empty()) wrapped(p.date, panel.look.theme.faint_text);
  trace::Notes notes = run.notes;
  if (!ghost_of(panel.state).empty())
    for (const trace::Note& note : run.prediction->notes)
      if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
  for (const trace::Note& note : notes) {
    ImGui::Spacing();
    wrapped(note.text, panel.look.theme.faint_text);
  }
}

// The worst first; a click selects the operation on the timeline.
void deviations(const Panel& panel, const ShownRun& shown) {
  const trace::Run& run = *shown.run;
  const timeline::Theme& theme = panel.look.theme;
  heading(panel.look, tr("Prediction"));
  badge_line(panel, run.prediction->trace.provenance);
  wrapped(tr("profile {}", run.prediction->trace.provenance.profile));
  const auto with_error = [](Nanoseconds time, std::optional<double> error) {
    return error ? fmt::format("{}  {:+.1f} %", display_duration(time), *error * 100) : display_duration(time);
  };
  fact(panel, tr("Makespan"), with_error(run.prediction->makespan, shown.error.makespan),
       tr("As predicted, and how far that is from the run."));
  fact(panel, tr("Wall time"), with_error(run.prediction->wall, shown.error.wall),
       shown.error.bare ? tr("As predicted, and how far that is from the bare runs.")
                        : tr("As predicted, and how far that is from the run."));
  heading(panel.look, tr("Where they deviate"));
  if (shown.comparison.deviations.empty()) {
    wrapped(tr("Nowhere beyond the uncertainty of the measurement."), theme.faint_text);
    return;
  }
  constexpr std::size_t kShown = 5;
  const std::vector<analysis::Deviation>& all = shown.comparison.deviations;
  for (std::size_t i = 0; i < std::min(kShown, all.size()); ++i) {
    const analysis::Deviation& each = all[i];
    const std::optional<trace::Span> span = span_of(panel.state, each.operation);
    const std::string what = span ? reading::operation_title(run.trace, *span) : std::string();
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::Selectable("##deviation", each.operation == panel.state.timeline.selected))
      panel.emit(command::Select{each.operation});
    if (ImGui::IsItemHovered() && each.line != 0)
      tooltip(tr("Operation {}, line {}. Click to select it.", each.operation, each.line));
    // Over the row, which takes the clicks: how much, then of what, in columns.
    const ImVec2 from = ImGui::GetItemRectMin();
    const float y = from.y + (ImGui::GetItemRectSize().y - ImGui::GetTextLineHeight()) / 2;
    const float x = from.x + ImGui::GetStyle().ItemSpacing.x / 2;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::string by = reading::signed_duration(each.by);
    list.AddText({x, y}, packed(each.by > 0 ? theme.warning : theme.selection), by.c_str());
    list.AddText({x + width_of("+000.0 ms   "), y}, packed(theme.text), what.c_str());
    wrapped(each.cause, theme.faint_text);
    ImGui::PopID();
  }
  if (shown.comparison.count > kShown)
    wrapped(tr("In all: {}", analysis::sums_text(shown.comparison)), theme.faint_text);
}

void selected(const Panel& panel, const ShownRun& shown, const trace::Span& span, OperationSection& section) {
  const bool charged = section.follow(panel.state);
  const trace::Run& run = *shown.run;
  wrapped(reading::operation_title(run.trace, span), panel.look.theme.selection, &panel.look.fonts.strong);
  std::vector<reading::Fact> rows = reading::facts(run, span);
  if (!ghost_of(panel.state).empty())
    for (reading::Fact& each : reading::predicted_facts(run, shown.comparison, span)) rows.push_back(std::move(each));
  for (const reading::Fact& each : rows) {
    if (each.is_program)
      code_block(panel.look, each.value, [&](auto) { return panel.look.theme.text; });
    else if (each.explanation && !(charged && each.label.empty()))
      wrapped(each.value);
    else if (!each.explanation)
      fact(panel, each.label, each.value, {}, each.within_noise ? tr(kShorterThanSure) : "");
  }
  section.draw(panel);
  // What the file of another tool has besides.
  const Carried& carried = panel.state.carried;
  if (carried.run != shown.number || carried.operation != span.operation || carried.arguments.empty()) return;
  heading(panel.look, tr("In its file"));
  for (const input::Argument& each : carried.arguments) fact(panel, each.name, each.value);
}

}  // namespace

void summary_panel(const Panel& panel, const Box& place, int plot_width, SummaryView& view) {
  const State& state = panel.state;
  begin_panel("Summary", place);
  begin_walked_child("figures", {0, 0});
  if (!state.runs.shown) {
    heading(panel.look, tr("Summary"));
    wrapped(state.running.engine == EngineStatus::lost ? tr("No run yet.") : tr("The figures of a run appear here."),
            panel.look.theme.faint_text);
  } else {
    const ShownRun& shown = *state.runs.shown;
    // What a new run says stands at the top; live mode has a new one all the time.
    if (std::exchange(view.run, shown.number) != shown.number && !state.running.live) ImGui::SetScrollY(0);
    heading(panel.look, shown.number == 0 ? tr("Run in progress") : tr("Run {}", shown.number).c_str());
    if (state.timeline.range)
      of_range(panel, *state.timeline.range);
    else
      figures(panel, shown, view, plot_width);
    marks(panel, state, plot_width);
    // Above what depends on the selection: a click on a row must not move the rows.
    if (!ghost_of(state).empty()) deviations(panel, shown);
    if (!state.timeline.range) time_of(panel, view, plot_width);
    const bool other = std::exchange(view.selected, state.timeline.selected) != state.timeline.selected;
    if (const std::optional<trace::Span> span = span_of(state, state.timeline.selected)) {
      // What is selected elsewhere comes into sight; what is chosen here must not move.
      const float lines = ImGui::GetTextLineHeightWithSpacing() * 8;
      const float y = ImGui::GetCursorPosY() - ImGui::GetScrollY();
      const bool in_sight = y >= 0 && y + lines <= ImGui::GetWindowHeight();
      if (other && !in_sight && !state.verdicts.lit && !ImGui::IsWindowHovered()) ImGui::SetScrollHereY(0);
      heading(panel.look, tr("Selected operation"));
      selected(panel, shown, *span, view.operation);
    }
    heading(panel.look, tr("Where this comes from"));
    provenance(panel, *shown.run);
  }
  ImGui::EndChild();
  ImGui::End();
}

}  // namespace streamscope::window

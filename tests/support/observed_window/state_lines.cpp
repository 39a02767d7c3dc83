#include "tests/support/observed_window/state_lines.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/window/state/compared_runs.h"
#include "app/window/state/observer_meter.h"
#include "app/window/state/referee_row.h"
#include "app/window/state/run_verdicts.h"
#include "app/window/state/state.h"
#include "app/window/state/undo.h"

namespace streamscope::tests {

using namespace window;

namespace {

template <class T>
bool changed(T& was, const T& is) {
  if (was == is) return false;
  was = is;
  return true;
}

// "16 of 49 rows by Duration, down, the first 12", or what is wrong with the search.
std::string table_text(const State& s) {
  if (!s.readings.table) return {};
  const TableReading& t = *s.readings.table;
  if (t.error) return fmt::format("search error column {}: {}", t.error->column, t.error->message);
  const trace::Trace& trace = t.of->run->trace;
  const std::string first =
      t.rows->size() == 0 ? "none" : fmt::format("{}", trace::span_at(trace, (*t.rows)[0]).operation);
  return fmt::format("table {} of {} rows by {}, {}, the first {}", t.rows->size(), trace::span_count(trace),
                     reading::heading(t.sort.by), t.sort.descending ? "down" : "up", first);
}

// Of a range and of marks, as the summary shows them.
std::string figures_text(const State& s) {
  if (!s.readings.range || range_due(s) || (!s.timeline.range && s.timeline.marks.empty())) return {};
  const RangeReading& r = *s.readings.range;
  std::string words;
  if (r.range)
    words = fmt::format("range {} {}: {} operations, makespan {}", r.range->start, r.range->end, r.operations,
                        r.analysis.makespan);
  for (const std::size_t each : r.in_marks) words += fmt::format(" mark of {}", each);
  return words;
}

std::string first_line(const char* text) {
  const std::string_view all = text == nullptr ? "" : text;
  return std::string(all.substr(0, all.find('\n')));
}

// What a person finds in the clipboard: "csv 4 rows", and the first of them.
void write_clipboard() {
  const char* held = ImGui::GetClipboardText();
  const std::string csv = held == nullptr ? "" : held;
  const std::size_t first = csv.find('\n') + 1;
  write_line("csv {} rows", std::max<std::ptrdiff_t>(0, std::count(csv.begin(), csv.end(), '\n') - 1));
  write_line("csv first {}", csv.substr(first, csv.find('\n', first) - first));
}

}  // namespace

void StateLines::write(const State& s, int engine_process) {
  const bool other_process = engine_process != 0 && changed(process_, engine_process);
  if (changed(engine_, s.running.engine) || (other_process && s.running.engine == EngineStatus::up)) {
    if (s.running.engine == EngineStatus::up) write_line("engine up {}", engine_process);
    if (s.running.engine == EngineStatus::lost) write_line("engine lost: {}", s.running.lost.why);
    if (s.running.engine == EngineStatus::starting) write_line("engine starting");
  }
  if (s.runs.shown && s.runs.shown->number != 0 && changed(shown_, s.runs.shown->number)) {
    const trace::Run& run = *s.runs.shown->run;
    write_line("run {} done: {} spans, {}", s.runs.shown->number, trace::span_count(run.trace), s.runs.shown->label);
  }
  // "profile h200, changed: copies.engines 1 (was 3)"; of the prediction in view likewise.
  if (s.runs.shown && changed(profile_, s.runs.shown->run->trace.provenance.profile))
    write_line("profile {}", profile_);
  if (changed(ghost_, ghost_of(s))) write_line("ghost {}", ghost_.empty() ? "none" : ghost_);
  if (changed(kept_, s.runs.all.size())) write_line("runs kept {}", kept_);
  if (changed(checked_, s.editing.checked)) {
    if (!has_error(s.editing.diagnostics)) write_line("program ok, version {}", s.editing.checked);
    for (const program::Diagnostic& each : s.editing.diagnostics)
      if (each.severity == program::Diagnostic::Severity::error)
        write_line("program error line {} column {}: {}", each.line, each.column, each.message);
  }
  if (changed(cuda_, s.cuda.written ? s.cuda.written->version : 0))
    write_line("CUDA C++ of version {}, {} lines", cuda_, s.cuda.written->source.lines.size());
  if (changed(looked_at_, s.cuda.looked_at)) write_line("looks at line {}", looked_at_);
  if (changed(edited_, s.editing.edited)) write_line("{}", s.editing.edited ? "edited" : "not edited");
  if (changed(selected_, s.timeline.selected)) {
    if (selected_ == kNoOperation)
      write_line("selected none");
    else
      write_line("selected {}", selected_);
  }
  if (changed(opening_, s.timeline.opening)) {
    std::string open;
    for (const std::uint32_t each : opening_.multiprocessors) open += fmt::format(" {}", each);
    write_line("inside {}",
               opening_.operation == kNoOperation ? "none" : fmt::format("{}:{}", opening_.operation, open));
  }
  if (changed(live_, s.running.live)) write_line("live {}", live_ ? "on" : "off");
  if (changed(measuring_, s.settings.measuring))
    write_line("instrument {} share {} gate {} in-kernel {}", device::name(s.settings.measuring.instrument),
               s.settings.measuring.share, s.settings.measuring.gate ? "on" : "off", s.settings.measuring.stages_of);
  if (std::string figure = meter(s).figure; changed(observer_, figure)) write_line("observer {}", observer_);
  if (changed(referee_, referee_row(s).says)) write_line("referee {}", referee_.empty() ? "says nothing" : referee_);
  const auto verdict = verdict_in_view(s);
  if (const std::uint64_t judged = verdict ? verdict->number : 0;
      changed(judged_, judged) && has_entries(verdict.get()))
    write_line("verdict of run {}: {}", judged, verdict::name(verdict->explained->verdict.entries.front().cause));
  if (changed(lit_, s.verdicts.lit ? s.verdicts.lit->operations.size() : 0)) write_line("lit {}", lit_);
  const Trial* const trial = s.runs.shown ? trial_of(s, s.runs.shown->number) : nullptr;
  if (changed(tried_, trial == nullptr ? std::string() : trial_text(s, *trial)) && trial != nullptr)
    write_line("tried {}", tried_);
  const auto& uncompiled = s.editing.uncompiled;
  if (changed(uncompiled_, uncompiled ? uncompiled->errors.size() : 0) && uncompiled_ != 0)
    write_line("does not compile {} errors", uncompiled_);
  if (changed(error_, uncompiled ? uncompiled->looked_at : 0)) write_line("looks at error {}", error_);
  if (changed(refused_, s.editing.refused.has_value()))
    write_line("{}", refused_ ? "asks about long kernels" : "asks no more about long kernels");
  if (changed(asks_close_, s.workspace.asks_close)) write_line("{}", asks_close_ ? "asks about closing" : "stays open");
  if (changed(differs_, differs_from_run(s))) write_line("differs {}", differs_.empty() ? "no more" : differs_);
  if (changed(experiment_, s.editing.experiment))
    write_line("set {} streams, {} host", s.editing.experiment.streams, name_of(s.editing.experiment.host));
  if (changed(export_open_, s.workspace.export_open)) write_line("export {}", export_open_ ? "open" : "closed");
  if (changed(walk_, s.workspace.walk)) write_line("walks {}", walk_);
  if (changed(theme_, s.workspace.theme)) write_line("theme {}", timeline::name(theme_));
  if (changed(text_scale_, s.workspace.text_scale)) write_line("text scale {}", text_scale_);
  if (changed(view_, s.timeline.view ? fmt::format("{} {}", s.timeline.view->origin, s.timeline.view->scale)
                                     : std::string("whole")))
    write_line("view {}", view_);
  if (changed(measure_, s.timeline.measured ? fmt::format("{} {}", s.timeline.measured->start, s.timeline.measured->end)
                                            : std::string()))
    write_line("measure {}", measure_);
  if (changed(range_,
              s.timeline.range ? fmt::format("{} {}", s.timeline.range->start, s.timeline.range->end) : std::string()))
    write_line("range {}", range_.empty() ? "none" : range_);
  if (changed(marks_, s.timeline.marks.size())) write_line("marks {}", marks_);
  if (changed(choice_, s.timeline.choice))
    write_line("pinned {} folded {}", choice_.pinned.size(),
               choice_.collapsed.size() + choice_.collapsed_devices.size());
  if (changed(palette_, s.workspace.palette_open)) write_line("palette {}", palette_ ? "open" : "closed");
  if (changed(keys_open_, s.workspace.keys_open)) write_line("keys {}", keys_open_ ? "open" : "closed");
  if (changed(help_, s.help.open ? "on " + s.help.topic.word : "closed")) write_line("help {}", help_);
  if (changed(hint_, s.workspace.hint_open)) write_line("hint {}", hint_ ? "open" : "closed");
  if (changed(shown_alone_, s.timeline.lit))
    write_line("shown alone {}", shown_alone_ == timeline::kNoMeaning ? "nothing" : std::to_string(shown_alone_));
  if (changed(presenting_, s.workspace.presenting)) write_line("presenting {}", presenting_ ? "on" : "off");
  const std::size_t arguments = s.carried.arguments.size();
  if (changed(arguments_, arguments)) write_line("arguments {}", arguments_);
  if (changed(dock_, s.workspace.dock)) write_line("dock {}", static_cast<int>(dock_));
  if (changed(table_, table_text(s)) && !table_.empty()) write_line("{}", table_);
  if (changed(figures_, figures_text(s))) write_line("figures {}", figures_.empty() ? "of all" : figures_);
  const std::string lesson = s.lesson.open ? fmt::format("{} step {}", s.lesson.open->name, s.lesson.step) : "none";
  if (changed(lesson_, lesson)) write_line("lesson {}", lesson_);
  if (changed(playing_, s.slow_motion.playing)) write_line("{}", playing_ ? "plays" : "stands");
  if (changed(slower_, s.slow_motion.times_slower)) write_line("{:.0f} times slower", slower_);
  // While it plays there would be sixty a second.
  if (!s.slow_motion.playing && changed(playhead_, s.slow_motion.playhead))
    write_line("playhead {}", known(playhead_) ? std::to_string(playhead_) : "none");
  // "compared with 2 stacked", and once both are held against each other "pairs 48 of 1 and 2, 3 and 0 alone, worst
  // first 12 7"
  const char* arranged = s.comparison.arrangement == command::Arrangement::stacked ? "stacked" : "overlaid";
  if (changed(compared_,
              s.comparison.second ? fmt::format("{} {}", s.comparison.second->number, arranged) : std::string()))
    write_line("compared with {}", compared_.empty() ? "none" : compared_);
  if (const ShownPair* pair = pair_in_view(s)) {
    const analysis::PairedRuns& of = *pair->paired;
    std::string words = fmt::format("{} of {} and {}, {} and {} alone", of.pairs, pair->first->number,
                                    pair->second->number, of.alone_in_first, of.alone_in_second);
    if (!pair->order.empty()) words += fmt::format(", worst {}", pair->order.front());
    if (changed(pair_, words)) write_line("pairs {}", pair_);
  }
  if (changed(selected_compared_, s.comparison.selected) && selected_compared_ != kNoOperation)
    write_line("selected compared {}", selected_compared_);
  std::string names;
  for (const auto& [number, name] : s.runs.names)
    names += fmt::format("{}{} = {}", names.empty() ? "" : ", ", number, name);
  if (changed(names_, names)) write_line("named {}", names_.empty() ? "none" : names_);
  if (changed(said_, s.status.text)) {
    if (said_.ends_with(" as CSV.")) write_clipboard();
    if (said_.ends_with(" of CUDA C++.")) write_line("clipboard {}", first_line(ImGui::GetClipboardText()));
    write_line("{}: {}", s.status.error ? "said error" : "said", said_);
  }
}

}  // namespace streamscope::tests

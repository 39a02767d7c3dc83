#include "app/window/report.h"

#include <utility>

#include "app/window/state/compared_runs.h"
#include "app/window/state/observer_meter.h"
#include "app/window/state/table_and_range.h"

namespace streamscope::window {
namespace {

template <class T>
bool changed(T& was, const T& is) {
  if (was == is) return false;
  was = is;
  return true;
}

// "16 of 49 rows by Duration, down, the first 12", or what is wrong with the search.
std::string table_text(const State& s) {
  if (!s.table) return {};
  const TableReading& t = *s.table;
  if (t.error) return fmt::format("search error column {}: {}", t.error->column, t.error->message);
  const trace::Trace& trace = t.of->run->trace;
  const std::string first =
      t.rows->size() == 0 ? "none" : fmt::format("{}", trace::span_at(trace, (*t.rows)[0]).operation);
  return fmt::format("table {} of {} rows by {}, {}, the first {}", t.rows->size(), trace::span_count(trace),
                     reading::heading(t.sort.by), t.sort.descending ? "down" : "up", first);
}

// Of a range and of marks, as the summary shows them.
std::string figures_text(const State& s) {
  if (!s.range_reading || range_due(s) || (!s.range && s.marks.empty())) return {};
  const RangeReading& r = *s.range_reading;
  std::string words;
  if (r.range)
    words = fmt::format("range {} {}: {} operations, makespan {}", r.range->start, r.range->end, r.operations,
                        r.analysis.makespan);
  for (const std::size_t each : r.in_marks) words += fmt::format(" mark of {}", each);
  return words;
}

}  // namespace

void Report::changes(Probe& probe, const State& s, int engine_process) {
  if (!probe.on()) return;
  const bool other_process = engine_process != 0 && changed(process_, engine_process);
  if (changed(engine_, s.engine) || (other_process && s.engine == EngineStatus::up)) {
    if (s.engine == EngineStatus::up) probe.say("engine up {}", engine_process);
    if (s.engine == EngineStatus::lost) probe.say("engine lost: {}", s.lost.why);
    if (s.engine == EngineStatus::starting) probe.say("engine starting");
  }
  if (s.shown && s.shown->number != 0 && changed(shown_, s.shown->number)) {
    const trace::Run& run = *s.shown->run;
    probe.say("run {} done: {} spans, {}", s.shown->number, trace::span_count(run.trace), s.shown->label);
  }
  // "profile h200, changed: copies.engines 1 (was 3)"; of the prediction in view likewise.
  if (s.shown && changed(profile_, s.shown->run->trace.provenance.profile)) probe.say("profile {}", profile_);
  if (changed(ghost_, ghost_of(s))) probe.say("ghost {}", ghost_.empty() ? "none" : ghost_);
  if (changed(kept_, s.runs.size())) probe.say("runs kept {}", kept_);
  if (changed(checked_, s.checked)) {
    if (!has_error(s.diagnostics)) probe.say("program ok, version {}", s.checked);
    for (const program::Diagnostic& each : s.diagnostics)
      if (each.severity == program::Diagnostic::Severity::error)
        probe.say("program error line {} column {}: {}", each.line, each.column, each.message);
  }
  if (changed(edited_, s.edited)) probe.say("{}", s.edited ? "edited" : "not edited");
  if (changed(selected_, s.selected)) {
    if (selected_ == kNoOperation)
      probe.say("selected none");
    else
      probe.say("selected {}", selected_);
  }
  if (changed(opening_, s.opening)) {
    std::string open;
    for (const std::uint32_t each : opening_.multiprocessors) open += fmt::format(" {}", each);
    probe.say("inside {}",
              opening_.operation == kNoOperation ? "none" : fmt::format("{}:{}", opening_.operation, open));
  }
  if (changed(live_, s.live)) probe.say("live {}", live_ ? "on" : "off");
  if (changed(measuring_, s.measuring))
    probe.say("instrument {} share {} gate {} in-kernel {}", device::name(s.measuring.instrument), s.measuring.share,
              s.measuring.gate ? "on" : "off", s.measuring.stages_of);
  if (std::string figure = meter(s).figure; changed(observer_, figure)) probe.say("observer {}", observer_);
  if (changed(refused_, s.refused.has_value()))
    probe.say("{}", refused_ ? "asks about long kernels" : "asks no more about long kernels");
  if (changed(theme_, s.theme)) probe.say("theme {}", timeline::name(theme_));
  if (changed(text_scale_, s.text_scale)) probe.say("text scale {}", text_scale_);
  if (changed(view_, s.view ? fmt::format("{} {}", s.view->origin, s.view->scale) : std::string("whole")))
    probe.say("view {}", view_);
  if (changed(measure_, known(s.measure_begin) ? fmt::format("{} {}", s.measure_begin, s.measure_end) : std::string()))
    probe.say("measure {}", measure_);
  if (changed(range_, s.range ? fmt::format("{} {}", s.range->start, s.range->end) : std::string()))
    probe.say("range {}", range_.empty() ? "none" : range_);
  if (changed(marks_, s.marks.size())) probe.say("marks {}", marks_);
  if (changed(choice_, s.choice)) probe.say("pinned {} folded {}", choice_.pinned.size(), choice_.collapsed.size());
  if (changed(palette_, s.palette_open)) probe.say("palette {}", palette_ ? "open" : "closed");
  if (changed(keys_open_, s.keys_open)) probe.say("keys {}", keys_open_ ? "open" : "closed");
  if (changed(dock_, s.dock)) probe.say("dock {}", static_cast<int>(dock_));
  if (changed(table_, table_text(s)) && !table_.empty()) probe.say("{}", table_);
  if (changed(figures_, figures_text(s))) probe.say("figures {}", figures_.empty() ? "of all" : figures_);
  if (changed(playing_, s.playing)) probe.say("{}", playing_ ? "plays" : "stands");
  if (changed(slower_, s.times_slower)) probe.say("{:.0f} times slower", slower_);
  // While it plays it would be told sixty times a second.
  if (!s.playing && changed(playhead_, s.playhead))
    probe.say("playhead {}", known(playhead_) ? std::to_string(playhead_) : "none");
  // "beside 2 stacked", and once both are held against each other "pairs 48 of 1 and 2, 3 and 0 alone, worst first 12
  // 7"
  const char* arranged = s.arrangement == command::Arrangement::stacked ? "stacked" : "overlaid";
  if (changed(beside_, s.beside ? fmt::format("{} {}", s.beside->number, arranged) : std::string()))
    probe.say("beside {}", beside_.empty() ? "none" : beside_);
  if (const ShownPair* pair = pair_in_view(s)) {
    const analysis::PairedRuns& of = *pair->paired;
    std::string words = fmt::format("{} of {} and {}, {} and {} alone", of.pairs, pair->first->number,
                                    pair->second->number, of.alone_in_first, of.alone_in_second);
    if (!pair->order.empty()) words += fmt::format(", worst {}", pair->order.front());
    if (changed(pair_, words)) probe.say("pairs {}", pair_);
  }
  if (changed(selected_beside_, s.selected_beside) && selected_beside_ != kNoOperation)
    probe.say("selected beside {}", selected_beside_);
  std::string names;
  for (const auto& [number, name] : s.run_names)
    names += fmt::format("{}{} = {}", names.empty() ? "" : ", ", number, name);
  if (changed(names_, names)) probe.say("named {}", names_.empty() ? "none" : names_);
  if (changed(said_, s.said)) probe.say("{}: {}", s.said_error ? "said error" : "said", said_);
}

}  // namespace streamscope::window

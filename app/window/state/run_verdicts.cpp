#include "app/window/state/run_verdicts.h"

#include <algorithm>
#include <utility>

#include "app/window/state/run_requests.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::window {
namespace {

bool is_model(const trace::Run& run) { return run.trace.provenance.kind == trace::Provenance::Kind::model; }

void light_up(State& state, std::vector<OperationIndex> operations) {
  if (operations.empty()) {
    state.verdicts.lit.reset();
    return;
  }
  std::ranges::sort(operations);
  state.verdicts.lit = Lit{.operations = std::move(operations), .of = nullptr, .highlight = nullptr};
}

// So much memory is not kept for runs that nobody looks at.
void drop_old(State& state) {
  Verdicts& verdicts = state.verdicts;
  const std::uint64_t shown = state.runs.shown ? state.runs.shown->number : kNoRun;
  std::size_t spans = 0;
  for (auto it = verdicts.found.rbegin(); it != verdicts.found.rend(); ++it)
    spans += trace::span_count(it->second->run->trace);
  std::erase_if(verdicts.found, [&](const auto& each) {
    if (each.first == shown) return false;
    const std::size_t its = trace::span_count(each.second->run->trace);
    const bool goes = spans > kSpansExplained || find_run(state.runs, each.first) == nullptr;
    if (goes) spans -= its;
    return goes;
  });
}

struct VerdictUpdate {
  State& state;
  Effects& effects;
  Verdicts& verdicts = state.verdicts;

  void operator()(const command::VerdictFound& c) {
    if (verdicts.asked == c.verdict->run) verdicts.asked.reset();
    const bool in_view = state.runs.shown && state.runs.shown->run == c.verdict->run;
    if (!in_view && find_run(state.runs, c.verdict->number) == nullptr) return;
    verdicts.found[c.verdict->number] = c.verdict;
    drop_old(state);
    // Data that may be wrong: where, is lit by itself, once for a program.
    const auto& missing = c.verdict->missing_order;
    if (!in_view || !missing || verdicts.lit || verdicts.hazard_shown == c.verdict->run->program) return;
    if (!state.readings.search.empty()) return;
    verdicts.hazard_shown = c.verdict->run->program;
    light_up(state, {missing->first, missing->second});
  }
  void operator()(const command::TryChange& c) {
    const ShownRun* const shown = state.runs.shown.get();
    if (shown == nullptr || shown->number == kNoRun) return;
    const auto verdict = verdict_in_view(state);
    if (verdict == nullptr || verdict->explained == nullptr) return;
    Trial trial{.before = shown->number,
                .after = 0,
                .makespan = verdict->explained->makespan,
                .help = c.help,
                .program = {},
                .editing = state.editing};
    trial.help.measured = kAbsent;
    apply(state.editing, c.help.changed);
    trial.program = state.editing.program;
    // One that has not run is no trial.
    std::erase_if(verdicts.trials, [](const Trial& each) { return each.after == 0; });
    verdicts.trials.push_back(std::move(trial));
    verdicts.lit.reset();
    state.workspace.hint_open = false;
    state.running.live = false;  // its next run would take the place of this one's
    run_now(state, effects, RunFor::figures);
  }
  void operator()(const command::TakeBack&) {
    if (verdicts.trials.empty() || !can_take_back(state, verdicts.trials.back())) return;
    bring_back(state.editing, verdicts.trials.back().editing);
    verdicts.trials.back().taken_back = true;
  }
  void operator()(const command::LightUp& c) {
    light_up(state, c.operations);
    if (!c.operations.empty()) state.timeline.selected = c.operations.front();
  }
  void operator()(const command::ShowLine& c) {
    state.workspace.show_line = c.line;
    update(state.workspace, command::ShowDock{command::Dock::program});
  }
  void operator()(const command::Lighted& c) {
    if (!verdicts.lit || verdicts.lit->operations != c.operations) return;
    verdicts.lit->of = c.of;
    verdicts.lit->highlight = c.highlight;
  }
};

}  // namespace

void update(State& state, Effects& effects, const VerdictCommand& command) {
  std::visit(VerdictUpdate{state, effects}, command);
}

void ask_verdict(State& state, Effects& effects) {
  Verdicts& verdicts = state.verdicts;
  const std::shared_ptr<const ShownRun>& shown = state.runs.shown;
  const auto now = state.running.started.find(state.running.in_progress);
  const bool runs = now != state.running.started.end() && !is_aside(now->second.purpose);
  const auto known_one = shown ? verdicts.found.find(shown->number) : verdicts.found.end();
  const bool wanted = shown && shown->number != 0 && !state.running.live && !runs &&
                      (known_one == verdicts.found.end() || known_one->second->run != shown->run);
  if (wanted && verdicts.asked == shown->run) return;
  if (verdicts.asked && !wanted) effects.drop_verdict = true;
  verdicts.asked = wanted ? shown->run : nullptr;
  if (wanted) effects.verdict = shown;
}

void note_trial(State& state, const ShownRun& run) {
  if (state.verdicts.trials.empty() || run.number == 0) return;
  Trial& trial = state.verdicts.trials.back();
  if (trial.after != 0 || run.run->program != trial.program || run.number <= trial.before) return;
  trial.after = run.number;
  trial.help.measured = run.run->makespan ? run.run->makespan->median : run.analysis.makespan;
}

std::string verdict_stands(const State& state) {
  if (hides_verdict(state.lesson)) return tr("Why it took so long is said when the lesson asks no more.");
  if (const auto found = verdict_in_view(state)) return found->why_not;
  if (state.running.live) return tr("Why it took so long is said when live mode ends.");
  return tr("looking for why…");
}

const Trial* trial_of(const State& state, std::uint64_t run) {
  const auto& all = state.verdicts.trials;
  const auto found = std::ranges::find(all, run, &Trial::after);
  return run == 0 || found == all.end() ? nullptr : &*found;
}

const Trial* trial_with(const State& state, std::uint64_t run, const remedy::Help& help) {
  const auto& all = state.verdicts.trials;
  const auto found = std::find_if(all.rbegin(), all.rend(), [&](const Trial& each) {
    return each.before == run && each.help.changed == help.changed;
  });
  return found == all.rend() ? nullptr : &*found;
}

bool can_take_back(const State& state, const Trial& trial) {
  return !trial.taken_back && &trial == &state.verdicts.trials.back() && trial.program == state.editing.program;
}

bool under_way(const State& state, const Trial& trial) {
  if (trial.after != 0 || trial.program != state.editing.program) return false;
  return state.running.in_progress != 0 || state.running.run_when_checked;
}

std::string trial_text(const State& state, const Trial& trial) {
  const remedy::Help& help = trial.help;
  const std::string range = help.low == help.high
                                ? std::string()
                                : tr(" ({} to {})", display_duration(help.low), display_duration(help.high));
  const std::string predicted = help.sure ? tr("predicted {}{}", display_duration(help.predicted), range)
                                          : tr("not predicted: what it gains is too uncertain");
  if (trial.after == 0) return under_way(state, trial) ? tr("{}, running…", predicted) : predicted;
  const auto run = find_run(state.runs, trial.after);
  const std::string took = display_duration(help.measured);
  return run && is_model(*run->run) ? tr("{}, simulated {}", predicted, took) : tr("{}, measured {}", predicted, took);
}

void draw_verdict_in(draw::FigureOptions& options, const State& state) {
  options.path = options.pale_off_path = options.rulers = false;
  options.judgement.reset();
  const auto verdict = verdict_in_view(state);
  if (!has_entries(verdict.get()) || state.comparison.second) return;
  options.judgement = {verdict, verdict->explained->judgement.get()};
  options.path = state.timeline.path != PathShown::no;
  options.pale_off_path = state.timeline.path == PathShown::alone;
  options.rulers = state.timeline.rulers;
}

std::optional<command::Lighted> lighting_due(const State& state) {
  const std::optional<Lit>& lit = state.verdicts.lit;
  if (!lit || !state.runs.shown || lit->of == state.runs.shown) return std::nullopt;
  return command::Lighted{state.runs.shown, lit->operations, nullptr};
}

command::Lighted lighted(command::Lighted due) {
  const trace::Trace& trace = due.of->run->trace;
  std::vector<bool> meant(trace::span_count(trace));
  for (const OperationIndex each : due.operations)
    if (const auto place = trace::find_index(trace, each)) meant[*place] = true;
  due.highlight = std::make_shared<const timeline::SearchHighlight>(timeline::search_highlight(due.of->tracks, meant));
  return due;
}

std::shared_ptr<const timeline::SearchHighlight> highlight_in_view(const State& state) {
  const std::optional<Lit>& lit = state.verdicts.lit;
  if (!lit) return search_highlight(state);
  return lit->of == state.runs.shown ? lit->highlight : nullptr;
}

}  // namespace streamscope::window

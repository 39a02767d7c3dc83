#include "app/window/state/sweep_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/window/state/run_requests.h"
#include "app/window/state/undo.h"
#include "engine/base/place.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/experiment/check.h"
#include "engine/experiment/experiment_file.h"

namespace streamscope::window {
namespace {

// A point that is the same program as an earlier one has what that has.
void fill_repeated(Sweeping& sweeping) {
  for (std::size_t i = 0; i < sweeping.sweep.points.size(); ++i) {
    const auto& same = sweeping.combinations.all[i].same_as;
    if (!same) continue;
    sweeping.sweep.points[i] = sweeping.sweep.points[*same];
    sweeping.sweep.points[i].same_as = same;
    sweeping.runs[i] = sweeping.runs[*same];
  }
}

bool to_run(const sweep::Combination& one) { return one.why_not.empty() && !one.same_as; }

void run_next(State& state, Effects& effects) {
  Sweeping& s = state.sweeping;
  while (s.next < s.combinations.all.size() && !to_run(s.combinations.all[s.next])) ++s.next;
  if (s.next < s.combinations.all.size()) return ask_run(state, effects, RunFor::sweep);
  s.going = false;
  say(state.status, tr("The sweep is done: {} combinations.", s.sweep.points.size()));
}

// An axis is a field here and no option: "--axis chunk=6MiB: error: ..." is "chunk=6MiB: ...".
std::string in_window(std::string_view message) {
  constexpr std::string_view kOption = "--axis";
  std::string out;
  for (std::string_view rest = message; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (!out.empty()) out += '\n';
    const auto parts = parts_of_error(line);
    if (!parts || !parts->place.starts_with(kOption)) {
      out += line;
      continue;
    }
    std::string_view place = parts->place.substr(kOption.size());
    while (place.starts_with(' ')) place.remove_prefix(1);
    if (!place.empty()) out += fmt::format("{}: ", place);
    out += parts->what;
  }
  return out;
}

// As long as nobody chose another.
bool is_first_choice(const SweepAxis& axis) {
  const SweepAxis first = Sweeping().axes.front();
  return axis.key == first.key && axis.values == first.values;
}

// Parts of the chunk that is set, which divide whatever that divides: "1MiB, 2MiB, 4MiB".
SweepAxis chunk_axis(std::uint64_t chunk) {
  std::vector<std::string> values;
  for (const std::uint64_t part : {8, 4, 2, 1})
    if (chunk % (part * 4) == 0) values.push_back(exact_bytes(chunk / part));
  return {"chunk", fmt::format("{}", fmt::join(values, ", "))};
}

}  // namespace

std::array<SweepAxis, 2> axes_to_sweep(const State& state) {
  std::array<SweepAxis, 2> axes = state.sweeping.axes;
  const experiment::Experiment& e = state.editing.experiment;
  const std::vector<experiment::UnusedKey> unused = experiment::unused_keys(e);
  const bool of_no_effect = std::ranges::find(unused, axes[0].key, &experiment::UnusedKey::key) != unused.end();
  if (of_no_effect && is_first_choice(axes[0]) && axes[1].key != "chunk") axes[0] = chunk_axis(e.chunk);
  return axes;
}

void start_sweep(State& state, Effects& effects) {
  Sweeping& s = state.sweeping;
  if (s.going || s.combining) return;
  s.wrong.clear();
  if (state.editing.edited || state.editing.own_program) {
    s.wrong = tr("Only an experiment has keys to sweep; this is a program of its own.");
    return;
  }
  std::vector<std::string> texts;
  for (const SweepAxis& each : axes_to_sweep(state))
    if (!each.key.empty()) texts.push_back(fmt::format("{}=[{}]", each.key, each.values));
  auto axes = sweep::parse_axes(texts);
  if (!axes) {
    s.wrong = in_window(axes.error().message);
    return;
  }
  state.running.live = false;
  const std::string file = state.editing.experiment_name + ".toml";
  s.source = {{file, file, experiment::to_toml(state.editing.experiment)}, std::move(*axes)};
  s.setup = setup_of(state);
  s.combining = true;
  effects.combine = s.source;
}

void take_combinations(State& state, Effects& effects, const command::SweepCombined& c) {
  Sweeping& s = state.sweeping;
  if (!std::exchange(s.combining, false)) return;
  if (!c.found) {
    s.wrong = in_window(c.found.error().message);
    return;
  }
  if (const std::string why = why_not_run(state); !why.empty()) {
    s.wrong = why;
    return;
  }
  s.combinations = *c.found;
  const auto can_be = [](const sweep::Combination& one) { return one.why_not.empty(); };
  const bool of_kernels = std::ranges::all_of(
      s.combinations.all, [&](const sweep::Combination& one) { return !can_be(one) || one.has_tiles; });
  const std::string before = std::exchange(s.sweep, {}).figure;
  s.sweep.title = s.combinations.title;
  s.sweep.axes = s.source.axes;
  s.sweep.notes = s.combinations.notes;
  const auto choices = sweep::choices(of_kernels);
  s.sweep.figure = std::ranges::find(choices, before) != choices.end() ? before : std::string(choices.front());
  s.sweep.points.resize(s.combinations.all.size());
  for (std::size_t i = 0; i < s.sweep.points.size(); ++i) s.sweep.points[i].why_not = s.combinations.all[i].why_not;
  s.runs.assign(s.sweep.points.size(), nullptr);
  s.spans_kept = 0;
  s.next = 0;
  s.going = true;
  run_next(state, effects);
}

void point_done(State& state, Effects& effects, std::shared_ptr<const trace::Run> run) {
  Sweeping& s = state.sweeping;
  if (!s.going) return;
  effects.sweep_results.push_back({s.next, run});
  s.spans_kept += trace::span_count(run->trace);
  if (s.spans_kept <= kSpansKept) s.runs[s.next] = std::move(run);
  ++s.next;
  run_next(state, effects);
}

void point_failed(State& state, Effects& effects, const Error& error) {
  Sweeping& s = state.sweeping;
  if (!s.going) return;
  if (error.kind == ErrorKind::cancelled || error.kind == ErrorKind::device_failed) {
    s.going = false;
    s.wrong = tr("not run: {}", sweep::reason_of(error));
    return;
  }
  s.sweep.points[s.next].why_not = sweep::reason_of(error);
  fill_repeated(s);
  ++s.next;
  run_next(state, effects);
}

void take_result(Sweeping& s, const command::SweepMeasured& c) {
  if (c.point >= s.sweep.points.size()) return;
  s.sweep.points[c.point].result = c.result;
  s.sweep.provenance = c.result.provenance;
  for (const trace::Note& each : c.result.notes)
    if (std::ranges::find(s.sweep.notes, each) == s.sweep.notes.end()) s.sweep.notes.push_back(each);
  fill_repeated(s);
}

void show_point(State& state, Effects& effects, std::size_t point) {
  Sweeping& s = state.sweeping;
  if (point >= s.runs.size()) return;
  const std::shared_ptr<const trace::Run>& run = s.runs[point];
  if (!run) {
    // It is made anew.
    if (s.going || !s.sweep.points[point].result) return;
    set_up(state, setup_of_point(s, point));
    return run_now(state, effects, RunFor::figures);
  }
  effects.prepare.push_back(
      {.id = 0,
       .number = ++state.runs.finished,
       .started = {.label = name_of_point(s, point), .setup = std::make_shared<const Setup>(setup_of_point(s, point))},
       .run = run});
}

void stop_sweep(State& state, Effects& effects) {
  Sweeping& s = state.sweeping;
  s.combining = false;
  if (!std::exchange(s.going, false)) return;
  s.wrong = tr("not run: {}", tr("The sweep was stopped on request."));
  const auto now = state.running.started.find(state.running.in_progress);
  if (now != state.running.started.end() && now->second.purpose == RunFor::sweep) effects.stop = true;
  effects.drop_run = true;
}

}  // namespace streamscope::window

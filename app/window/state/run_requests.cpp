#include "app/window/state/run_requests.h"

#include <algorithm>

#include "app/window/state/observer_effect.h"
#include "app/window/state/sweep_runs.h"
#include "app/window/state/undo.h"
#include "engine/base/translate.h"
#include "engine/experiment/experiment_file.h"

namespace streamscope::window {

constexpr std::uint32_t kBlocksOfLessons = 100;  // one in so many records its stages, where the lesson asks for them

void ask_run(State& state, Effects& effects, RunFor purpose) {
  if (purpose != RunFor::sweep) stop_sweep(state, effects);
  effects.run = RunWanted{.purpose = purpose, .long_kernels = false, .asked = kAbsent};
  state.running.pairs_due = kAbsent;
  if (!is_aside(purpose)) state.running.referee_due = kAbsent;
  state.editing.refused.reset();
  state.editing.uncompiled.reset();
  state.slow_motion.playing = false;  // its frames would disturb the run
  const auto now = state.running.started.find(state.running.in_progress);
  if (now != state.running.started.end() && is_aside(now->second.purpose)) effects.stop = true;
}

void ask_run_after_change(State& state, Effects& effects) {
  if (state.running.engine != EngineStatus::up || !state.running.ran_once || state.sweeping.going) return;
  if (!why_not_run(state).empty()) return;
  if (!state.running.live && known(state.settings.quick_took) && state.settings.quick_took >= kQuickEnough) return;
  ask_run(state, effects, RunFor::picture);
  effects.run->asked = host_now();
}

void run_now(State& state, Effects& effects, RunFor purpose) {
  if (must_be_checked(state.editing)) {
    state.running.run_when_checked = true;
    effects.check = true;
    return;
  }
  if (const std::string why = why_not_run(state); !why.empty()) {
    say(state.status, why, true);
    state.running.live = false;
    return;
  }
  ask_run(state, effects, purpose);
}

void drop_preview(State& state) {
  state.running.preview.clear();
  if (state.runs.shown && state.runs.shown->number == 0)
    state.runs.shown = state.runs.all.empty() ? nullptr : state.runs.all.back();
}

std::string why_not_run(const State& state) {
  if (state.running.engine == EngineStatus::starting) return tr("The engine is starting.");
  if (state.running.engine == EngineStatus::lost) return tr("There is no engine. Start a new one.");
  if (hides_run(state.lesson)) return tr("Answer the question first, or skip it.");
  if (asked_later(state.lesson, state.editing.program))
    return tr("Predict first: the run is shown when the question is answered.");
  return why_not_run(state.editing);
}

// The model `to` with what is changed of `from`, where that is fewer of the same.
std::string with_changes_of(const std::string& from, const std::string& to) {
  const auto was = device::parse_device(from);
  auto is = device::parse_device(to);
  if (was && is && is->kind == device::DeviceSpec::Kind::model && is->profile.starts_with(was->profile + "x"))
    is->changes.insert(is->changes.begin(), was->changes.begin(), was->changes.end());
  return is ? text(*is) : to;
}

std::string picture_title(const State& state) {
  const bool named = state.runs.shown && state.runs.shown->run->experiment.empty() && !state.comparison.second;
  return named ? state.runs.shown->name : std::string();
}

remote::message::StartRun request(const State& state, RunFor purpose, bool long_kernels) {
  remote::message::StartRun request;
  const device::DeviceInfo* model = what_if_model(state.settings);
  const std::size_t devices = purpose == RunFor::sweep ? state.sweeping.combinations.all[state.sweeping.next].devices
                                                       : devices_named(state.editing);
  request.device = model != nullptr && !on_gpu(state.settings) && !state.settings.what_ifs.empty()
                       ? changed_model(state.settings, *model, devices)
                       : state.settings.device;
  // A changed model is compared with its unchanged profile: that shows what the changes do.
  if (state.settings.predict && !is_aside(purpose))
    request.predict = model == nullptr         ? "auto"
                      : on_gpu(state.settings) ? changed_model(state.settings, *model, devices)
                                               : model_named(state.settings, model->predicted_by, devices);
  const lesson::Place place = lesson_place(state.lesson, state.settings);
  const bool elsewhere = place.device != state.settings.device;  // the lesson needs another one
  if (elsewhere) request.device = with_changes_of(request.device, place.device), request.predict.clear();
  const bool measured = on_gpu(state.settings) && !elsewhere;
  if (purpose == RunFor::sweep) {
    const Setup point = setup_of_point(state.sweeping, state.sweeping.next);
    request.predict.clear();
    request.program = point.program;
    request.experiment = experiment::toml_for_run(point.experiment);
    request.options = {.runs = runs_of_figures(state.settings),
                       .serial = false,
                       .verify = state.sweeping.combinations.all[state.sweeping.next].verify};
    return request;
  }
  if (const lesson::RunToMake* made = next_lesson_run(state.lesson); purpose == RunFor::lesson && made != nullptr) {
    request.device = place.device;
    request.program = made->input.program;
    request.experiment = made->input.experiment;
    request.options = {.runs = runs_of_figures(state.settings), .verify = made->input.verify};
    request.options.own = state.lesson.own_code;
    if (made->stages) request.options.stages_of = kBlocksOfLessons;
    return request;
  }
  request.program = state.editing.program;
  request.own_times = state.editing.own_times;
  if (!state.editing.edited && !state.editing.own_program)
    request.experiment = experiment::toml_for_run(state.editing.experiment);
  measure::MeasureOptions& options = request.options;
  if (measured) {
    options.instrument = state.settings.measuring.instrument;
    options.share = state.settings.measuring.share;
    options.gate = state.settings.measuring.gate;
  }
  if (options.instrument == device::Instrument::full) options.stages_of = state.settings.measuring.stages_of;
  options.long_kernels = long_kernels;
  options.own = state.editing.own_code;
  options.verify = purpose == RunFor::figures &&
                   (state.editing.edited || state.editing.own_program || state.editing.experiment.verify);
  const int each = measured ? runs_to_see_all(state.settings.measuring) : 1;
  // A model's pass costs little, and what Run finds must not be another figure than a change of a control showed.
  options.serial = !long_kernels && (purpose == RunFor::figures || (purpose == RunFor::picture && !measured));
  switch (purpose) {
    case RunFor::figures:
      // A kernel that freezes the display does so in each pass: as few passes as a picture takes.
      options.runs = each * (long_kernels ? 1 : runs_of_figures(state.settings));
      options.observer_effect = !long_kernels;
      break;
    case RunFor::picture:
      options.runs = each;
      options.observer_effect = state.running.live && bare_due(state.running.pairs, subject_of(request));
      break;
    case RunFor::pairs: options.runs = std::max(each, kRunsForPairs); break;
    case RunFor::referee: request.referee = true; break;
    case RunFor::sweep:
    case RunFor::lesson: break;
  }
  return request;
}

StartedRun started(const State& state, const RunWanted& wanted, const remote::message::StartRun& request,
                   Nanoseconds begun) {
  const bool of_sweep = wanted.purpose == RunFor::sweep;
  const lesson::RunToMake* made = wanted.purpose == RunFor::lesson ? next_lesson_run(state.lesson) : nullptr;
  return {.label = of_sweep          ? name_of_point(state.sweeping, state.sweeping.next)
                   : made != nullptr ? made->name
                                     : label(state.editing),
          .asked = wanted.asked,
          .begun = begun,
          .purpose = wanted.purpose,
          .subject = subject_of(request),
          .setup = std::make_shared<const Setup>(setup_of(state)),
          .series = wanted.purpose == RunFor::picture ? state.running.series : 0,
          .ends_process = !of_sweep && made == nullptr && ends_its_process(state.editing),
          .own = request.options.own};
}

}  // namespace streamscope::window

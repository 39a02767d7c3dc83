// What the engine reports, taken into the state.
#include <utility>

#include "app/window/state/compared_runs.h"
#include "app/window/state/lesson_steps.h"
#include "app/window/state/observer_effect.h"
#include "app/window/state/run_requests.h"
#include "app/window/state/run_verdicts.h"
#include "app/window/state/sweep_runs.h"
#include "app/window/state/update.h"
#include "engine/base/translate.h"
#include "engine/program/diagnostic.h"

namespace streamscope::window {
namespace {

struct UpdateByEvent {
  State& state;
  Effects& effects;
  Running& running = state.running;

  void operator()(const session::session_event::EngineUp& e) {
    running.engine = EngineStatus::up;
    running.engine_program = e.program;
    take(state.settings, e.devices);
    const bool by_itself = running.lost.restarting;  // then what failed still stands in the status bar
    running.lost = {};
    if (!by_itself) say(state.status, running.ran_once ? tr("The new engine is ready.") : "");
    if (!std::exchange(running.ran_once, true))
      run_now(state, effects, RunFor::figures);
    else if (running.live)
      run_now(state, effects, RunFor::picture);
  }
  void operator()(const session::session_event::EngineLost& e) {
    // After a device failure the engine ends by itself and the session has begun a new one.
    running.engine = e.restarting ? EngineStatus::starting : EngineStatus::lost;
    running.lost = e;
    if (!e.restarting) {
      running.started.clear();
      running.in_progress = 0;
    } else if (running.started.erase(e.run); e.run == running.in_progress) {  // a run that waits goes to the new engine
      running.in_progress = 0;
    }
    drop_preview(state);
    stop_sweep(state, effects);
    effects.drop_run = true;
    running.run_when_checked = false;
    running.live_due = running.pairs_due = running.referee_due = kAbsent;
    if (e.restarting) return;
    say(state.status,
        e.run != 0 ? tr("The engine is gone, and the run in progress with it. Finished runs are kept.")
                   : tr("The engine is gone. Finished runs are kept."),
        true);
  }
  void operator()(const session::session_event::RunSpans& e) { update(running, e); }
  void operator()(const session::session_event::RunPasses& e) { update(running, e); }
  void operator()(const session::session_event::RunDone& e) {
    FinishedRun done{.id = e.run, .number = 0, .started = {}, .run = e.result};
    if (const auto found = running.started.find(e.run); found != running.started.end()) done.started = found->second;
    running.started.erase(e.run);
    const bool measured = e.result->trace.provenance.kind == trace::Provenance::Kind::measured;
    if (measured) note(running.pairs, done.started.subject, *e.result);
    const bool last = e.run == running.in_progress;
    if (last) ended(running);
    if (done.started.purpose == RunFor::sweep) return point_done(state, effects, e.result);
    if (done.started.purpose == RunFor::lesson) return lesson_run_done(state, effects, done.started, e.result);
    if (is_aside(done.started.purpose)) return;
    if (last && state.status.error) say(state.status, "");  // it was of a run before
    const Nanoseconds now = host_now();
    if (done.started.purpose == RunFor::picture && known(done.started.begun))
      state.settings.quick_took = now - done.started.begun;
    const bool again = measured && !done.started.ends_process;  // it can be passed through again
    const bool without = again && !e.result->observer_effect && !effect(running.pairs, done.started.subject);
    if (last && !running.live && without && known(state.settings.quick_took) &&
        state.settings.quick_took <= kShortEnoughForPairs)
      running.pairs_due = now + kRest;
    if (last && !running.live && again) running.referee_due = now + kRestForReferee;
    if (measured && !done.started.own.empty() && done.started.purpose == RunFor::figures)
      effects.own_measured = Effects::OwnMeasured{e.result, done.started.own};
    done.number = running.preparing = ++state.runs.finished;
    running.last_end = now;
    effects.prepare.push_back(std::move(done));
  }
  void operator()(const session::session_event::RunJudged& e) { judge(e.run, *e.opinion); }
  // The run in view, if it is still the one that was asked about, gets the opinion or the reason why there is none.
  void judge(std::uint64_t run, const Result<referee::Opinion>& opinion) {
    const auto found = running.started.find(run);
    const StartedRun started = found == running.started.end() ? StartedRun() : found->second;
    if (found != running.started.end()) running.started.erase(found);
    if (run == running.in_progress) ended(running);
    const std::shared_ptr<const ShownRun> shown = state.runs.shown;
    if (!shown || shown->number == 0 || started.subject == 0 || started.subject != shown->subject) return;
    const auto judged = std::make_shared<trace::Run>(*shown->run);
    referee::judge(*judged, opinion);
    effects.prepare.push_back({.id = shown->id,
                               .number = shown->number,
                               .started = {.label = shown->name,
                                           .asked = shown->asked,
                                           .subject = shown->subject,
                                           .setup = shown->setup,
                                           .series = shown->series},
                               .run = judged});
  }
  void operator()(const session::session_event::RunFailed& e) {
    const RunFor purpose = purpose_of(running, e.run);
    if (purpose == RunFor::referee && e.error.kind != ErrorKind::cancelled) return judge(e.run, fail(e.error));
    const bool aside = is_aside(purpose);
    const bool last = e.run == running.in_progress;
    running.started.erase(e.run);
    if (last) ended(running);
    // Asked for while the engine died: that is reported already, and live mode goes on with the next engine, which may
    // be on its way by now.
    if (running.engine == EngineStatus::lost) return;
    if (running.engine == EngineStatus::starting && e.error.kind == ErrorKind::device_failed) return;
    if (purpose == RunFor::sweep) return point_failed(state, effects, e.error);
    if (purpose == RunFor::lesson) return lesson_run_failed(state, e.error);
    if (e.error.kind == ErrorKind::cancelled) {
      // Else a newer run took its place, or a new engine the old one's: nobody stopped anything.
      if (last && !aside && running.engine == EngineStatus::up) say(state.status, tr("Stopped."));
      return;
    }
    running.live = false;
    running.live_due = kAbsent;
    state.editing.refused.reset();
    if (e.error.longest_kernel && *e.error.longest_kernel > 0)
      state.editing.refused = LongKernel{e.error.message, *e.error.longest_kernel};
    // Not given, or it does not compile: another look at the files is asked for.
    else if (e.error.wants_own_code) {
      auto sources = std::exchange(state.editing.own_code, {});
      auto errors = sources.empty() ? std::vector<kernels::SourceError>() : kernels::source_errors(e.error.message);
      if (const auto line = program::behind_line(e.error.message); !errors.empty())
        state.editing.uncompiled = Uncompiled{line ? line->line : 0, std::move(errors), std::move(sources)};
      if (auto files = own_files(state.editing.program); !files.empty())
        state.editing.refused = LongKernel{e.error.message, 0, std::move(files)};
    }
    say(state.status, e.error.message, true);
  }
};

}  // namespace

Effects update(State& state, const session::SessionEvent& event) {
  Effects effects;
  std::visit(UpdateByEvent{state, effects}, event);
  effects.pair = pair_due(state);
  continue_lesson(state, effects);
  ask_verdict(state, effects);
  return effects;
}

}  // namespace streamscope::window

// What the engine reports, taken into the state.
#include <utility>

#include "app/window/state/compared_runs.h"
#include "app/window/state/observer_effect.h"
#include "app/window/state/run_requests.h"
#include "app/window/state/status_text.h"
#include "app/window/state/update.h"
#include "engine/program/limits.h"

namespace streamscope::window {
namespace {

struct UpdateByEvent {
  State& state;
  Effects& effects;

  void operator()(const session::session_event::EngineUp& e) {
    state.engine = EngineStatus::up;
    state.engine_program = e.program;
    take(state.settings, e.devices);
    const bool by_itself = state.lost.restarting;  // then what failed still stands in the status bar
    state.lost = {};
    if (!by_itself) say(state, state.ran_once ? "The new engine is ready." : "");
    if (!std::exchange(state.ran_once, true))
      run_now(state, effects, RunFor::figures);
    else if (state.live)
      run_now(state, effects, RunFor::picture);
  }
  void operator()(const session::session_event::EngineLost& e) {
    // After a device failure the engine ends by itself and the session has begun a new one.
    state.engine = e.restarting ? EngineStatus::starting : EngineStatus::lost;
    state.lost = e;
    if (!e.restarting) {
      state.started.clear();
      state.in_progress = 0;
    } else if (state.started.erase(e.run); e.run == state.in_progress) {  // a run that waits goes to the new engine
      state.in_progress = 0;
    }
    state.preview.clear();
    effects.drop_run = true;
    state.run_when_checked = false;
    state.live_due = state.pairs_due = kAbsent;
    // A preview of the run that is gone is no result.
    if (state.shown && state.shown->number == 0) state.shown = state.runs.empty() ? nullptr : state.runs.back();
    if (e.restarting) return;
    say(state,
        e.run != 0 ? "The engine is gone, and the run in progress with it. Finished runs are kept."
                   : "The engine is gone. Finished runs are kept.",
        true);
  }
  void operator()(const session::session_event::RunSpans& e) {
    if (e.run != state.in_progress || purpose(e.run) == RunFor::pairs) return;
    for (const trace::Span& span : e.spans) {
      if (span.operation >= program::kMaximumOperations) continue;
      // The next pass begins where the first operation comes again.
      if (!state.preview.empty() && state.preview.front().operation == span.operation) state.preview.clear();
      state.preview.push_back(span);
    }
  }
  void operator()(const session::session_event::RunPasses& e) {
    if (e.run != state.in_progress) return;
    state.passes_done = e.done;
    state.passes_total = e.total;
  }
  void operator()(const session::session_event::RunDone& e) {
    FinishedRun done{.id = e.run, .number = 0, .started = {}, .run = e.result};
    if (const auto found = state.started.find(e.run); found != state.started.end()) done.started = found->second;
    state.started.erase(e.run);
    const bool measured = e.result->trace.provenance.kind == trace::Provenance::Kind::measured;
    if (measured) note(state.pairs, done.started.subject, *e.result);
    const bool last = e.run == state.in_progress;
    if (last) ended();
    if (done.started.purpose == RunFor::pairs) return;
    if (last && state.said_error) say(state, "");  // it was of a run before
    const Nanoseconds now = host_now();
    if (done.started.purpose == RunFor::picture && known(done.started.begun))
      state.settings.quick_took = now - done.started.begun;
    if (last && state.live) state.live_due = state.last_start + kLivePeriod;
    const bool without = measured && !e.result->observer_effect && !effect(state.pairs, done.started.subject);
    if (last && !state.live && without && known(state.settings.quick_took) &&
        state.settings.quick_took <= kShortEnoughForPairs)
      state.pairs_due = now + kRest;
    done.number = ++state.finished;
    effects.prepare.push_back(std::move(done));
  }
  void operator()(const session::session_event::RunFailed& e) {
    const bool aside = purpose(e.run) == RunFor::pairs;
    const bool last = e.run == state.in_progress;
    state.started.erase(e.run);
    if (last) ended();
    // Asked for while the engine died: that is reported already, and live mode goes on with the next engine.
    if (state.engine == EngineStatus::lost) return;
    if (e.error.kind == ErrorKind::cancelled) {
      if (last && !aside) say(state, "Stopped.");  // else a newer run took its place, and nobody stopped anything
      return;
    }
    state.live = false;
    state.live_due = kAbsent;
    state.editing.refused.reset();
    if (e.error.longest_kernel) state.editing.refused = LongKernel{e.error.message, *e.error.longest_kernel};
    say(state, e.error.message, true);
  }

  RunFor purpose(std::uint64_t run) const {
    const auto found = state.started.find(run);
    return found == state.started.end() ? RunFor::figures : found->second.purpose;
  }
  void ended() {
    state.in_progress = 0;
    state.passes_done = state.passes_total = 0;
    state.preview.clear();
  }
};

}  // namespace

Effects update(State& state, const session::SessionEvent& event) {
  Effects effects;
  std::visit(UpdateByEvent{state, effects}, event);
  effects.pair = pair_due(state);
  return effects;
}

}  // namespace streamscope::window

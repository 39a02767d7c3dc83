#include "app/window/state/running.h"

#include "engine/program/limits.h"

namespace streamscope::window {

Effects update(Running& running, const command::Stop&) {
  running.live = false;
  running.live_due = running.pairs_due = running.referee_due = kAbsent;
  running.run_when_checked = false;
  Effects effects;
  effects.drop_run = true;
  effects.stop = running.in_progress != 0;
  return effects;
}

void update(Running& running, const command::RunStarted& command) {
  ended(running);
  running.in_progress = command.id;
  running.last_start = command.run.begun;
  // Of the two it is this run's picture that the next one waits for.
  running.preparing = 0;
  running.live_due = kAbsent;
  running.started[command.id] = command.run;
}

void update(Running& running, const session::session_event::RunSpans& event) {
  if (event.run != running.in_progress || is_aside(purpose_of(running, event.run))) return;
  for (const trace::Span& span : event.spans) {
    if (span.operation >= program::kMaximumOperations) continue;
    // The next pass begins where the first operation comes again.
    if (!running.preview.empty() && running.preview.front().operation == span.operation) running.preview.clear();
    running.preview.push_back(span);
  }
}

void update(Running& running, const session::session_event::RunPasses& event) {
  if (event.run != running.in_progress) return;
  running.passes_done = event.done;
  running.passes_total = event.total;
}

RunFor purpose_of(const Running& running, std::uint64_t run) {
  const auto found = running.started.find(run);
  return found == running.started.end() ? RunFor::figures : found->second.purpose;
}

void ended(Running& running) {
  running.in_progress = 0;
  running.passes_done = running.passes_total = 0;
  running.preview.clear();
}

}  // namespace streamscope::window

#include "app/window/state/run_in_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/timeline/span_text.h"

namespace streamscope::window {
namespace {

// Which blocks record their stages, and where they ran, differs from run to run: something of the kernel stays
// open all the same.
void keep_opening(State& state) {
  timeline::OpenKernel& opening = state.timeline.opening;
  const trace::Trace& trace = state.runs.shown->run->trace;
  const auto open = [&](const trace::StageBlock& block) {
    return block.operation == opening.operation && opening.multiprocessors.contains(block.multiprocessor);
  };
  if (opening.multiprocessors.empty() || !timeline::recorded_stages(trace, opening.operation)) return;
  if (std::none_of(trace.stages.blocks.begin(), trace.stages.blocks.end(), open))
    opening = timeline::opened(trace, opening.operation);
}

}  // namespace

void show(State& state, std::shared_ptr<const ShownRun> run) {
  const bool other = !state.runs.shown || state.runs.shown->run->program != run->run->program;
  // What was selected or measured belongs to its program.
  if (other) {
    if (state.timeline.selected >= trace::span_count(run->run->trace)) state.timeline.selected = kNoOperation;
    forget_intervals(state.timeline);
    state.slow_motion.playhead = kAbsent;
    state.slow_motion.playing = false;
  }
  if (run == state.comparison.second &&
      state.runs.shown->number != 0) {  // of two runs in view the other one: they change places
    state.comparison.second = state.runs.shown;
    std::swap(state.timeline.selected, state.comparison.selected);
  } else if (state.timeline.selected != kNoOperation) {
    state.comparison.selected = kNoOperation;  // until it is known again
  }
  state.slow_motion.instants.reset();
  state.slow_motion.instants_of.reset();
  state.runs.shown = std::move(run);
  // A preview has no stages yet.
  const std::optional<trace::Span> kernel = span_of(state, state.timeline.opening.operation);
  if (state.runs.shown->number != 0 && (!kernel || !timeline::can_record_stages(state.runs.shown->run->trace, *kernel)))
    state.timeline.opening = {};
  keep_opening(state);
}

void toggle_inside(State& state, OperationIndex operation) {
  // It may be open for other runs, while no block of this one recorded its stages: then it is to be opened.
  const bool in_view =
      state.runs.shown && timeline::recorded_stages(state.runs.shown->run->trace, state.timeline.opening.operation);
  if (operation != kNoOperation && operation == state.timeline.opening.operation && in_view) {
    state.timeline.opening = {};
    return;
  }
  const std::optional<trace::Span> span = span_of(state, operation);
  if (!span) {
    say(state.status, "Select a kernel to look inside it.");
  } else if (!timeline::can_record_stages(state.runs.shown->run->trace, *span)) {
    say(state.status, fmt::format("{} has no stages to look at: only the kernels tiles and attention have.",
                                  timeline::span_name(state.runs.shown->run->trace, *span)));
  } else if (timeline::OpenKernel opening = timeline::opened(state.runs.shown->run->trace, operation);
             opening.operation == kNoOperation) {
    say(state.status, state.settings.measuring.stages_of == 0
                          ? "No block of it recorded what happened inside: switch on In-kernel above the timeline."
                          : "No block of it recorded what happened inside; the notes under the figures may say why.");
  } else {
    state.timeline.opening = std::move(opening);
    say(state.status, {});  // why it could not be opened before
  }
}

}  // namespace streamscope::window

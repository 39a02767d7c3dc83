#include "app/window/state/showing.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "app/timeline/span_text.h"
#include "engine/base/translate.h"

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

// Where one looked, played or measured before the run has ended already: it is not left to show an empty place.
void stay_within(State& state) {
  // In pixels, of a narrow timeline; in live mode the next run may come to what lies behind this one's end.
  const std::int64_t half = state.running.live ? 0 : 240;
  TimelineView& timeline = state.timeline;
  const Nanoseconds begin = state.runs.shown->tracks.begin, end = state.runs.shown->tracks.end;
  if (const auto& view = timeline.view;
      view && view->origin / timeline::kFine > begin && (view->origin + half * view->scale) / timeline::kFine >= end)
    timeline.view.reset();
  if (known(state.slow_motion.playhead)) state.slow_motion.playhead = std::min(state.slow_motion.playhead, end);
  if (state.running.live) return;
  const auto behind = [&](const trace::Interval& each) { return each.start >= end; };
  for (std::optional<trace::Interval>* each : {&timeline.measured, &timeline.range})
    if (*each && behind(**each)) each->reset();
  std::erase_if(timeline.marks, behind);
}

}  // namespace

void show(State& state, std::shared_ptr<const ShownRun> run) {
  if (hides_run(state.lesson)) return;
  TimelineView& timeline = state.timeline;
  std::shared_ptr<const ShownRun>& shown = state.runs.shown;
  const bool other = !shown || shown->run->program != run->run->program;
  // What was selected or measured belongs to its program.
  if (other) {
    if (timeline.selected >= trace::span_count(run->run->trace)) timeline.selected = kNoOperation;
    forget_intervals(timeline);
    state.verdicts.lit.reset();
    state.slow_motion.playhead = kAbsent;
    state.slow_motion.playing = state.slow_motion.paused = false;
  }
  // Of two runs in view the other one: they change places.
  if (shown && run == state.comparison.second && shown->number != 0) {
    state.comparison.second = shown;
    std::swap(timeline.selected, state.comparison.selected);
  } else if (run == state.comparison.second) {
    state.comparison.second.reset();  // nothing is left to hold it against
  } else if (timeline.selected != kNoOperation) {
    state.comparison.selected = kNoOperation;  // until it is known again
  }
  state.slow_motion.instants.reset();
  state.slow_motion.instants_of.reset();
  shown = std::move(run);
  // A preview may still come to what lies behind its end.
  if (shown->number != 0 && !state.comparison.second) stay_within(state);
  // A preview has no stages yet.
  const std::optional<trace::Span> kernel = span_of(state, timeline.opening.operation);
  if (shown->number != 0 && (!kernel || !timeline::can_record_stages(shown->run->trace, *kernel)))
    timeline.opening = {};
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
    say(state.status, tr("Select a kernel to look inside it."));
  } else if (!timeline::can_record_stages(state.runs.shown->run->trace, *span)) {
    say(state.status, tr("{} has no stages to look at: only the kernels tiles and attention have.",
                         timeline::span_name(state.runs.shown->run->trace, *span)));
  } else if (timeline::OpenKernel opening = timeline::opened(state.runs.shown->run->trace, operation);
             opening.operation == kNoOperation) {
    say(state.status,
        state.settings.measuring.stages_of == 0
            ? tr("No block of it recorded what happened inside: switch on In-kernel above the timeline.")
            : tr("No block of it recorded what happened inside; the notes under the figures may say why."));
  } else {
    state.timeline.opening = std::move(opening);
    say(state.status, {});  // why it could not be opened before
  }
}

}  // namespace streamscope::window

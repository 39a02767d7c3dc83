#include "app/window/panels/slow_motion.h"

#include "app/window/state/playhead.h"

namespace streamscope::window {

void toggle_play(const Panel& panel) { panel.emit(command::Play{!panel.state.slow_motion.playing}); }

void step_playhead(const Panel& panel, int direction) {
  const State& state = panel.state;
  const timeline::InstantIndex* index = instants(state);
  if (!state.runs.shown) return;
  if (state.slow_motion.playing) panel.emit(command::Play{false});
  if (index == nullptr) {  // not made yet: with a playhead it will be
    panel.emit(command::SetPlayhead{looked_at(state)});
    return;
  }
  const trace::Trace& trace = state.runs.shown->run->trace;
  const Nanoseconds from = looked_at(state);
  const Nanoseconds to =
      direction > 0 ? timeline::event_after(trace, *index, from) : timeline::event_before(trace, *index, from);
  if (known(to)) panel.emit(command::SetPlayhead{to});
}

}  // namespace streamscope::window

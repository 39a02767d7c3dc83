// Everything the window shows, as one plain value; update() (update.h) alone changes it.
#pragma once

#include "app/window/state/comparison.h"
#include "app/window/state/editing.h"
#include "app/window/state/readings.h"
#include "app/window/state/run_settings.h"
#include "app/window/state/running.h"
#include "app/window/state/runs.h"
#include "app/window/state/slow_motion.h"
#include "app/window/state/status.h"
#include "app/window/state/timeline_view.h"
#include "app/window/state/workspace.h"

namespace streamscope::window {

struct State {
  Editing editing;
  RunSettings settings;
  Running running;
  Runs runs;
  TimelineView timeline;
  Readings readings;
  Comparison comparison;
  SlowMotion slow_motion;
  Workspace workspace;
  Status status;
};

// The profile whose ghosts are in view; empty: there are none.
std::string ghost_of(const State& state);
const timeline::Tracks& tracks_in_view(const State& state);  // of the run shown, which there must be
std::optional<trace::Span> span_of(const State& state, OperationIndex operation);

}  // namespace streamscope::window

// Everything the window shows, as one plain value; update() (update.h) alone changes it.
#pragma once

#include "app/window/state/command.h"
#include "app/window/state/comparison.h"
#include "app/window/state/editing.h"
#include "app/window/state/readings.h"
#include "app/window/state/run_settings.h"
#include "app/window/state/running.h"
#include "app/window/state/runs.h"
#include "app/window/state/slow_motion.h"
#include "app/window/state/status.h"
#include "app/window/state/timeline_view.h"

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
  Status status;

  // The views
  bool search_focus = false;  // the search wants the cursor
  timeline::ThemeName theme = timeline::ThemeName::dark;
  float text_scale = 1;
  bool keys_open = false, palette_open = false, export_open = false;
  bool controls_open = true, summary_open = true, dock_open = true;
  command::Dock dock = command::Dock::program;

  bool closing = false;  // the window is
};

inline constexpr float kSmallestText = 0.75f, kLargestText = 3;

// The profile whose ghosts are in view; empty: there are none.
std::string ghost_of(const State& state);
const timeline::Tracks& tracks_in_view(const State& state);  // of the run shown, which there must be
std::optional<trace::Span> span_of(const State& state, OperationIndex operation);

}  // namespace streamscope::window

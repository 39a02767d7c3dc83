// Everything the window shows, as one plain value; update() (update.h) alone changes it.
#pragma once

#include "app/window/state/carried.h"
#include "app/window/state/comparison.h"
#include "app/window/state/cuda_beside.h"
#include "app/window/state/editing.h"
#include "app/window/state/files.h"
#include "app/window/state/help.h"
#include "app/window/state/lesson.h"
#include "app/window/state/live.h"
#include "app/window/state/readings.h"
#include "app/window/state/run_settings.h"
#include "app/window/state/running.h"
#include "app/window/state/runs.h"
#include "app/window/state/setup.h"
#include "app/window/state/slow_motion.h"
#include "app/window/state/status.h"
#include "app/window/state/sweeping.h"
#include "app/window/state/timeline_view.h"
#include "app/window/state/verdicts.h"
#include "app/window/state/workspace.h"

namespace streamscope::window {

struct State {
  Editing editing;
  CudaBeside cuda;
  Files files;
  RunSettings settings;
  Running running;
  Live live;
  Runs runs;
  TimelineView timeline;
  Readings readings;
  Comparison comparison;
  Sweeping sweeping;
  Verdicts verdicts;
  SlowMotion slow_motion;
  Workspace workspace;
  Help help;
  Status status;
  Undo undo;
  Carried carried;
  LessonState lesson;
};

// The profile whose ghosts are in view; empty: there are none.
std::string ghost_of(const State& state);
const timeline::Tracks& tracks_in_view(const State& state);  // of the run shown, which there must be
std::optional<trace::Span> span_of(const State& state, OperationIndex operation);

bool of_another_tool(const State& state);  // the trace in view is, and has no program

// The verdict on the run in view; null: not known (yet).
std::shared_ptr<const RunVerdict> verdict_in_view(const State& state);

// What is to be read now, without what is in `state` from before. Nothing where all that is wanted is there.
std::optional<TableReading> table_due(const State& state);
std::optional<RangeReading> range_due(const State& state);
// The CUDA C++ that is to be written now: nothing while nobody looks at it, or where it is there.
std::optional<CudaWanted> cuda_due(const State& state);
// The program's line of the selected operation; 0: none, or the run in view is of another text.
std::uint32_t selected_line(const State& state);
std::string cuda_name(const State& state);  // of the file: "four-streams.cu"
// What has been read of the range and the run in view; null until it has.
const RangeReading* range_in_view(const State& state);
// The operations that the search means, for the timeline; null where all are alike.
std::shared_ptr<const timeline::SearchHighlight> search_highlight(const State& state);

}  // namespace streamscope::window

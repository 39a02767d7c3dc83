// A finished run as the views show it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/timeline/flows.h"
#include "app/timeline/tracks.h"
#include "app/window/state/started_run.h"
#include "engine/analysis/analysis.h"
#include "engine/analysis/compare.h"
#include "engine/analysis/noise.h"

namespace streamscope::window {

// A finished run, with what the views need of it. Made on the background thread; immutable.
struct ShownRun {
  std::uint64_t number = 0;     // counts the finished runs from 1; 0: a preview of a run in progress
  std::uint64_t id = 0;         // the session's
  Subject subject = 0;          // of its observer effect
  std::string name;             // "4 streams · 16 MiB"; of a file, its name
  std::string label;            // "4 streams · 16 MiB · 5.3 ms"
  Nanoseconds asked = kAbsent;  // host clock, when what led to it was asked for
  std::shared_ptr<const trace::Run> run;
  timeline::Tracks tracks;
  timeline::Waiters waiters;
  analysis::Analysis analysis;
  analysis::FigureNoise noise;
  // Of a run that was predicted.
  std::optional<timeline::Tracks> with_ghosts;
  analysis::PredictionError error;
  analysis::Comparison comparison;
};

// A run that has come back and is to be prepared for the views.
struct FinishedRun {
  std::uint64_t id = 0;
  std::uint64_t number = 0;
  StartedRun started;
  std::shared_ptr<const trace::Run> run;
};
std::shared_ptr<const ShownRun> prepare(const FinishedRun& finished);

}  // namespace streamscope::window

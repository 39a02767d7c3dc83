// A run from when it was asked for until the views show it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/reading/name_totals.h"
#include "app/timeline/flows.h"
#include "app/timeline/tracks.h"
#include "app/window/state/setup.h"
#include "engine/analysis/analysis.h"
#include "engine/analysis/compare.h"
#include "engine/analysis/noise.h"

namespace streamscope::window {

// What an observer effect belongs to (observer_effect.h). 0: none.
using Subject = std::uint64_t;

// What a run is made for.
enum class RunFor : std::uint8_t {
  figures,  // Run was pressed: repeated, with bare runs between them, the data checked
  picture,  // a control was changed, or live mode: once, so that it is on screen soon
  pairs,    // the observer effect of the run in view; it is not shown itself
  referee,  // a second opinion on the run in view (engine/referee), which it changes
  sweep,    // a point of a sweep (sweeping.h), which is shown when it is asked for
  lesson,   // a run of a lesson (lesson.h), which is shown when its step shows it
};
// Not to be shown when it comes, and given up for any other: made by itself for the run in view, or of a sweep or a
// lesson.
inline bool is_aside(RunFor purpose) {
  return purpose == RunFor::pairs || purpose == RunFor::referee || purpose == RunFor::sweep ||
         purpose == RunFor::lesson;
}

// A run that was asked for and has not come back.
struct StartedRun {
  std::string label;
  Nanoseconds asked = kAbsent;  // what led to it
  Nanoseconds begun = kAbsent;  // handed to the session
  RunFor purpose = RunFor::figures;
  Subject subject = 0;
  std::shared_ptr<const Setup> setup = {};  // what it is made with
  std::uint64_t series = 0;
  bool ends_process = false;                 // on a GPU: there is one pass of it
  std::vector<kernels::OwnSource> own = {};  // that it was compiled from
};

// A finished run, with what the views need of it. Made on the background thread; immutable.
struct ShownRun {
  std::uint64_t number = 0;            // counts the finished runs from 1; 0: a preview of a run in progress
  std::uint64_t id = 0;                // the session's
  Subject subject = 0;                 // of its observer effect
  std::string name;                    // "4 streams · 16 MiB"; of a file, its name
  std::string label;                   // "4 streams · 16 MiB · 5.3 ms"
  std::string about;                   // "Four streams · 4 streams · 16 × 16 MiB · …": what it is a run of
  std::string besides;                 // "nonblocking · depth-first": what is less telling
  Nanoseconds asked = kAbsent;         // host clock, when what led to it was asked for
  std::shared_ptr<const Setup> setup;  // null: it was opened from a file
  // Runs of live mode and of one drag of a slider are a series, of which the newest alone is kept; 0: it is of none.
  std::uint64_t series = 0;
  bool ends_process = false;  // as of StartedRun
  std::shared_ptr<const trace::Run> run;
  timeline::Tracks tracks;
  timeline::Waiters waiters;
  analysis::Analysis analysis;
  analysis::FigureNoise noise;
  reading::NameTotals totals;
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

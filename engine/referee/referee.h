// A second opinion on how long the operations of a run took: CUPTI's records of a few more passes of the same program,
// made in a process of its own, since a process to which CUPTI is attached is no longer undisturbed.
//
// Only durations are compared, by operation: starts and ends differ from pass to pass. Where CUPTI's durations of all
// passes, widened by kMargin and kMarginPart for what changes from pass to pass, lie outside what the bar states with
// its doubt, that doubt grows to meet them, of an inferred start or else of the end, and the source of that time says
// so. The drawn times stay: other passes took other times.
#pragma once

#include <span>
#include <vector>

#include "engine/base/result.h"
#include "engine/measure/measure.h"
#include "engine/trace/trace.h"

namespace streamscope::referee {

inline constexpr int kPasses = 3;
inline constexpr Nanoseconds kMargin = 1'500;
inline constexpr double kMarginPart = 0.05;

// How each of these passes is made, from the options of the run that is judged.
measure::MeasureOptions options_of(const measure::MeasureOptions& judged);
// Whether a run made with these has bars that can be judged.
bool can_judge(const measure::MeasureOptions& options, trace::Provenance::Kind kind);

// By operation, over the passes that have a record of it; kAbsent where none has.
struct Opinion {
  int passes = 0;
  std::string by;  // "CUPTI 13.0.1"
  std::vector<Nanoseconds> shortest, median, longest;
  friend bool operator==(const Opinion&, const Opinion&) = default;
};
// From runs of one pass each, observed by CUPTI, of the same program. `by`: whose records they are.
Opinion opinion_of(std::span<const trace::Run> runs);

// Puts the opinion into the run (Run::referee) and widens the bars that it contradicts; without one, says why.
void judge(trace::Run& run, const Result<Opinion>& opinion);

}  // namespace streamscope::referee

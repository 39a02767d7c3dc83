// Change after change, as long as a run says that it helps.
#pragma once

#include <functional>
#include <vector>

#include "engine/remedy/explain.h"

namespace streamscope::remedy {

// What a run of a source took, and the verdict on it.
struct Tried {
  Nanoseconds makespan = kAbsent;
  Verdict verdict;
};
using TryIt = std::function<Result<Tried>(const Source&)>;

struct FixStep {
  Help help;          // with what was measured
  bool kept = false;  // it was faster than the best so far, by more than kLeastGain
};

inline constexpr int kMostFixRuns = 20;

// Takes the change that promises most, runs it, and keeps it where it was faster; else the next one. Ends where no
// change is left that promises anything, or after kMostFixRuns runs. Errors: those of a run.
Result<std::vector<FixStep>> fix(const Source& source, Tried now, const TryIt& try_it);

}  // namespace streamscope::remedy

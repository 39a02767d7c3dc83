// Where a run deviates from its prediction, worst first, and the likely cause.
//
// The times of both count from their own first host call. An operation adds a deviation of its own in three ways: its
// host call takes another time; it starts at another time after what it waited for; its execution takes another time.
// A delay inherited from what it waited for is not its own: of a chain of late operations only the first is listed. The
// sum of the deviations along a chain of waits is the difference at its end.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace/trace.h"

namespace streamscope::analysis {

// Measured less predicted, each; kAbsent where one of the two is not known.
struct Difference {
  Nanoseconds start = kAbsent, end = kAbsent;
  Nanoseconds execution = kAbsent;  // of end - start
  Nanoseconds waiting = kAbsent;    // of start - ready
  friend bool operator==(const Difference&, const Difference&) = default;
};
Difference difference(const trace::Span& measured, const trace::Span& predicted);

struct Deviation {
  enum class What : std::uint8_t { execution, waiting, call };
  OperationIndex operation = kNoOperation;
  std::uint32_t line = 0;
  What what = What::execution;
  Nanoseconds by = 0;           // its own part, measured less predicted; below 0: sooner than predicted
  Nanoseconds end = kAbsent;    // how far its end is from the predicted one, inherited delays included
  Nanoseconds uncertainty = 0;  // of the measurement; a smaller deviation is not listed
  std::string cause;            // "took 1.21 ms, 1.1 ms predicted, while other kernels ran for 80 % of it (0 %)"
};
std::string_view name(Deviation::What what);  // "execution", "waiting", "call"

// How far the prediction is off: predicted over measured, less 1. Nothing where one of the two is not known.
struct PredictionError {
  std::optional<double> wall, makespan;
  Nanoseconds measured_wall = kAbsent;  // compared with: the median of the bare runs, else of the others
  bool bare = false;
};
PredictionError prediction_error(const trace::Run& run);  // nothing in it for a run without a prediction

struct Comparison {
  std::vector<Deviation> deviations;  // the worst kDeviationsKept
  std::size_t count = 0;              // how many there are in all
  // All of each kind: many small ones can sum to more than the worst. They overlap in time, so that the sums need not
  // be the difference of the wall times.
  struct Sum {
    std::size_t count = 0;
    Nanoseconds by = 0;
    friend bool operator==(const Sum&, const Sum&) = default;
  };
  Sum execution, waiting, call;
};
// "execution +1.2 ms in 16, waiting -30 us in 4": all sums but those of nothing; empty: no deviation.
std::string sums_text(const Comparison& comparison);
inline constexpr std::size_t kDeviationsKept = 200;
// Nothing for a run without a prediction or without spans. O(n log n).
Comparison compare(const trace::Run& run);

// "predicted 5.91 ms (h200), measured 5.975 ms bare: -1.1 %"; empty for a run without a prediction.
std::string prediction_text(const trace::Run& run);

}  // namespace streamscope::analysis

// Where a run and its prediction part, worst first, and what the likely cause is.
//
// Both times count from their own first host call. An operation adds to the difference by itself in three ways: its
// host call takes another time; it starts at another time after what it waited for; its execution takes another time.
// What it takes over from what it waited for is not its own: an operation that is late only because one before it was
// is not listed, that one is. Sums of such parts along a chain of waits are the difference in the end.
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

struct Parting {
  enum class What : std::uint8_t { execution, waiting, call };
  OperationIndex operation = kNoOperation;
  std::uint32_t line = 0;
  What what = What::execution;
  Nanoseconds by = 0;           // what it adds itself, measured less predicted; below 0: sooner than predicted
  Nanoseconds end = kAbsent;    // how far its end is from the predicted one, with all it takes over
  Nanoseconds uncertainty = 0;  // of the measurement; what lies within it is not listed
  std::string cause;            // "took 1.21 ms, 1.1 ms predicted, while other kernels ran for 80 % of it (0 %)"
};
std::string_view name(Parting::What what);  // "execution", "waiting", "call"

// How far the prediction is off: predicted over measured, less 1. Nothing where one of the two is not known.
struct PredictionError {
  std::optional<double> wall, makespan;
  Nanoseconds measured_wall = kAbsent;  // what it was held against: the median of the bare runs, else of the others
  bool bare = false;
};
PredictionError prediction_error(const trace::Run& run);  // nothing in it for a run without a prediction

struct Comparison {
  std::vector<Parting> partings;  // the worst kPartingsKept
  std::size_t count = 0;          // how many there are in all
  // Of all there are, by what: many small ones can weigh more than the worst. They overlap in time, so that their sums
  // need not be the difference of the wall times.
  struct Sum {
    std::size_t count = 0;
    Nanoseconds by = 0;
    friend bool operator==(const Sum&, const Sum&) = default;
  };
  Sum execution, waiting, call;
};
// "execution +1.2 ms in 16, waiting -30 us in 4": all sums that have something in them; empty: none has.
std::string sums_text(const Comparison& comparison);
inline constexpr std::size_t kPartingsKept = 200;
// Nothing for a run without a prediction or without spans. O(n log n).
Comparison compare(const trace::Run& run);

// "predicted 5.91 ms (h200), measured 5.975 ms bare: -1.1 %"; empty for a run without a prediction.
std::string prediction_text(const trace::Run& run);

}  // namespace streamscope::analysis

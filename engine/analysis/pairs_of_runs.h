// Which operations of two runs are the same work, and how they differ.
//
// Two runs of one program have the same operations. Of different programs, operations of one name and kind are paired
// in the program's order where both runs have as many of them (the same work, spread over other streams). Else, where
// all of them are of some bytes, by their place in the data: what works on a byte is held against what works on the
// same byte, each operation once, also where the data is cut otherwise. Else those of one stream's name, in its order.
// Those without a partner are counted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/analysis/analysis.h"
#include "engine/analysis/compare.h"
#include "engine/analysis/figures.h"
#include "engine/analysis/noise.h"

namespace streamscope::analysis {

inline constexpr std::uint32_t kAlone = 0xFFFFFFFFu;

// By index into the traces.
struct PairedRuns {
  std::vector<std::uint32_t> of_first, of_second;  // the partner of each span; kAlone: it has none
  std::size_t pairs = 0, alone_in_first = 0, alone_in_second = 0;
  bool same_program = false;
  // The runs begin at different times: the offset to add to the second run's times, so that both have their first host
  // call, or their first device work, at the same time. Nothing where one of them has none.
  std::optional<Nanoseconds> first_call, first_work;
};
// O(n log n). The runs may have different numbers of operations and come from different programs.
PairedRuns pair_runs(const trace::Run& first, const trace::Run& second);

// Second less first.
struct PairDifference {
  Difference by;  // start and end with the offset
  // Of the execution; of the call where the host alone carries it out. Where the two are of other sizes, the second's
  // time is that for as many bytes as the first has.
  Nanoseconds length = kAbsent;
  std::optional<double> ratio;  // of these lengths; nothing where the first is 0
  bool per_byte = false;        // the sizes differ
  Nanoseconds noise = 0;        // how far the difference of the lengths can be off: both runs' together
  bool within_noise() const { return known(length) && noise > 0 && length <= noise && length >= -noise; }
};
Nanoseconds length(const trace::Span& span);
PairDifference difference(const trace::Trace& first, const trace::Span& a, const trace::Trace& second,
                          const trace::Span& b, Nanoseconds offset);

// What a list of the pairs is sorted by: a difference, second less first, the largest first whichever its sign; or the
// order of the program.
enum class WorstBy : std::uint8_t { length, start, end, waiting, ratio, program };
// The indices into the first run's spans of all that have a partner, worst first; what has no such difference comes
// last, equals in the program's order. O(n log n).
std::vector<std::uint32_t> worst_first(const trace::Trace& first, const trace::Trace& second, const PairedRuns& paired,
                                       WorstBy by, Nanoseconds offset);

// A figure of both runs as wholes.
struct TotalChange {
  Figure first, second;  // both with a value
  double by() const { return *second.value - *first.value; }
  double noise() const { return first.noise + second.noise; }
  std::optional<double> ratio() const;  // second over first; nothing for shares
  bool within_noise() const { return noise() > 0 && by() <= noise() && by() >= -noise(); }
};
// Those that both runs have.
struct RunFigures {
  const trace::Run& run;
  const Analysis& analysis;
  const FigureNoise& noise;
};
std::vector<TotalChange> total_changes(const RunFigures& first, const RunFigures& second);

}  // namespace streamscope::analysis

// How many of the times that bench_intervals recorded lie inside what the instrument states of them, by family.
#pragma once

#include <string>
#include <vector>

#include "engine/base/result.h"

namespace streamscope::bench {

// Of the passes in which both looked: starts and ends where our interval and CUPTI's, with the doubt of its clock, meet;
// durations, and gaps from one operation to the next on its engine, where CUPTI's lies inside ours, in which the tie of
// the clocks has no part. A table, and a line for each operation that is off by more than three times what was stated.
Result<std::string> shares_of(const std::vector<std::string>& files);

}  // namespace streamscope::bench

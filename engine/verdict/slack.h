// By how much later each operation could have ended without the run ending later.
#pragma once

#include <vector>

#include "engine/verdict/history.h"

namespace streamscope::verdict {

// By operation; kAbsent of what is not executed. The observed order of each engine is kept, and what the host waited
// for before it issued more. Of an operation that nothing comes behind: the last end less its own. O(n log n).
std::vector<Nanoseconds> slack(const History& history);

}  // namespace streamscope::verdict

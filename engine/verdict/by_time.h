// Operations in order of a time of theirs, or of two. Most lists are in that order already; of the others the times are
// sorted themselves, since to look one up for each comparison takes several times as long.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/base/id.h"
#include "engine/base/time.h"

namespace streamscope::verdict {

// `operations` rising; of those of one time the lower one comes first.
void sort_by_time(std::vector<OperationIndex>& operations, const auto& time_of) {
  if (std::ranges::is_sorted(operations, {}, time_of)) return;
  std::vector<std::pair<decltype(time_of(OperationIndex{})), OperationIndex>> timed;
  timed.reserve(operations.size());
  for (const OperationIndex i : operations) timed.emplace_back(time_of(i), i);
  std::ranges::sort(timed);
  std::ranges::transform(timed, operations.begin(), [](const auto& each) { return each.second; });
}

}  // namespace streamscope::verdict

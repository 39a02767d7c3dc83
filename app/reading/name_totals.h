// How often each name comes in a run, and how long all of that name took: what a trace of thousands is read by first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/trace/trace.h"

namespace streamscope::reading {

struct NameTotal {
  std::string name;  // "axpb", "cudaMemcpyAsync"
  std::uint64_t count = 0;
  Nanoseconds sum = 0;
  double share = 0;  // of the sum of all on its side: 0..1
  Nanoseconds mean() const { return count == 0 ? 0 : sum / static_cast<Nanoseconds>(count); }
};
// Of what streams carried out, and of what host threads called or did; the largest sum first. What has no time that is
// known counts with none. O(n).
struct NameTotals {
  std::vector<NameTotal> device, host;
};
NameTotals name_totals(const trace::Trace& trace);

}  // namespace streamscope::reading

// How far cudaMallocAsync looks through the pool.
//
// Memory that its own stream freed since the host last waited for the device is taken at once, whatever its size. Else
// the driver looks at each stream whose memory the pool holds from before: 3.0 us a stream (three H100s, 2026: calls of
// 13.0, 9.8, 7.0 and 4.2 us where four streams allocate for the first time in a pass, 0.6 after that; 7.2 and 2.6 with
// two, 3.7 with one, where 32 sizes took 4.3 once and then 0.6). With 8 streams and more and short kernels each call
// took that long (26, 52 and 98 us of 8, 16 and 32), also in later rounds: what streams free in the same pass is left
// out here.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/time.h"
#include "engine/program/program.h"

namespace streamscope::model {

inline constexpr Nanoseconds kPoolStream = 3'000;  // a stream, on a host of the pace of those

// Of each operation, of how many streams its call looks at the memory, in a pass that is not the first;
// empty: no call looks at any.
std::vector<std::uint32_t> pool_searches(const program::Program& program);

}  // namespace streamscope::model

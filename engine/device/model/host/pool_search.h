// How far cudaMallocAsync looks through the pool.
//
// Memory that its own stream freed is taken at once. Else the driver looks at each block that the pool holds from
// before the host last waited for the device: 3.0 us a block (two H100s, 2026: calls of 13.0, 9.8, 7.0 and 4.2 us where
// four streams allocate for the first time in a pass, 0.6 after that; 7.2 and 2.6 with two streams, 3.7 with one). What
// it looks at of memory that other streams freed in the same pass was seen (2 to 5 us a call, short kernels in four
// streams), and is left out.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/time.h"
#include "engine/program/program.h"

namespace streamscope::model {

inline constexpr Nanoseconds kPoolBlock = 3'000;  // a block, on a host of the pace of those

// Of each operation, how many blocks its call looks at, in a pass that is not the first; empty: no call looks at any.
std::vector<std::uint32_t> pool_searches(const program::Program& program);

}  // namespace streamscope::model

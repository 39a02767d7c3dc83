#pragma once

#include "engine/base/time.h"

namespace streamscope::reconstruct {

// How far an event may lie behind what it marks, the clocks' uncertainty aside. A single look of the host may come
// later than that (end_bounds.cpp).
inline constexpr Nanoseconds kEventLag = 3'000;

}  // namespace streamscope::reconstruct

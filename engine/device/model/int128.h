// 128-bit numbers whose divisions cost little where 64 bits do: the compiler's own take several times as long.
#pragma once

#include <cmath>
#include <cstdint>

namespace streamscope::model {

using Wide = __int128;

inline Wide divided(Wide value, Wide by) {
  const bool narrow = (value | by) >> 64 == 0;
  if (narrow) return static_cast<std::uint64_t>(value) / static_cast<std::uint64_t>(by);
  return value / by;
}
inline Wide divided_up(Wide value, Wide by) { return divided(value + by - 1, by); }
// The root of no negative number below 2^122, rounded down: exact, whatever the floating-point one is worth.
inline Wide root(Wide value) {
  if (value <= 0) return 0;
  Wide at = static_cast<Wide>(std::sqrt(static_cast<double>(value)));
  if (at > 0) at = (at + divided(value, at)) / 2;
  while (at * at > value) --at;
  while ((at + 1) * (at + 1) <= value) ++at;
  return at;
}

}  // namespace streamscope::model

// 128-bit numbers whose divisions cost little where 64 bits do: the compiler's own take several times as long.
#pragma once

#include <cstdint>

namespace streamscope {

using Wide = __int128;

inline Wide divided(Wide value, Wide by) {
  const bool narrow = (value | by) >> 64 == 0;
  if (narrow) return static_cast<std::uint64_t>(value) / static_cast<std::uint64_t>(by);
  return value / by;
}
inline Wide divided_up(Wide value, Wide by) { return divided(value + by - 1, by); }
// The root of no negative number, rounded down.
inline Wide root(Wide value) {
  if (value <= 0) return 0;
  // From above it falls until it is there.
  Wide at = 1;
  for (Wide left = value; left > 0; left >>= 2) at <<= 1;
  for (Wide next = (at + divided(value, at)) >> 1; next < at; next = (at + divided(value, at)) >> 1) at = next;
  return at;
}

}  // namespace streamscope

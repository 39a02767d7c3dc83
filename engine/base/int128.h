// 128-bit integers with a division that is quick when 64 bits suffice: the compiler's own takes several times as long.
#pragma once

#include <cmath>
#include <cstdint>

namespace streamscope {

using Int128 = __int128;

inline Int128 divided(Int128 value, Int128 by) {
  const bool narrow = (value | by) >> 64 == 0;
  if (narrow) return static_cast<std::uint64_t>(value) / static_cast<std::uint64_t>(by);
  return value / by;
}
inline Int128 divided_up(Int128 value, Int128 by) { return divided(value + by - 1, by); }
// The square root, rounded down, of a number from 0 to 2^122: exact, unlike the floating-point one it starts from.
inline Int128 root(Int128 value) {
  if (value <= 0) return 0;
  Int128 at = static_cast<Int128>(std::sqrt(static_cast<double>(value)));
  if (at > 0) at = (at + divided(value, at)) / 2;
  while (at * at > value) --at;
  while ((at + 1) * (at + 1) <= value) ++at;
  return at;
}

}  // namespace streamscope

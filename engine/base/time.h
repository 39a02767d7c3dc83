// Time: whole nanoseconds on a named clock. Floating point is for display only.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace streamscope {

using Nanoseconds = std::int64_t;

// A time that is not known. Written as null, never as 0.
inline constexpr Nanoseconds kAbsent = std::numeric_limits<Nanoseconds>::min();

// The longest time that a model says: no sum of a program's times overflows. Exact as a double, too.
inline constexpr Nanoseconds kLongestModelled = 100ll * 86'400 * 1'000'000'000;

inline constexpr bool known(Nanoseconds time) { return time != kAbsent; }

// From one time to another; kAbsent where either is not known. Saturates, so that any two times from a file have one.
inline constexpr Nanoseconds elapsed(Nanoseconds from, Nanoseconds to) {
  if (!known(from) || !known(to)) return kAbsent;
  Nanoseconds difference = 0;
  if (!__builtin_sub_overflow(to, from, &difference) && known(difference)) return difference;
  return to > from ? std::numeric_limits<Nanoseconds>::max() : kAbsent + 1;
}

// Saturates, too.
inline constexpr void add(Nanoseconds& sum, Nanoseconds part) {
  if (__builtin_add_overflow(sum, part, &sum)) sum = std::numeric_limits<Nanoseconds>::max();
}

// CLOCK_MONOTONIC of this host, in nanoseconds: the clock host calls are stamped with.
Nanoseconds host_now();
// Where what reads it is handed a clock: host_now(), or a test's own.
using HostClock = Nanoseconds (*)();

// The date and time of day, UTC, as "2026-11-21T10:00:00Z".
std::string utc_date();

}  // namespace streamscope

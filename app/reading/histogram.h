// How long operations take, by kind: counted in buckets of a 1-2-5 series, with figures of each kind.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "app/reading/operations.h"

namespace streamscope::reading {

// Bucket 0 holds what takes no time; bucket 1 is [1, 2) ns, then [2, 5), [5, 10), [10, 20), and so on.
inline constexpr std::size_t kBuckets = 58;
std::size_t bucket_of(Nanoseconds duration);  // which must not be negative
Nanoseconds bucket_from(std::size_t bucket);  // the shortest in it
Nanoseconds bucket_to(std::size_t bucket);    // the shortest that is longer than all in it; the last has no end

struct KindFigures {
  OperationKind kind = OperationKind::work;
  std::uint64_t count = 0;    // of those whose duration is known; the rest follows from these
  std::uint64_t unknown = 0;  // and of those whose duration is not
  Nanoseconds total = 0, median = 0, p95 = 0, longest = 0;
  std::array<std::uint64_t, kBuckets> buckets{};
};
// The kinds that occur, in the order of the enumeration. A median of an even number is the lower middle one; 95 % take
// no longer than p95: both are durations that were seen. O(n).
struct Histogram {
  std::vector<KindFigures> kinds;
};
Histogram histogram(const trace::Trace& trace, const Rows& rows);

}  // namespace streamscope::reading

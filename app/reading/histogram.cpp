#include "app/reading/histogram.h"

#include <algorithm>
#include <limits>

#include "app/reading/figures.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::reading {
namespace {

constexpr std::array<Nanoseconds, kBuckets> made_edges() {
  std::array<Nanoseconds, kBuckets> edges{};
  constexpr std::array<Nanoseconds, 3> kSteps{1, 2, 5};
  Nanoseconds decade = 1;
  for (std::size_t i = 1; i < kBuckets; ++i) {
    edges[i] = kSteps[(i - 1) % 3] * decade;
    if ((i - 1) % 3 == 2 && i + 1 < kBuckets) decade *= 10;
  }
  return edges;
}
constexpr std::array<Nanoseconds, kBuckets> kEdges = made_edges();

Nanoseconds at(std::vector<Nanoseconds>& times, std::size_t place) {
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(place), times.end());
  return times[place];
}

}  // namespace

std::size_t bucket_of(Nanoseconds duration) {
  const auto above = std::upper_bound(kEdges.begin(), kEdges.end(), duration);
  return static_cast<std::size_t>(above - kEdges.begin()) - 1;
}
Nanoseconds bucket_from(std::size_t bucket) { return kEdges[bucket]; }
Nanoseconds bucket_to(std::size_t bucket) {
  return bucket + 1 < kBuckets ? kEdges[bucket + 1] : std::numeric_limits<Nanoseconds>::max();
}

Histogram histogram(const trace::Trace& trace, const Rows& rows) {
  std::array<KindFigures, kOperationKinds> kinds{};
  std::array<std::vector<Nanoseconds>, kOperationKinds> times;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const trace::Span span = trace::span_at(trace, rows[row]);
    const auto which = static_cast<std::size_t>(span.kind);
    KindFigures& kind = kinds[which];
    const Nanoseconds time = duration_of(span);
    if (!known(time)) {
      ++kind.unknown;
      continue;
    }
    ++kind.buckets[bucket_of(time)];
    times[which].push_back(time);
    add(kind.total, time);
  }
  Histogram out;
  for (std::size_t i = 0; i < kOperationKinds; ++i) {
    KindFigures& kind = kinds[i];
    kind.kind = static_cast<OperationKind>(i);
    kind.count = times[i].size();
    if (kind.count + kind.unknown == 0) continue;
    if (kind.count > 0) {
      const std::size_t n = times[i].size();
      kind.median = at(times[i], (n - 1) / 2);
      kind.p95 = at(times[i], n - 1 - n / 20);
      kind.longest = *std::max_element(times[i].begin(), times[i].end());
    }
    out.kinds.push_back(kind);
  }
  return out;
}

}  // namespace streamscope::reading

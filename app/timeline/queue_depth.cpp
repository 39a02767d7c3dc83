#include "app/timeline/queue_depth.h"

#include <algorithm>
#include <utility>

namespace streamscope::timeline {
namespace {

constexpr std::size_t kEach = 64;

void add_levels(QueueDepth& queue) {
  for (const std::vector<std::uint32_t>* below = &queue.depth; below->size() > kEach; below = &queue.most.back()) {
    std::vector<std::uint32_t> level;
    for (std::size_t i = 0; i < below->size(); i += kEach) {
      const auto first = below->begin() + static_cast<std::ptrdiff_t>(i);
      const auto last = below->begin() + static_cast<std::ptrdiff_t>(std::min(i + kEach, below->size()));
      level.push_back(*std::max_element(first, last));
    }
    queue.most.push_back(std::move(level));
  }
}

}  // namespace

std::vector<QueueDepth> queue_depths(const verdict::History& history) {
  using Change = std::pair<Nanoseconds, int>;  // what goes at an instant goes before what comes
  std::vector<std::vector<Change>> changes(history.trace().streams.size());
  for (OperationIndex i = 0; i < history.size(); ++i) {
    const trace::Span& span = history.span(i);
    const bool in_queue = history.in_stream(i) && span.launch == kNoOperation && span.stream < changes.size();
    const Nanoseconds from = history.issued(i), to = history.left_queue(i);
    if (!in_queue || !known(from) || !known(to) || to <= from) continue;
    changes[span.stream].emplace_back(from, +1);
    changes[span.stream].emplace_back(to, -1);
  }
  std::vector<QueueDepth> out;
  for (std::uint32_t stream = 0; stream < changes.size(); ++stream) {
    std::ranges::sort(changes[stream]);
    QueueDepth queue{.stream = stream, .at = {}, .depth = {}, .deepest = 0, .most = {}};
    std::uint32_t depth = 0;
    for (const auto& [at, by] : changes[stream]) {
      depth += static_cast<std::uint32_t>(by);
      queue.deepest = std::max(queue.deepest, depth);
      if (!queue.at.empty() && queue.at.back() == at) {
        queue.depth.back() = depth;
      } else {
        queue.at.push_back(at);
        queue.depth.push_back(depth);
      }
    }
    if (queue.deepest < kDeepQueue) continue;
    add_levels(queue);
    out.push_back(std::move(queue));
  }
  return out;
}

std::uint32_t depth_in(const QueueDepth& queue, Nanoseconds from, Nanoseconds to) {
  const auto place_of = [&](const auto& found) { return static_cast<std::size_t>(found - queue.at.begin()); };
  std::size_t first = place_of(std::ranges::upper_bound(queue.at, from));
  std::size_t end = std::max(first, place_of(std::ranges::lower_bound(queue.at, to)));
  if (first > 0) --first;
  std::uint32_t most = 0;
  const std::vector<std::uint32_t>* level = &queue.depth;
  for (std::size_t above = 0;; ++above) {
    const bool last = above == queue.most.size();
    for (; first < end && (last || first % kEach != 0); ++first) most = std::max(most, (*level)[first]);
    for (; first < end && end % kEach != 0; --end) most = std::max(most, (*level)[end - 1]);
    if (first >= end) return most;
    first /= kEach;
    end /= kEach;
    level = &queue.most[above];
  }
}

}  // namespace streamscope::timeline

#include "app/timeline/miniature.h"

#include <algorithm>
#include <limits>

namespace streamscope::timeline {

Miniature miniature(const trace::Trace& trace) {
  Miniature out;
  std::vector<std::uint32_t> streams;
  std::vector<trace::Span> meant;
  for (const trace::Span& each : trace.spans) {
    if (meant.size() == kMiniatureBars) break;
    if (each.stream == trace::Span::kNoStream || !known(each.start) || !known(each.end) || each.end <= each.start)
      continue;
    if (std::ranges::find(streams, each.stream) == streams.end()) {
      if (streams.size() == kMiniatureRows) continue;
      streams.push_back(each.stream);
    }
    meant.push_back(each);
  }
  out.rows = streams.size();
  Nanoseconds first = std::numeric_limits<Nanoseconds>::max(), last = 0;
  for (const trace::Span& each : meant) first = std::min(first, each.start), last = std::max(last, each.end);
  const auto whole = static_cast<double>(last - first);
  const auto part = [&](Nanoseconds time) { return static_cast<float>(static_cast<double>(time - first) / whole); };
  for (const trace::Span& each : meant)
    out.bars.push_back({part(each.start), part(each.end),
                        static_cast<std::uint16_t>(std::ranges::find(streams, each.stream) - streams.begin()),
                        each.kind});
  return out;
}

}  // namespace streamscope::timeline

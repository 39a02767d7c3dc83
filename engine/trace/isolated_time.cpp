#include "engine/trace/isolated_time.h"

#include <algorithm>

#include "engine/trace/trace.h"

namespace streamscope::trace {

OperationClass class_of(const Span& span) { return {span.kind, span.device, span.line, span.name, span.bytes}; }

void add_durations(std::span<const Span> spans, const std::vector<std::string>& names,
                   const std::vector<std::string>& into_names, Durations& durations) {
  std::vector<std::uint32_t> number;
  for (const std::string& name : names) {
    number.push_back(static_cast<std::uint32_t>(std::ranges::find(into_names, name) - into_names.begin()));
  }
  for (const Span& span : spans) {
    const Nanoseconds took = elapsed(span.start, span.end);
    if (!device_work(span) || !known(took) || took < 0 || span.name >= number.size()) continue;
    OperationClass of = class_of(span);
    of.name = number[span.name];
    if (of.name == into_names.size()) continue;
    if (durations.size() < kMostIsolatedTimes || durations.contains(of)) durations[of].push_back(took);
  }
}

std::vector<IsolatedTime> isolated_times(const Durations& durations) {
  std::vector<IsolatedTime> all;
  for (const auto& [of, samples] : durations) {
    const auto found = statistic(samples);
    if (found) all.push_back({of, found->median, found->minimum, found->spread, samples.size()});
  }
  return all;
}

const IsolatedTime* isolated_time_of(const std::vector<IsolatedTime>& all, const Span& span) {
  const OperationClass wanted = class_of(span);
  const auto at = std::ranges::lower_bound(all, wanted, {}, &IsolatedTime::of);
  return at != all.end() && at->of == wanted ? &*at : nullptr;
}

}  // namespace streamscope::trace

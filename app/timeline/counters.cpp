#include "app/timeline/counters.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace streamscope::timeline {

int counter_height(const LayoutOptions& options) {
  return std::max(8, static_cast<int>(std::lround(30 * std::clamp(options.scale, 0.25F, 8.0F))));
}

CounterRow counter_row(std::string name, std::vector<Nanoseconds> times, std::vector<double> values) {
  CounterRow out{std::move(name), std::move(times), std::move(values)};
  for (double& each : out.values) {
    if (!std::isfinite(each)) each = 0;
    out.least = std::min(out.least, each);
    out.most = std::max(out.most, each);
  }
  return out;
}

std::size_t counters_shown(const LayoutOptions& options) {
  if (options.counters == nullptr) return 0;
  return std::min(options.counters->size(), static_cast<std::size_t>(std::max(0, options.height / 3)) /
                                                static_cast<std::size_t>(counter_height(options)));
}

int counters_height(const LayoutOptions& options) {
  return static_cast<int>(counters_shown(options)) * counter_height(options);
}

std::optional<double> value_in(const CounterRow& row, Nanoseconds from, Nanoseconds to) {
  const auto first = std::lower_bound(row.times.begin(), row.times.end(), from);
  const auto end = std::lower_bound(first, row.times.end(), to);
  std::optional<double> out;
  if (first != row.times.begin()) out = row.values[static_cast<std::size_t>(first - row.times.begin()) - 1];
  for (auto at = first; at != end; ++at) {
    const double value = row.values[static_cast<std::size_t>(at - row.times.begin())];
    out = out ? std::max(*out, value) : value;
  }
  return out;
}

}  // namespace streamscope::timeline

#include "app/timeline/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace streamscope::timeline {
namespace {

struct Unit {
  std::string_view name;
  Nanoseconds length;
};
constexpr std::array<Unit, 4> kUnits{{{"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}}};

const Unit& unit_for(Nanoseconds largest) {
  const Unit* unit = &kUnits.front();
  for (const Unit& candidate : kUnits) {
    if (std::abs(largest) >= candidate.length) unit = &candidate;
  }
  return *unit;
}

}  // namespace

Nanoseconds round_step(Nanoseconds least) {
  for (Nanoseconds power = 1; power < kFurthest; power *= 10) {
    for (const Nanoseconds factor : {1, 2, 5}) {
      if (power * factor >= least) return power * factor;
    }
  }
  return kFurthest;
}

std::string tick_label(Nanoseconds time, Nanoseconds step, Nanoseconds largest) {
  if (time == 0) return "0";
  const Unit& unit = unit_for(largest);
  int decimals = 0;
  Nanoseconds digit = unit.length;  // of the last decimal
  for (; digit > 1 && step % digit != 0; digit /= 10) ++decimals;
  const Nanoseconds magnitude = std::abs(time);
  std::string text = fmt::format("{}{}", time < 0 ? "-" : "", magnitude / unit.length);
  if (decimals > 0) text += fmt::format(".{:0{}}", magnitude % unit.length / digit, decimals);
  return fmt::format("{} {}", text, unit.name);
}

std::vector<Tick> ticks(const View& view, int width, float character) {
  std::vector<Tick> out;
  if (width <= 0) return out;
  const Nanoseconds first = time_at(view, 0), last = time_at(view, width);
  const Nanoseconds largest = std::max(std::abs(first), std::abs(last));
  // A label takes room: try steps until the longest label, and as much air again, fits between two ticks.
  Nanoseconds step = 0;
  for (Nanoseconds least = 1; step < kFurthest; least = step + 1) {
    step = round_step(least);
    const double apart = static_cast<double>(step) * kFine / static_cast<double>(view.scale);
    if (apart < 8 * character) continue;
    const Nanoseconds longest = largest / step * step;
    const auto characters = static_cast<float>(tick_label(longest, step, largest).size() + (first < 0 ? 1 : 0));
    if (apart >= (characters * 1.5F + 3) * character) break;
  }
  Nanoseconds time = first / step * step;
  if (time > first) time -= step;
  for (; time <= last; time += step) {
    const std::int64_t x = column(view, time);
    if (x >= 0 && x < width) out.push_back({x, time, tick_label(time, step, largest)});
  }
  return out;
}

}  // namespace streamscope::timeline

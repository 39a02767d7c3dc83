#include "engine/measure/samples.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace streamscope::measure {

void SortedTimes::add(Nanoseconds time) {
  sorted_.insert(std::upper_bound(sorted_.begin(), sorted_.end(), time), time);
}

std::optional<double> SortedTimes::noise() const {
  if (size() < trace::kFewestForSpread || median() <= 0) return std::nullopt;
  return static_cast<double>(at_quarter(3) - at_quarter(1)) / 2 / static_cast<double>(median());
}

void Samples::add(device::Pass pass) {
  const Nanoseconds length = trace::makespan(pass.spans);
  walls_.push_back(pass.wall);
  sorted_walls_.add(pass.wall);
  makespans_.push_back(length);
  uncertainties_.add(pass.clock_uncertainty);
  // A program without device work has no makespan in any pass; then the wall time chooses the trace.
  const Nanoseconds key = known(length) ? length : pass.wall;
  keys_.add(key);
  if (pass.spans.empty() && !kept_.empty()) return;  // a bare or sampled pass: nothing to choose from
  kept_.push_back({key, std::move(pass)});
  if (kept_.size() <= kKeptPasses) return;
  kept_.erase(
      std::max_element(kept_.begin(), kept_.end(), [this](const Kept& a, const Kept& b) { return away(a) < away(b); }));
}

std::optional<trace::Statistic> Samples::makespan_statistic() const {
  if (!std::all_of(makespans_.begin(), makespans_.end(), known)) return std::nullopt;
  return trace::statistic(makespans_);
}

Nanoseconds Samples::away(const Kept& kept) const { return std::abs(kept.key - keys_.median()); }

std::vector<Samples::Kept>::iterator Samples::nearest_kept() {
  return std::min_element(kept_.begin(), kept_.end(),
                          [this](const Kept& a, const Kept& b) { return away(a) < away(b); });
}

}  // namespace streamscope::measure

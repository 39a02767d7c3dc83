#include "engine/measure/sampling.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <tuple>

namespace streamscope::measure {
namespace {

constexpr std::size_t kMostBytes = 128u << 20;
constexpr std::size_t kFewestKept = 7;

// splitmix64's last step: neighbours in, anything out.
std::uint64_t scattered(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

// Where the reading that comes after `seen` others goes; the same for readings seen together, so that what holds
// between them in every pass (a call begins before it ends) holds between their medians. `capacity`: nowhere.
std::size_t slot_after(std::uint32_t seen, std::size_t capacity) {
  if (seen < capacity) return seen;
  return std::min<std::size_t>(scattered(seen) % (std::uint64_t{seen} + 1), capacity);
}

// Written by the kernel itself, or by the host: there in every pass.
bool in_every_pass(const device::Observed& seen) {
  return seen.source == trace::Source::stamp || seen.source == trace::Source::host;
}
bool is_stamp(const device::Observed& seen) { return in_every_pass(seen) && known(seen.start) && known(seen.end); }

// The place of the median among the readings: of an even number the lower middle one, a time that was seen.
std::size_t median_at(std::span<const Nanoseconds> readings) {
  std::vector<std::size_t> order(readings.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>((order.size() - 1) / 2);
  std::nth_element(order.begin(), middle, order.end(),
                   [&](std::size_t a, std::size_t b) { return std::tie(readings[a], a) < std::tie(readings[b], b); });
  return *middle;
}

Nanoseconds median(std::span<const Nanoseconds> readings) {
  return readings.empty() ? kAbsent : readings[median_at(readings)];
}

std::uint32_t spread(std::span<const Nanoseconds> readings) {
  if (readings.size() < 2) return 0;
  std::vector<Nanoseconds> sorted(readings.begin(), readings.end());
  std::sort(sorted.begin(), sorted.end());
  const auto at = [&](std::size_t quarter) { return sorted[(sorted.size() - 1) * quarter / 4]; };
  const Nanoseconds range = sorted.size() < 4 ? sorted.back() - sorted.front() : at(3) - at(1);
  return static_cast<std::uint32_t>(std::min<Nanoseconds>((range + 1) / 2, 0xFFFFFFFF));
}

}  // namespace

device::Share share_of_pass(std::size_t pass, std::uint32_t of) {
  of = std::max(of, 1u);
  // The golden section of `of` lies far from its simple fractions; the next number without a common divisor will do.
  auto stride = static_cast<std::uint32_t>(std::uint64_t{of} * 618 / 1000);
  while (std::gcd(stride, of) != 1) ++stride;
  return {static_cast<std::uint32_t>(pass % of * stride % of), of};
}

Sampling::Sampling(const program::Program& program, std::size_t passes)
    : program_(program), seen_(program.operations.size()) {
  const std::size_t bytes = kReadings * sizeof(Nanoseconds) + sizeof(std::uint32_t);
  const std::size_t fit = kMostBytes / (bytes * std::max<std::size_t>(seen_.size(), 1));
  capacity_ = std::max<std::size_t>(1, std::min({passes, kKeptReadings, std::max(fit, kFewestKept)}));
  readings_.resize(seen_.size() * kReadings * capacity_);
  uncertainties_.resize(seen_.size() * capacity_);
}

std::span<const Nanoseconds> Sampling::kept(std::size_t operation, Reading reading, std::uint32_t seen) const {
  return {&readings_[(operation * kReadings + reading) * capacity_], std::min<std::size_t>(seen, capacity_)};
}

void Sampling::keep(std::size_t operation, Reading reading, std::uint32_t seen, Nanoseconds value) {
  const std::size_t slot = slot_after(seen, capacity_);
  if (slot < capacity_) readings_[(operation * kReadings + reading) * capacity_ + slot] = value;
}

void Sampling::choose_anchors(std::span<const device::Observed> pass) {
  struct Stamp {
    Nanoseconds time;
    Anchor anchor;
  };
  std::vector<Stamp> stamps;
  for (std::size_t i = 0; i < pass.size(); ++i) {
    const device::Observed& now = pass[i];
    if (!program::ordered_in(program_.operations[i]) || !known(now.end)) continue;
    if (in_every_pass(now) || seen_[i].anchor.chosen) continue;
    if (stamps.empty()) {  // most passes see nothing for the first time
      stamps.push_back({0, {kNoOperation, false, true}});
      for (std::size_t k = 0; k < pass.size(); ++k) {
        if (!program::ordered_in(program_.operations[k]) || !is_stamp(pass[k])) continue;
        stamps.push_back({pass[k].start, {static_cast<OperationIndex>(k), false, true}});
        stamps.push_back({pass[k].end, {static_cast<OperationIndex>(k), true, true}});
      }
      std::stable_sort(stamps.begin(), stamps.end(), [](const Stamp& a, const Stamp& b) { return a.time < b.time; });
    }
    auto nearest = std::lower_bound(stamps.begin(), stamps.end(), now.end,
                                    [](const Stamp& stamp, Nanoseconds time) { return stamp.time < time; });
    if (nearest == stamps.end() ||
        (nearest != stamps.begin() && now.end - std::prev(nearest)->time < nearest->time - now.end)) {
      --nearest;
    }
    seen_[i].anchor = nearest->anchor;
  }
}

void Sampling::add(std::span<const device::Observed> pass) {
  choose_anchors(pass);
  ++passes_;
  for (std::size_t i = 0; i < seen_.size() && i < pass.size(); ++i) {
    const device::Observed& now = pass[i];
    Seen& seen = seen_[i];
    seen.polls += now.polls;
    if (known(now.host_begin) && known(now.host_end)) {
      keep(i, host_begin, seen.host, now.host_begin);
      keep(i, host_end, seen.host, now.host_end);
      ++seen.host;
    }
    if (!program::ordered_in(program_.operations[i])) continue;  // all that host work has are its call's times
    if (known(now.start)) keep(i, start, seen.start++, now.start);
    if (!known(now.end)) continue;
    Nanoseconds from = 0;
    if (const OperationIndex anchor = seen.anchor.operation; anchor != kNoOperation) {
      from = seen.anchor.at_end ? pass[anchor].end : pass[anchor].start;
      if (!known(from)) continue;
    }
    keep(i, end, seen.end, now.end);
    keep(i, end_from_anchor, seen.end, now.end - from);
    if (const std::size_t slot = slot_after(seen.end, capacity_); slot < capacity_) {
      uncertainties_[i * capacity_ + slot] = now.uncertainty;
    }
    seen.source = now.source;
    ++seen.end;
  }
}

std::vector<device::Observed> Sampling::merged() const {
  std::vector<device::Observed> result(seen_.size());
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const Seen& seen = seen_[i];
    device::Observed& merged = result[i];
    merged.host_begin = median(kept(i, host_begin, seen.host));
    merged.host_end = median(kept(i, host_end, seen.host));
    merged.start = median(kept(i, start, seen.start));
    if (passes_ > 0) merged.polls = static_cast<std::uint32_t>((seen.polls + passes_ / 2) / passes_);
    merged.samples = seen.end;
    merged.spread = spread(kept(i, end, seen.end));
    if (!program::ordered_in(program_.operations[i])) {
      merged.samples = seen.host;
      merged.spread = spread(kept(i, host_end, seen.host));
    }
    if (seen.end == 0) continue;
    merged.source = seen.source;
    const auto ends = kept(i, end_from_anchor, seen.end);
    const std::size_t at = median_at(ends);
    Nanoseconds from = 0;
    if (const OperationIndex anchor = seen.anchor.operation; anchor != kNoOperation) {
      const Seen& stamped = seen_[anchor];
      from = seen.anchor.at_end ? median(kept(anchor, end, stamped.end)) : median(kept(anchor, start, stamped.start));
    }
    merged.end = from + ends[at];
    merged.uncertainty = uncertainties_[i * capacity_ + at];
  }
  return result;
}

}  // namespace streamscope::measure

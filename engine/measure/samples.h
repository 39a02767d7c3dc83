// What the timed passes of one measurement add up to: wall times, makespans, noise, and the trace they leave.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/device/device.h"

namespace streamscope::measure {

inline constexpr std::size_t kKeptPasses = 64;

// Times in order, so that medians and quartiles are at hand after each.
class SortedTimes {
 public:
  void add(Nanoseconds time);
  std::size_t size() const { return sorted_.size(); }
  Nanoseconds median() const { return at_quarter(2); }  // the lower middle one of an even number; of none kAbsent
  // Half the distance between the quartiles, over the median; nothing of fewer than kFewestForSpread.
  std::optional<double> noise() const;

 private:
  Nanoseconds at_quarter(std::size_t quarter) const {
    return sorted_.empty() ? kAbsent : sorted_[(sorted_.size() - 1) * quarter / 4];
  }
  std::vector<Nanoseconds> sorted_;
};

// The figures of every pass, and the spans of the kKeptPasses nearest the median so far.
class Samples {
 public:
  void add(device::Pass pass);

  bool empty() const { return walls_.empty(); }
  int count() const { return static_cast<int>(walls_.size()); }
  const std::vector<Nanoseconds>& walls() const { return walls_; }
  std::optional<double> noise() const { return sorted_walls_.noise(); }  // of the wall times
  // Nothing where a pass had no device work.
  std::optional<trace::Statistic> makespan_statistic() const;
  // How far the pass that nearest() gives lies from the median.
  Nanoseconds off() { return away(*nearest_kept()); }
  device::Pass& nearest() { return nearest_kept()->pass; }
  Nanoseconds median_uncertainty() const { return uncertainties_.median(); }

 private:
  struct Kept {
    Nanoseconds key;
    device::Pass pass;
  };

  Nanoseconds away(const Kept& kept) const;
  std::vector<Kept>::iterator nearest_kept();

  std::vector<Nanoseconds> walls_, makespans_;
  SortedTimes sorted_walls_, keys_, uncertainties_;
  std::vector<Kept> kept_;
};

}  // namespace streamscope::measure

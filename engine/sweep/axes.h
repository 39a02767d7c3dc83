// The axes of a sweep: keys of an experiment, each with the values that it takes in turn.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace streamscope::sweep {

struct Axis {
  std::string key;                  // "kernel.stages"
  std::vector<std::string> values;  // as typed, without quotes: "1", "16MiB", "cp.async"
  friend bool operator==(const Axis&, const Axis&) = default;
};

// What two axes, or an axis and a --set, cannot both be of: "chunk" and "chunks" are one.
std::string_view subject(std::string_view key);

inline constexpr std::size_t kMostAxes = 3, kMostCombinations = 4'096;

// "streams=[1,2,4]" or "streams=1,2,4". All that is wrong in one error, each line "--axis TEXT: error: ...".
Result<std::vector<Axis>> parse_axes(const std::vector<std::string>& texts);

// Combinations are counted with the last axis turning fastest.
std::size_t count_of(const std::vector<Axis>& axes);
std::vector<std::size_t> places_of(const std::vector<Axis>& axes, std::size_t combination);  // on each axis
// "kernel.stages=3" for each axis.
std::vector<std::string> settings_of(const std::vector<Axis>& axes, std::size_t combination);

}  // namespace streamscope::sweep

// The axes of a sweep: keys of an experiment, each with the values that it takes in turn, and what comes of them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/input.h"
#include "engine/base/result.h"

namespace streamscope::cli {

struct Axis {
  std::string key;                  // "kernel.stages"
  std::vector<std::string> values;  // as typed, without quotes: "1", "16MiB", "cp.async"
  friend bool operator==(const Axis&, const Axis&) = default;
};

inline constexpr std::size_t kMostAxes = 3, kMostCombinations = 4'096;

// "streams=[1,2,4]" or "streams=1,2,4". All that is wrong in one error, each line "--axis TEXT: error: ...".
Result<std::vector<Axis>> parse_axes(const std::vector<std::string>& texts);

// Combinations are counted with the last axis turning fastest.
std::size_t count_of(const std::vector<Axis>& axes);
std::vector<std::size_t> places_of(const std::vector<Axis>& axes, std::size_t combination);  // on each axis
// "kernel.stages=3" for each axis.
std::vector<std::string> settings_of(const std::vector<Axis>& axes, std::size_t combination);

struct Combination {
  std::string why_not;  // it cannot be: why; empty where it can
  std::string program;  // the text
  bool verify = true;
  bool has_tiles = false;              // tiles or attention, whose rate is known
  std::optional<std::size_t> same_as;  // an earlier one of which this is the same program
};

struct Combinations {
  std::string title;               // the experiment's name, else the file
  std::vector<Combination> all;    // count_of(axes)
  std::vector<std::string> notes;  // what the reader must know, such as keys that do nothing; each once
};

// Every combination read as an experiment. Error: what is wrong whatever the other axes say, all at once, with the axis
// and the value as place; or that no combination can be. A combination of values that are right by themselves but do
// not fit together is no error: it says why_not.
Result<Combinations> combine(const InputText& source, const std::vector<std::string>& settings,
                             const std::vector<Axis>& axes);

// An error's lines without their places, as one line: "8 stages of 64KiB need more shared memory ...".
std::string reason_of(const Error& error);

}  // namespace streamscope::cli

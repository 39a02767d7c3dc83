// What an experiment becomes at each combination of its axes' values, before any of it runs.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/experiment/read_input.h"
#include "engine/sweep/axes.h"
#include "engine/trace/note.h"

namespace streamscope::sweep {

struct Combination {
  std::string why_not;  // it cannot be: why; empty where it can
  std::string program;  // the text
  bool verify = true;
  std::size_t devices = 1;             // that it names
  bool has_tiles = false;              // tiles or attention, whose rate is known
  std::optional<std::size_t> same_as;  // an earlier one of which this is the same program
};

struct Combinations {
  std::string title;             // the experiment's name, else the file
  std::vector<Combination> all;  // count_of(axes)
  trace::Notes notes;            // what the reader must know, such as keys that do nothing; each once
};

// Called before each combination is read: how many were, and how many there are.
using CombineProgress = std::function<void(std::size_t done, std::size_t all)>;

// Every combination read as an experiment. Error: what is wrong whatever the other axes say, all at once, with the axis
// and the value as place; or that no combination can be. A combination of values that are right by themselves but do
// not fit together is no error: it says why_not.
Result<Combinations> combine(const experiment::InputText& source, const std::vector<std::string>& settings,
                             const std::vector<Axis>& axes, const CombineProgress& progress = {});

// An error's lines without their places, as one line: "8 stages of 64KiB need more shared memory ...".
std::string reason_of(const Error& error);

}  // namespace streamscope::sweep

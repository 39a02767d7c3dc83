// TOML and --set as a flat list of given values with their locations. Internal to this room; the only part that knows
// toml++.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/experiment/experiment_file.h"
#include "engine/experiment/read_value.h"

namespace streamscope::experiment {

struct LocatedProblem {
  std::string location;  // "file:3:9" or "--set streams"
  std::string message;
};

struct FileValues {
  std::vector<keys::Given> values;       // in the order of the file
  std::vector<LocatedProblem> problems;  // what is no key of an experiment, in no order
  std::uint32_t program_line = 0;        // see ExperimentFile
};
// Error: the text is not TOML; its message is a whole "file:line:column: error: ..." line.
Result<FileValues> read_toml(std::string_view toml, std::string_view file);

// The value is a TOML scalar where it reads as one, else a bare word: 8, true, "text", 4MiB, breadth-first.
Result<keys::Given> read_setting(const Setting& setting);

}  // namespace streamscope::experiment

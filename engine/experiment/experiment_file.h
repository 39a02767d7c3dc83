// An experiment as a TOML file, and the settings of --set that are applied after it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/experiment/experiment.h"

namespace streamscope::experiment {

// A key=value of --set: "streams=8", "kernel.fma=128", "chunk=4MiB".
struct Setting {
  std::string key, value;
};
Result<Setting> parse_setting(std::string_view text);

struct ExperimentFile {
  Experiment experiment;
  // The program's line 1 is the file's line program_line + 1. 0: it is not written line by line in the file.
  std::uint32_t program_line = 0;
  std::map<std::string, std::string, std::less<>> locations;  // of each key that was given: "file:3:9", "--set streams"
  // Keys that were given and do nothing; lines "location: warning: ...". There is none for a key of the file that has
  // its default value, as to_toml() writes all keys, and none for one that a --set makes useless.
  std::string warnings;
};

// All errors at once, each line "file:line:column: ..." (settings: "--set key: ..."), with a suggestion.
Result<ExperimentFile> parse_experiment(std::string_view toml, std::string_view file,
                                        const std::vector<Setting>& settings = {});
// parse_experiment() reads it back to an equal value, except for the kernel that `kernel.name = "none"` switched off.
std::string to_toml(const Experiment& experiment);
// As a run keeps it: without the keywords, by which only a file is found.
std::string toml_for_run(Experiment experiment);

}  // namespace streamscope::experiment

// The files that a command is to write, looked at before a long run and not only after it.
#pragma once

#include <string>
#include <vector>

#include "engine/base/result.h"

namespace streamscope::cli {

struct OutputFile {
  std::string option;  // "--json"
  std::string path;    // empty: not asked for; "-": standard output
};
struct InputFile {
  std::string what;  // "the input"
  std::string path;  // empty: none; "-": standard input
};

// Error: a folder that is not there or not writable, one file for two outputs (by whatever names), an output that would
// replace an input, standard output asked for twice. Devices and pipes may be named more than once.
Result<void> check_outputs(const std::vector<OutputFile>& outputs, const std::vector<InputFile>& inputs = {});

}  // namespace streamscope::cli

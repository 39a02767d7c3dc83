// The files that a command is to write, looked at before a long run and not only after it.
#pragma once

#include <string>
#include <vector>

#include "engine/base/result.h"

namespace streamscope {

struct OutputFile {
  std::string option;  // "--json"
  std::string path;    // empty: not asked for; "-": standard output
};

// Error: a folder that is not there or not writable, one file for two outputs, standard output asked for twice.
Result<void> check_outputs(const std::vector<OutputFile>& files);

}  // namespace streamscope

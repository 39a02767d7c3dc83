// An experiment as a TOML file. parse_experiment() reads it back to an equal value, except for the kernel that
// `kernel.name = "none"` switched off.
#pragma once

#include <string>

#include "engine/experiment/experiment_file.h"

namespace streamscope::experiment {

std::string to_toml(const Experiment& experiment);
std::string to_toml(const ExperimentFile& file);  // with its own program, where it has one

}  // namespace streamscope::experiment

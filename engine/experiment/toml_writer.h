// An experiment as a TOML file. parse_experiment() reads it back to an equal value, except for the kernel that
// `kernel.name = "none"` switched off.
#pragma once

#include <string>

#include "engine/experiment/experiment.h"

namespace streamscope::experiment {

std::string to_toml(const Experiment& experiment);

}  // namespace streamscope::experiment

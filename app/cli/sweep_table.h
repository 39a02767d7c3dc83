// A sweep for a person at a terminal.
#pragma once

#include <string>

#include "engine/sweep/sweep.h"

namespace streamscope::cli {

// One axis: a row for each value, with every figure. Else the figure alone: the first axis downwards, the second
// across, the third a table each.
std::string sweep_table(const sweep::Sweep& sweep);

}  // namespace streamscope::cli

// A sweep for other programs.
#pragma once

#include <string>

#include "engine/sweep/sweep.h"

namespace streamscope::output {

std::string sweep_csv(const sweep::Sweep& sweep);   // a line for each point
std::string sweep_json(const sweep::Sweep& sweep);  // schema 1

}  // namespace streamscope::output

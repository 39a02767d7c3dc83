// A run in a few lines for a person at a terminal; every number with its unit.
#pragma once

#include <string>

#include "engine/trace/trace.h"

namespace streamscope::cli {

std::string summary(const trace::Run& run, const std::string& title);

}  // namespace streamscope::cli

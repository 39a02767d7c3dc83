// A run in a few lines for a person at a terminal; every number with its unit.
#pragma once

#include <string>

#include "engine/trace/trace.h"

namespace streamscope {

std::string summary(const Run& run, const std::string& title);

}  // namespace streamscope

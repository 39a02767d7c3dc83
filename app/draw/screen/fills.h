// The patterns as a shader knows them.
#pragma once

#include <string>

namespace streamscope::screen {

// For the head of a shader: PATTERNS, by fill: period, width and the families of its stripes.
std::string fill_definitions();

}  // namespace streamscope::screen

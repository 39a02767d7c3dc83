// How often a test tries what it tries: a few times in a usual run, as often as the environment asks for else
// (docs/contributing.md).
#pragma once

#include <cstdlib>

namespace streamscope::tests {

inline int count_from(const char* variable, int usual) {
  const char* value = std::getenv(variable);
  return value == nullptr ? usual : std::atoi(value);
}

}  // namespace streamscope::tests

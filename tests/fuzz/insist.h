// What must hold whatever comes in: a fuzz target aborts where it does not.
#pragma once

#include <cstdlib>
#include <string_view>

#include "engine/base/result.h"

namespace streamscope::fuzz {

inline void insist(bool holds) {
  if (!holds) std::abort();
}

// An error about the file "f", or a line of the program in it, names it in front.
inline void insist_on_place(const Error& error) {
  insist(error.message.starts_with("f:") || error.message.starts_with("f, its program:"));
}

}  // namespace streamscope::fuzz

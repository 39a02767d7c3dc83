// A program's text where nobody reads warnings: of one that was read before, or of a change that is tried.
#pragma once

#include <string_view>

#include "engine/base/result.h"
#include "engine/program/program.h"

namespace streamscope::program {

// As read_program() has it, without the search for hazards, which takes as long as all else.
Result<Program> read_changed(std::string_view text, std::string_view file);

}  // namespace streamscope::program

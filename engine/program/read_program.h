// The whole way from a stream program's text to a Program: parse() and check() at once, what most callers want.
#pragma once

#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/program/diagnostic.h"
#include "engine/program/program.h"

namespace streamscope::program {

struct ReadProgram {
  Program program;
  std::vector<Diagnostic> warnings;
};
// All errors in one Error of kind bad_input, formatted with `file` as the name.
Result<ReadProgram> read_program(std::string_view text, std::string_view file);

}  // namespace streamscope::program

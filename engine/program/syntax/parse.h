#pragma once

#include <string_view>
#include <vector>

#include "engine/program/diagnostic.h"
#include "engine/program/syntax/tree.h"

namespace streamscope::program {

struct Parsed {
  Syntax syntax;                        // what could be understood, also where there are errors
  std::vector<Diagnostic> diagnostics;  // all errors of the text, not only the first
};
Parsed parse(std::string_view text);

}  // namespace streamscope::program

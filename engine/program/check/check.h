// From a syntax tree to a program: repeats expanded, names resolved, ranges checked, waits bound to event records.
#pragma once

#include <vector>

#include "engine/program/diagnostic.h"
#include "engine/program/program.h"
#include "engine/program/syntax/tree.h"

namespace streamscope::program {

struct Checked {
  Program program;                      // valid only where no diagnostic is an error
  std::vector<Diagnostic> diagnostics;  // errors; hazards (two unordered accesses to one range) as warnings
};
Checked check(const Syntax& syntax);

}  // namespace streamscope::program

// From a syntax tree to a program: repeats expanded, names resolved, ranges checked, waits bound to event records.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/program/diagnostic.h"
#include "engine/program/program.h"
#include "engine/program/syntax/tree.h"

namespace streamscope::program {

struct Checked {
  Program program;                      // valid only where no diagnostic is an error
  std::vector<Diagnostic> diagnostics;  // errors; hazards (two unordered accesses to one range) as warnings
};
// Hazards take longest to look for.
enum class Warnings : std::uint8_t { all, none };
Checked check(const Syntax& syntax, Warnings warnings = Warnings::all);

}  // namespace streamscope::program

// Warnings about what a program leaves unordered: memory that two operations touch, and streams and events that two
// threads use.
#pragma once

#include "engine/program/check/diagnostics.h"
#include "engine/program/program.h"
#include "engine/program/syntax/tree.h"

namespace streamscope::program {

void warn_of_missing_order(const Program& program, const Syntax& syntax, Diagnostics& diagnostics);

}  // namespace streamscope::program

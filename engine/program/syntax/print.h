#pragma once

#include <string>

#include "engine/program/syntax/tree.h"

namespace streamscope::program {

// The text in its one canonical form: parse(print(tree)) gives the tree again, comments kept.
std::string print(const Syntax& syntax);

}  // namespace streamscope::program

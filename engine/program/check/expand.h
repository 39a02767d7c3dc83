// From a syntax tree to the operations of a program: blocks are repeated, graphs captured and launched.
#pragma once

#include "engine/program/check/expansion.h"

namespace streamscope::program {

// Fills expansion.program; adds nothing beyond the limits.
void expand(Expansion& expansion, const Syntax& syntax);

}  // namespace streamscope::program

// Runs through a syntax tree as the host would, repeats and all.
#pragma once

#include "engine/program/check/expansion.h"

namespace streamscope::program {

// Fills expansion.program; stops adding where the limits are passed.
void expand(Expansion& expansion, const Syntax& syntax);

}  // namespace streamscope::program

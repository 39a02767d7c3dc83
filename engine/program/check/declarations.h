#pragma once

#include "engine/program/check/expansion.h"

namespace streamscope::program {

// buffer, stream, streams, event.
void declare(Expansion& expansion, const syntax::Statement& statement);

}  // namespace streamscope::program

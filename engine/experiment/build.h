// An experiment as a stream program.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/experiment/experiment.h"
#include "engine/program/program.h"

namespace streamscope::experiment {

// Its own program, where it has one. Else in the canonical form: print(parse(build(e)).syntax) is the same text.
std::string build(const Experiment& experiment);
// The key that decides what line `line` of a program from build() asks of a device, such as "kernel.duration"; empty:
// no single one.
std::string_view key_behind(const program::Program& built, std::uint32_t line);

}  // namespace streamscope::experiment

// The same number in one of the ways in which the language writes it, at random.
#pragma once

#include <cstdint>
#include <string>

#include "engine/base/time.h"
#include "tests/generated/random.h"

namespace streamscope::generated {

std::string integer(Random& random, std::int64_t value);  // "12", "{7+5}"
std::string size(Random& random, std::uint64_t bytes);    // "1572864", "1.5MiB", "{3*512}KiB"
std::string duration(Random& random, Nanoseconds time);   // "1500ns", "1.5us"

}  // namespace streamscope::generated

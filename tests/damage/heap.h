// How much memory a piece of work takes at its worst: the program's own malloc() counts.
#pragma once

#include <cstddef>

namespace streamscope::damage {

// Bytes that are allocated now, and the most there were since reset_peak(). 0 under a sanitizer, which has a malloc()
// of its own.
std::size_t heap_now();
std::size_t heap_peak();
void reset_peak();

}  // namespace streamscope::damage

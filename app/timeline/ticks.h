// The time axis: ticks at round times, 1, 2 or 5 times a power of ten nanoseconds apart.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/timeline/view.h"

namespace streamscope::timeline {

struct Tick {
  std::int64_t x = 0;    // column of the plot
  Nanoseconds time = 0;  // from the run's start
  std::string label;     // "0", "2.5 ms": one unit for the whole axis, as many decimals as the step needs
};

// The smallest 1-2-5 step of whole nanoseconds that is at least `least` long.
Nanoseconds round_step(Nanoseconds least);

// The ticks within the columns [0, width), far enough apart for labels whose characters are `character` pixels wide.
std::vector<Tick> ticks(const View& view, int width, float character);

// A time in the unit in which `largest` reads best, with the decimals that multiples of `step` need: (1'250'000,
// 50'000, 3'000'000) is "1.25 ms".
std::string tick_label(Nanoseconds time, Nanoseconds step, Nanoseconds largest);

}  // namespace streamscope::timeline

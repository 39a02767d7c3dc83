// Where the timeline looks: origin and scale in exact integers, so that what is drawn is exact at any zoom.
//
// Fine time: 1 ns = kFine fine units. A pixel column p covers the fine times [origin + p*scale, origin + (p+1)*scale).
#pragma once

#include <cstdint>

#include "engine/base/time.h"

namespace streamscope::timeline {

inline constexpr std::int64_t kFine = 1024;
inline constexpr std::int64_t kSmallestScale = kFine / 64;             // 64 pixels a nanosecond
inline constexpr std::int64_t kLargestScale = 10'000'000'000 * kFine;  // 10 s a pixel

struct View {
  std::int64_t origin = 0;     // fine time at the left edge of pixel column 0 of the plot
  std::int64_t scale = kFine;  // fine units a pixel
  friend bool operator==(const View&, const View&) = default;
};

// The pixels [x0, x1) that the times [start, end) cover; at least one. Not clipped. (docs/window.md, "Exactness at any
// zoom")
struct Pixels {
  std::int64_t x0, x1;
  friend bool operator==(const Pixels&, const Pixels&) = default;
};
// Times further than this from the run's start (26 days) are drawn as if they lay there, so that no sum overflows.
inline constexpr Nanoseconds kFurthest = Nanoseconds{1} << 51;
Pixels pixels(const View& view, Nanoseconds start, Nanoseconds end);
std::int64_t column(const View& view, Nanoseconds time);  // the pixel that holds this time; not clipped
Nanoseconds time_at(const View& view, double x);

View fit(Nanoseconds start, Nanoseconds end, int width);  // the interval with a margin of 2 % on both sides
// A factor over 1 zooms in. The time under at_x stays there; scales are clamped.
View zoomed(const View& view, double factor, double at_x);
View panned(const View& view, double pixels);  // positive: the content moves to the left

}  // namespace streamscope::timeline

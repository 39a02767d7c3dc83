#include "app/timeline/view.h"

#include <algorithm>
#include <cmath>

namespace streamscope::timeline {
namespace {

constexpr std::int64_t kFurthestFine = kFurthest * kFine;

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

// Both are clamped to 2^61, so their difference always fits.
std::int64_t from_origin(const View& view, Nanoseconds time) {
  return std::clamp(time, -kFurthest, kFurthest) * kFine - std::clamp(view.origin, -kFurthestFine, kFurthestFine);
}

std::int64_t to_integer(double value) {
  constexpr double kLimit = static_cast<double>(kFurthestFine);
  if (std::isnan(value)) return 0;
  return static_cast<std::int64_t>(std::clamp(value, -kLimit, kLimit));
}

// x columns in fine time, without the rounding that x * scale would have for large x.
std::int64_t fine(double x, std::int64_t scale) {
  const double whole = std::floor(x);
  return to_integer(whole * static_cast<double>(scale)) +
         to_integer(std::floor((x - whole) * static_cast<double>(scale)));
}

View placed(std::int64_t origin, std::int64_t scale) {
  return {std::clamp(origin, -kFurthestFine, kFurthestFine), scale};
}

}  // namespace

Pixels pixels(const View& view, Nanoseconds start, Nanoseconds end) {
  const std::int64_t x0 = floor_div(from_origin(view, start), view.scale);
  return {x0, std::max(ceil_div(from_origin(view, end), view.scale), x0 + 1)};
}

std::int64_t column(const View& view, Nanoseconds time) { return floor_div(from_origin(view, time), view.scale); }

Nanoseconds time_at(const View& view, double x) {
  return std::clamp(floor_div(view.origin + fine(x, view.scale), kFine), -kFurthest, kFurthest);
}

View fit(Nanoseconds start, Nanoseconds end, int width) {
  start = std::clamp(start, -kFurthest, kFurthest);
  end = std::clamp(end, start, kFurthest);
  const std::int64_t columns = std::max(width, 1);
  // The interval takes 1/1.04 of the width; divided first, for the product could overflow.
  const std::int64_t least = ceil_div((end - start) * kFine, columns);
  const std::int64_t scale = std::clamp(least + ceil_div(least, 25), kSmallestScale, kLargestScale);
  const std::int64_t middle = start * kFine + (end - start) * (kFine / 2);
  return placed(middle - scale * columns / 2, scale);
}

View zoomed(const View& view, double factor, double at_x) {
  if (!(factor > 0) || factor == 1) return view;
  std::int64_t scale = to_integer(std::round(static_cast<double>(view.scale) / factor));
  // At small scales a small step would round to none, and the wheel would seem stuck.
  if (scale == view.scale) scale += factor > 1 ? -1 : 1;
  scale = std::clamp(scale, kSmallestScale, kLargestScale);
  if (scale == view.scale) return view;
  return placed(view.origin + fine(at_x, view.scale) - fine(at_x, scale), scale);
}

View panned(const View& view, double by) { return placed(view.origin + fine(by, view.scale), view.scale); }

}  // namespace streamscope::timeline

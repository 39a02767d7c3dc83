// The patterns that tell bars apart where colours do not: one definition, drawn alike on screen, in PNG, SVG and PDF.
//
// Of a patterned rectangle only the pattern's pixels are drawn; what lies under it stays between them. One pattern lies
// under the whole picture, so that neighbouring rectangles go on with each other's lines.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "app/timeline/scene.h"

namespace streamscope::timeline {

// Families of stripes, each `width` pixels of every `period`; a pixel is drawn where one of them goes through it.
enum class Stripes : std::uint8_t {
  rising = 1,    // (x + y) % period < width
  falling = 2,   // (x - y) % period < width
  vertical = 4,  // x % period < width
  level = 8,     // y % period < width
  dots = 16,     // vertical and level both
};

struct Pattern {
  std::string_view name;  // as a word in a file: "rising"
  std::int32_t period = 1, width = 1;
  std::uint8_t stripes = 0;  // of Stripes, added up; none: every pixel
  constexpr bool has(Stripes which) const { return (stripes & static_cast<std::uint8_t>(which)) != 0; }
};

inline constexpr std::array<Pattern, kFills> kPatterns{{
    {"solid", 1, 1, 0},
    {"hatch", kHatchPeriod, kHatchWidth, static_cast<std::uint8_t>(Stripes::rising)},
    {"rising", 8, 2, static_cast<std::uint8_t>(Stripes::rising)},
    {"falling", 8, 2, static_cast<std::uint8_t>(Stripes::falling)},
    {"crossed", 8, 1, static_cast<std::uint8_t>(Stripes::rising) | static_cast<std::uint8_t>(Stripes::falling)},
    {"level", 5, 1, static_cast<std::uint8_t>(Stripes::level)},
    {"vertical", 5, 1, static_cast<std::uint8_t>(Stripes::vertical)},
    {"grid", 6, 1, static_cast<std::uint8_t>(Stripes::vertical) | static_cast<std::uint8_t>(Stripes::level)},
    {"dots", 5, 2, static_cast<std::uint8_t>(Stripes::dots)},
    {"dotted", 6, 2, static_cast<std::uint8_t>(Stripes::dots)},
}};

constexpr const Pattern& pattern(Fill fill) { return kPatterns[static_cast<std::size_t>(fill)]; }

// The grain of a scene that is drawn at that scale: its stripes are as wide as its letters ask for.
inline std::int32_t grain_of(float scale) { return std::max(1, static_cast<std::int32_t>(std::lround(scale))); }

// Whether a rectangle of that fill draws the picture's pixel (x, y); neither is negative.
constexpr bool drawn(Fill fill, std::int32_t x, std::int32_t y, std::int32_t grain = 1) {
  const Pattern& p = pattern(fill);
  x /= grain, y /= grain;
  const auto in = [&p](std::int64_t at) { return at % p.period < p.width; };
  return p.stripes == 0 || (p.has(Stripes::rising) && in(std::int64_t{x} + y)) ||
         (p.has(Stripes::falling) && in(x + std::int64_t{y} * (p.period - 1))) || (p.has(Stripes::vertical) && in(x)) ||
         (p.has(Stripes::level) && in(y)) || (p.has(Stripes::dots) && in(x) && in(y));
}

}  // namespace streamscope::timeline

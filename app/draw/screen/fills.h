// A rectangle's opacity and pattern in one byte, and the patterns as the shader knows them.
#pragma once

#include <cstdint>
#include <string>

#include "app/timeline/picture.h"

namespace streamscope {

// Solid: below 128, seven bits of alpha (127 is opaque). Patterned: 128 + 8 times the fill less one + three bits of
// alpha (7 is opaque), so at most 15 patterns, whose opacity comes in steps of a seventh.
constexpr std::uint8_t alpha_and_fill(std::uint8_t alpha, Fill fill) {
  if (fill == Fill::solid) return static_cast<std::uint8_t>(alpha >> 1);
  const unsigned opacity = (alpha * 7U + 127U) / 255U;
  return static_cast<std::uint8_t>(128U + 8U * (static_cast<unsigned>(fill) - 1U) + opacity);
}
static_assert(kFills <= 16);

// For the head of a shader: PATTERNS, by fill: period, width and the families of its stripes.
std::string fill_definitions();

}  // namespace streamscope

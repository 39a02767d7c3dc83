// What a picture says, and colours to draw one in.
#pragma once

#include <string>

#include "app/timeline/scene.h"

namespace streamscope::draw {

inline std::string all_text(const timeline::Scene& scene) {
  std::string out;
  for (const timeline::Text& text : scene.texts) out += text.text + "\n";
  return out;
}

inline constexpr timeline::Colour kRed{200, 10, 20}, kGreen{0, 158, 115}, kBack{17, 34, 51};

}  // namespace streamscope::draw

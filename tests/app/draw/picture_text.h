// What a picture says, and colours to draw one in.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "app/timeline/scene.h"
#include "app/timeline/text_width.h"

namespace streamscope::draw {

inline std::string all_text(const timeline::Scene& scene) {
  std::string out;
  for (const timeline::Text& text : scene.texts) out += text.text + "\n";
  return out;
}

inline constexpr timeline::Colour kRed{200, 10, 20}, kGreen{0, 158, 115}, kBack{17, 34, 51};

// Every text and rectangle lies on the page.
inline void expect_all_inside(const timeline::Scene& scene) {
  for (const timeline::Text& t : scene.texts) {
    const float width = timeline::text_width(t.text, t.font, t.size);
    const float x0 = t.anchor == timeline::Anchor::left     ? t.x
                     : t.anchor == timeline::Anchor::centre ? t.x - width / 2
                                                            : t.x - width;
    EXPECT_GE(x0, -1) << t.text;
    EXPECT_LE(x0 + width, static_cast<float>(scene.width) + 1) << t.text;
    EXPECT_GE(t.y - t.size / 2, 0) << t.text;
    EXPECT_LE(t.y + t.size / 2, static_cast<float>(scene.height)) << t.text;
  }
  for (const timeline::Rectangle& r : scene.rectangles) {
    EXPECT_TRUE(r.x0 >= 0 && r.x1 <= scene.width && r.y0 >= 0 && r.y1 <= scene.height);
  }
}

}  // namespace streamscope::draw

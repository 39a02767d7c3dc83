#include "app/timeline/theme.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/timeline/bar_style.h"
#include "app/timeline/contrast.h"
#include "app/timeline/text_width.h"

namespace streamscope::timeline {
namespace {

constexpr ThemeName kAll[] = {ThemeName::dark, ThemeName::light, ThemeName::projector, ThemeName::print};

TEST(Theme, ColoursAreTheAgreedOnes) {
  EXPECT_EQ(colour(OperationKind::h2d), (Colour{0x00, 0x9E, 0x73}));
  EXPECT_EQ(colour(OperationKind::d2h), (Colour{0xCC, 0x79, 0xA7}));
  EXPECT_EQ(colour(OperationKind::kernel), (Colour{0x56, 0xB4, 0xE9}));
  EXPECT_EQ(colour(OperationKind::d2d), (Colour{0x00, 0x72, 0xB2}));
  EXPECT_EQ(colour(OperationKind::memset), (Colour{0xF0, 0xE4, 0x42}));
  EXPECT_EQ(colour(OperationKind::hostfn), (Colour{0xE6, 0x9F, 0x00}));
  EXPECT_EQ(colour(OperationKind::sync), (Colour{0xD5, 0x5E, 0x00}));
}

TEST(Theme, TextReadsOnEveryGround) {
  for (const ThemeName which : kAll) {
    const Theme& t = theme(which);
    EXPECT_EQ(t.name, which);
    // 4.5 is what WCAG asks of text.
    for (const Colour ground : {t.background, t.panel, t.lane}) {
      for (const Colour text : {t.text, t.faint_text, t.strong_text}) {
        EXPECT_GE(contrast(text, ground), 4.5) << name(which);
      }
    }
    // Links have the selection's colour.
    for (const Colour ground : {t.background, t.panel, t.lane})
      for (const Colour text : {t.warning, t.error, t.selection}) EXPECT_GE(contrast(text, ground), 4.5) << name(which);
    // As the window mixes them: behind typed text, of buttons, behind tabs that are not chosen; a button that is lit.
    const Colour field = mixed(t.panel, t.text, 0.09F), button = mixed(t.panel, t.text, 0.13F);
    for (const Colour ground : {field, button, mixed(t.panel, t.background, 0.5F)})
      for (const Colour text : {t.text, t.faint_text, t.strong_text})
        EXPECT_GE(contrast(text, ground), 4.5) << name(which);
    EXPECT_GE(contrast(t.error, field), 4.5) << name(which);
    EXPECT_GE(contrast(text_on(t.selection), t.selection), 4.5) << name(which);
    EXPECT_GE(contrast(text_on(t.measured), t.measured), 4.5) << name(which);
    EXPECT_GE(contrast(text_on(t.model), t.model), 4.5) << name(which);
    EXPECT_NE(t.measured, t.model);
  }
}

TEST(Contrast, IsWhatWcagCounts) {
  EXPECT_DOUBLE_EQ(contrast({0, 0, 0}, {255, 255, 255}), 21);
  EXPECT_NEAR(contrast({0x77, 0x77, 0x77}, {255, 255, 255}), 4.48, 0.005);
}

TEST(Contrast, AnInkIsChangedNoFurtherThanItMustBe) {
  const Colour white{255, 255, 255}, black{0, 0, 0}, blue = colour(OperationKind::d2d);
  EXPECT_EQ(readable(blue, {white}, black), blue);
  const Colour yellow = readable(colour(OperationKind::memset), {white}, black);
  EXPECT_GE(contrast(yellow, white), kReadable);
  EXPECT_LT(contrast(yellow, white), 6);
}

TEST(Theme, TextReadsOnEveryBar) {
  for (std::size_t i = 0; i < kOperationKinds; ++i) {
    const auto kind = static_cast<OperationKind>(i);
    for (const ThemeName which : kAll) {
      const Colour bar = bar_style(colour(kind), pattern_of(kind), theme(which)).ground;
      EXPECT_GE(contrast(text_on(bar), bar), 4.5) << name(kind);
    }
  }
  for (std::uint32_t stream = 0; stream < 8; ++stream) {
    EXPECT_GE(contrast(text_on(stream_colour(stream)), stream_colour(stream)), 4.5) << stream;
  }
}

TEST(Theme, StreamsTakeEightHuesInTurn) {
  for (std::uint32_t a = 0; a < 8; ++a) {
    EXPECT_EQ(stream_colour(a), stream_colour(a + 8));
    for (std::uint32_t b = 0; b < a; ++b) EXPECT_NE(stream_colour(a), stream_colour(b));
  }
}

TEST(Theme, NamesReadBack) {
  for (const ThemeName which : kAll) EXPECT_EQ(by_name<ThemeName>(name(which)), which);
  EXPECT_FALSE(by_name<ThemeName>("Dark").has_value());
  EXPECT_FALSE(by_name<ThemeName>("").has_value());
}

TEST(TextWidth, GrowsWithTextAndSize) {
  EXPECT_EQ(text_width("", Font::regular, 13), 0);
  EXPECT_GT(text_width("H2D", Font::regular, 13), text_width("H2", Font::regular, 13));
  EXPECT_FLOAT_EQ(text_width("H2D", Font::mono, 26), 2 * text_width("H2D", Font::mono, 13));
  // A letter of two bytes is one letter.
  EXPECT_LT(text_width("±", Font::regular, 10), 10);
}

TEST(TextWidth, CutsAtALetterWithAnEllipsis) {
  EXPECT_EQ(fitted("kernel", Font::regular, 10, 1000), "kernel");
  const std::string cut = fitted("a very long name of a kernel", Font::regular, 10, 60);
  EXPECT_TRUE(cut.starts_with("a very")) << cut;
  EXPECT_TRUE(cut.ends_with("…")) << cut;
  EXPECT_LE(text_width(cut, Font::regular, 10), 60);
  EXPECT_EQ(fitted("±±±±±±", Font::mono, 10, 19), "±±…");
  EXPECT_EQ(fitted("kernel", Font::regular, 10, 3), "");
  EXPECT_EQ(fitted("kernel", Font::regular, 10, -5), "");
}

}  // namespace
}  // namespace streamscope::timeline

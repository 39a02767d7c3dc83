#include "app/draw/screen/bands.h"

#include <gtest/gtest.h>

#include <random>

#include "app/draw/screen/batches.h"
#include "app/timeline/pattern.h"

namespace streamscope {
namespace {

constexpr int kWidth = 150, kHeight = 90;
constexpr Colour kGround{1, 2, 3}, kRed{200, 10, 20}, kGreen{0, 158, 115};

Rectangle ground() { return {0, 0, kWidth, kHeight, kGround, Fill::solid}; }

// Painted one after the other, as their definition has it; every pixel of the ground's size.
std::vector<Colour> painted(const std::vector<Rectangle>& rectangles, std::vector<Colour> under) {
  for (const Rectangle& r : rectangles) {
    for (int y = std::max(r.y0, 0); y < std::min(r.y1, kHeight); ++y) {
      for (int x = std::max(r.x0, 0); x < std::min(r.x1, kWidth); ++x) {
        if (!drawn(r.fill, x, y)) continue;
        Colour& at = under[static_cast<std::size_t>(y * kWidth + x)];
        const auto mix = [&](int from, int to) {
          return static_cast<std::uint8_t>((from * (255 - r.colour.a) + to * r.colour.a + 127) / 255);
        };
        at = {mix(at.r, r.colour.r), mix(at.g, r.colour.g), mix(at.b, r.colour.b), 255};
      }
    }
  }
  return under;
}

// What is under the bands, with the crowded rows put over it.
std::vector<Colour> with_bands(std::vector<Colour> under, const Bands& bands) {
  for (const PixelRows& rows : bands.crowded) {
    for (int y = rows.y0; y < rows.y1; ++y) {
      const auto row = bands.colours.begin() + std::ptrdiff_t{bands.of_row[static_cast<std::size_t>(y)]} * bands.width;
      std::copy(row, row + bands.width, under.begin() + std::ptrdiff_t{y} * bands.width);
    }
  }
  return under;
}

TEST(Bands, OfTheGroundAloneAreNotCrowded) {
  const Layers layers = layers_of(std::vector<Rectangle>{ground()}, 1);
  EXPECT_TRUE(layers.over.empty());
  EXPECT_EQ(layers.under.size(), 1u);
  EXPECT_TRUE(layers.bands.crowded.empty());
  EXPECT_EQ(layers.bands.count(), 0u);
}

TEST(Bands, AreDrawnWhereRowsAreCrowdedAndWhatIsWhollyThereIsNotDrawnTwice) {
  std::vector<Rectangle> all{ground(), {0, 70, 5, 80, kGreen, Fill::solid}};
  for (int x = 0; x < 10; ++x) all.push_back({x * 10, 20, x * 10 + 5, 30, kRed, Fill::solid});
  const Layers layers = layers_of(all, 10 * (5 + kEdges) * 100 / kWidth);
  ASSERT_EQ(layers.bands.crowded.size(), 1u);
  EXPECT_EQ(layers.bands.crowded[0].y0, 20);
  EXPECT_EQ(layers.bands.crowded[0].y1, 30);
  EXPECT_EQ(layers.under.size(), 2u);
  EXPECT_TRUE(layers_of(all, 10 * (5 + kEdges) * 100 / kWidth + 1).bands.crowded.empty());
}

TEST(Bands, NeedAGround) {
  EXPECT_FALSE(has_ground({}, 1000));
  EXPECT_TRUE(has_ground(std::vector<Rectangle>{ground()}, kWidth));
  EXPECT_FALSE(has_ground(std::vector<Rectangle>{ground()}, kWidth - 1));
  std::vector<Rectangle> wrong(6, ground());
  wrong[0].x0 = 1;
  wrong[1].y0 = 1;
  wrong[2].colour.a = 254;
  wrong[3].fill = Fill::hatch;
  wrong[4].x1 = 0;
  wrong[5].y1 = 1001;
  for (const Rectangle& each : wrong)
    EXPECT_FALSE(has_ground(std::vector<Rectangle>{each, {3, 4, 5, 6, kRed, Fill::solid}}, 1000));
}

TEST(Bands, CanBeAsManyAsThereAreRows) {
  constexpr int kTall = 65'535;
  std::vector<Rectangle> all{{0, 0, 1, kTall, kGround, Fill::solid}};
  for (int y = 0; y < kTall; ++y)
    all.push_back({0, y, 1, y + 1, {static_cast<std::uint8_t>(y), static_cast<std::uint8_t>(y >> 8), 7}, Fill::solid});
  const Layers layers = layers_of(all, 0);
  const Bands& bands = layers.bands;
  EXPECT_TRUE(layers.over.empty() && layers.under.empty());
  ASSERT_EQ(bands.count(), std::size_t{kTall});
  for (const std::size_t y : {0, 1, 255, 256, kTall - 1}) EXPECT_EQ(bands.colours[y], all[y + 1].colour);
}

TEST(Bands, LeaveWhatIsPatternedAndWhatLiesOverItForLater) {
  const std::vector<Rectangle> all{ground(),
                                   {10, 10, 40, 20, kRed, Fill::hatch},
                                   {39, 15, 50, 25, kGreen, Fill::solid},     // over the hatch's last column
                                   {49, 20, 60, 30, kRed, Fill::solid},       // over that
                                   {40, 10, 50, 15, kGreen, Fill::solid},     // touches, lies over none
                                   {140, 80, 160, 90, kGreen, Fill::solid}};  // reaches out of the ground
  const Layers layers = layers_of(all, 0);
  ASSERT_EQ(layers.over.size(), 4u);
  EXPECT_EQ(layers.over[0].fill, Fill::hatch);
  EXPECT_EQ(layers.over[1].x0, 39);
  EXPECT_EQ(layers.over[2].x0, 49);
  EXPECT_EQ(layers.over[3].x1, 160);
  const std::vector<Colour> nothing(static_cast<std::size_t>(kWidth * kHeight));
  EXPECT_EQ(with_bands(nothing, layers.bands)[12 * kWidth + 45], kGreen);
}

// One layer after the other is what all of them in their order are, whatever counts as a crowd.
TEST(Bands, AndWhatIsUnderAndOverThemAreThePicture) {
  std::mt19937 random(5);
  const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  for (int round = 0; round < 200; ++round) {
    std::vector<Rectangle> all{ground()};
    const int how_many = below(120);
    for (int i = 0; i < how_many; ++i) {
      const int x = below(kWidth + 20) - 10, y = below(kHeight + 20) - 10;
      const Colour colour{static_cast<std::uint8_t>(below(256)), static_cast<std::uint8_t>(below(256)),
                          static_cast<std::uint8_t>(below(256)),
                          static_cast<std::uint8_t>(below(3) > 0 ? 255 : below(256))};
      all.push_back({x, y, x + below(70), y + below(9), colour,
                     below(6) > 0 ? Fill::solid : static_cast<Fill>(below(static_cast<int>(kFills)))});
    }
    const int crowd = below(150);
    const Layers layers = layers_of(all, crowd);
    const std::vector<Colour> nothing(static_cast<std::size_t>(kWidth * kHeight));
    ASSERT_EQ(painted(layers.over, with_bands(painted(layers.under, nothing), layers.bands)), painted(all, nothing))
        << "round " << round << ", crowd " << crowd;
  }
}

TEST(Batches, KeepAllInOrderAndPaintEachAsItNeedsOrDearer) {
  std::mt19937 random(7);
  const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  for (int round = 0; round < 100; ++round) {
    std::vector<Rectangle> all;
    const int how_many = below(60);
    for (int i = 0; i < how_many; ++i)
      all.push_back({below(100),
                     below(100),
                     101 + below(200),
                     101 + below(200),
                     {static_cast<std::uint8_t>(i), 0, 0, static_cast<std::uint8_t>(below(2) > 0 ? 255 : 9)},
                     below(2) > 0 ? Fill::solid : Fill::dots});
    const Batches made = batches(all);
    ASSERT_EQ(made.size(), all.size());
    std::size_t next = 0;
    for (const Batch& batch : made.batches) {
      ASSERT_EQ(batch.first, next);
      for (; next < batch.first + batch.count; ++next) {
        const Corner& corner = made.corners[4 * next];
        ASSERT_EQ(corner.colour, all[next].colour);
        ASSERT_EQ(corner.fill, all[next].fill);
        if (corner.fill != Fill::solid) {
          ASSERT_EQ(batch.painting, Painting::patterned);
        }
        if (corner.colour.a != 255) {
          ASSERT_NE(batch.painting, Painting::opaque);
        }
      }
    }
    ASSERT_EQ(next, all.size());
  }
}

TEST(Batches, SpareADearPaintingForWhatIsLarge) {
  const Rectangle large{0, 0, 1000, 1000, kRed, Fill::solid}, small{0, 0, 10, 10, kGreen, Fill::hatch};
  std::vector<Rectangle> all{large, small, large};
  EXPECT_EQ(batches(all).batches.size(), 3u);
  // A thousand small ones by turns are no thousand calls.
  for (int i = 0; i < 1000; ++i) all.push_back({i, 0, i + 9, 9, kRed, i % 2 == 0 ? Fill::hatch : Fill::solid});
  const Batches made = batches(all);
  ASSERT_EQ(made.batches.size(), 4u);
  EXPECT_EQ(made.batches[2].painting, Painting::opaque);
  EXPECT_EQ(made.batches[3].count, 1000u);
}

}  // namespace
}  // namespace streamscope

#include "app/draw/screen/batches.h"

#include <gtest/gtest.h>

#include <random>

namespace streamscope::screen {
namespace {

Batches batches_of(const std::vector<timeline::Rectangle>& all) {
  timeline::Scene scene = timeline::blank_scene(1000, 1000, {});
  scene.rectangles = all;
  return batches(scene);
}

constexpr timeline::Colour kRed{200, 10, 20}, kGreen{0, 158, 115};

TEST(Batches, KeepAllInOrderAndPaintEachAsItNeedsOrDearer) {
  std::mt19937 random(7);
  const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  for (int round = 0; round < 100; ++round) {
    std::vector<timeline::Rectangle> all;
    const int how_many = below(60);
    for (int i = 0; i < how_many; ++i)
      all.push_back({below(100),
                     below(100),
                     101 + below(200),
                     101 + below(200),
                     {static_cast<std::uint8_t>(i), 0, 0, static_cast<std::uint8_t>(below(2) > 0 ? 255 : 9)},
                     below(2) > 0 ? timeline::Fill::solid : timeline::Fill::dots});
    const Batches made = batches_of(all);
    ASSERT_EQ(made.size(), all.size());
    std::size_t next = 0;
    for (const Batch& batch : made.batches) {
      ASSERT_EQ(batch.first, next);
      for (; next < batch.first + batch.count; ++next) {
        const Corner& corner = made.corners[4 * next];
        ASSERT_EQ(corner.colour, all[next].colour);
        ASSERT_EQ(corner.fill, all[next].fill);
        if (corner.fill != timeline::Fill::solid) {
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
  const timeline::Rectangle large{0, 0, 1000, 1000, kRed, timeline::Fill::solid},
      small{0, 0, 10, 10, kGreen, timeline::Fill::hatch};
  std::vector<timeline::Rectangle> all{large, small, large};
  EXPECT_EQ(batches_of(all).batches.size(), 3u);
  // A thousand small ones by turns are no thousand calls.
  for (int i = 0; i < 1000; ++i)
    all.push_back({i, 0, i + 9, 9, kRed, i % 2 == 0 ? timeline::Fill::hatch : timeline::Fill::solid});
  const Batches made = batches_of(all);
  ASSERT_EQ(made.batches.size(), 4u);
  EXPECT_EQ(made.batches[2].painting, Painting::opaque);
  EXPECT_EQ(made.batches[3].count, 1000u);
}

}  // namespace
}  // namespace streamscope::screen

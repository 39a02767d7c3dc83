// What lies in a block's shared memory at one moment.
#include "app/timeline/shared_ring.h"

#include <gmock/gmock.h>

#include "app/timeline/draw_inside.h"
#include "app/timeline/tracks.h"
#include "tests/app/timeline/layout_fixture.h"
#include "tests/support/stages_run.h"

namespace streamscope::timeline {
namespace {

using ::testing::ElementsAre;

// Asked for 10 and 20 ns after the begin at 0; there 310 and 510 (once tile 0 is worked on), worked on for 200.
const trace::StageBlock kBlock = testing::recorded_block(1, 7, 3, 0);

TEST(SharedRing, FillsIsWorkedOnAndIsEmptyInTurn) {
  EXPECT_THAT(ring(kBlock, 0).slots, ElementsAre(RingSlot{}, RingSlot{}));
  EXPECT_THAT(ring(kBlock, 160).slots,
              ElementsAre(RingSlot{SlotState::filling, 0, 0.5}, RingSlot{SlotState::filling, 1, 140.0 / 490}));
  EXPECT_EQ(ring(kBlock, 310).slots[0], (RingSlot{SlotState::working, 0, 1}));
  EXPECT_EQ(ring(kBlock, 309).slots[0].state, SlotState::filling);
  // Tile 1 is worked on, and tile 2 is on its way to where tile 0 was.
  EXPECT_THAT(ring(kBlock, 510).slots,
              ElementsAre(RingSlot{SlotState::filling, 2, 0}, RingSlot{SlotState::working, 1, 1}));
  EXPECT_THAT(ring(kBlock, kBlock.end).slots, ElementsAre(RingSlot{}, RingSlot{}));
}

TEST(SharedRing, WhatWasNotRecordedIsNotSaidToBeEmpty) {
  trace::StageBlock newest = kBlock;
  newest.stages.erase(newest.stages.begin(), newest.stages.begin() + 4);
  EXPECT_EQ(ring(newest, 100).slots[0].state, SlotState::unrecorded);
  EXPECT_EQ(ring(newest, newest.stages[0].wait_over).slots[0], (RingSlot{SlotState::working, 4, 1}));
  EXPECT_EQ(ring(newest, newest.end).slots[0].state, SlotState::empty);
  EXPECT_EQ(ring_caption(newest, ring(newest, 100), 100), "block 7 on SM 3, 100 ns after it began: not recorded");
}

TEST(SharedRing, IsPutIntoWords) {
  const auto words = [](Nanoseconds at) { return ring_caption(kBlock, ring(kBlock, at), at); };
  EXPECT_EQ(words(510), "block 7 on SM 3, 510 ns after it began: works on tile 1, 1 copy under way");
  EXPECT_EQ(words(160), "block 7 on SM 3, 160 ns after it began: works on none, 2 copies under way");
  EXPECT_EQ(words(-5), "block 7 on SM 3: it has not begun");
  EXPECT_EQ(words(kBlock.end), "block 7 on SM 3: it is over");
}

TEST(SharedRing, TheBlockThatRanThenIsTakenFirstOnAnOpenMultiprocessor) {
  const trace::Trace trace = testing::stages_run().trace;
  const Nanoseconds start = trace.spans[1].start;
  EXPECT_EQ(block_at(trace, {1, {3}}, start + 1'200), 0u);
  EXPECT_EQ(block_at(trace, {1, {3}}, start + 6'200), 1u);
  EXPECT_EQ(block_at(trace, {1, {3}}, start + 100'000), 1u) << "the nearest";
  EXPECT_EQ(block_at(trace, {1, {17}}, start + 1'200), 2u);
  EXPECT_EQ(block_at(trace, {1, {}}, start + 1'200), 0u);
  EXPECT_EQ(block_at(trace, {0, {}}, start), kNoBlock);
  EXPECT_EQ(block_at(trace, {1, {17}}, kAbsent), 2u) << "before the mouse was anywhere";
}

TEST(SharedRing, IsDrawnAsABoxForEachPlace) {
  const Theme& dark = theme(ThemeName::dark);
  Scene scene;
  const Rectangle within{100, 0, 400, 44, {}, Fill::solid};
  const int left = draw_ring(scene, ring(kBlock, 510), dark, within, 11, {0, 44});
  EXPECT_GT(left, 300);
  const auto solid = [&](Colour ink) {
    int area = 0;
    for (const Rectangle& r : scene.rectangles) {
      EXPECT_TRUE(r.x0 >= left && r.x1 <= 400 && r.y0 >= 0 && r.y1 <= 44);
      if (r.colour == ink && r.fill == Fill::solid) area += (r.x1 - r.x0) * (r.y1 - r.y0);
    }
    return area;
  };
  EXPECT_GT(solid(colour(Phase::working)), 500);
  std::vector<std::string> tiles;
  for (const Text& each : scene.texts) tiles.push_back(each.text);
  EXPECT_THAT(tiles, ElementsAre("2", "1"));
  EXPECT_EQ(scene.lines.size(), 2u) << "the mark under the one that is worked on";
}

class RingInHeading : public LayoutTest {};

TEST_F(RingInHeading, TakesRoomOnlyWhereItIsShown) {
  run = testing::stages_run();
  shown = tracks(run.trace);
  add_inside(shown, run.trace, {1, {3}});
  options.height = 900;
  draw();
  const int without = where.content_height;
  options.ring = {0, run.trace.spans[1].start + 1'510};
  draw();
  EXPECT_GT(where.content_height, without);
  EXPECT_NE(text(ring_caption(run.trace.stages.blocks[0], ring(run.trace.stages.blocks[0], options.ring.time),
                              options.ring.time)),
            nullptr);
}

}  // namespace
}  // namespace streamscope::timeline

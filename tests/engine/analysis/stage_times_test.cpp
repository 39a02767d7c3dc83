#include "engine/analysis/stage_times.h"

#include <gtest/gtest.h>

namespace streamscope::analysis {
namespace {

trace::StageBlock block() {
  return {.operation = 3,
          .tiles = 2,
          .begin = 1'000,
          .end = 1'900,
          .stages = {{0, 1'010, 1'020, 1'200, 1'500}, {1, 1'210, 1'510, 1'600, 1'850}}};
}

TEST(StageTimes, WorkAndWaitingAreAllOfABlocksTimeUpToItsLastWork) {
  const BlockTime time = block_time(block());
  EXPECT_EQ(time.working, 300 + 250);
  EXPECT_EQ(time.waiting, 200 + 100);
  EXPECT_EQ(time.working + time.waiting, 1'850 - 1'000);
}

TEST(StageTimes, WhatWasBeforeTheOldestTileThatIsKeptDoesNotCount) {
  trace::StageBlock newest = block();
  newest.stages.erase(newest.stages.begin());
  const BlockTime time = block_time(newest);
  EXPECT_EQ(time.working, 250);
  EXPECT_EQ(time.waiting, 1'600 - 1'510);
  EXPECT_EQ(block_time(trace::StageBlock{}).waiting, 0);
}

TEST(StageTimes, TheShareIsOfOneOperationOrOfAll) {
  trace::Stages stages;
  EXPECT_FALSE(share_waited(stages));
  stages.blocks = {block(), block()};
  stages.blocks[1].operation = 4;
  stages.blocks[1].stages[0].wait_over = 1'500;  // it waited all the time for its first tile
  EXPECT_DOUBLE_EQ(*share_waited(stages, 3), 300.0 / 850);
  EXPECT_DOUBLE_EQ(*share_waited(stages, 4), 600.0 / 850);
  EXPECT_DOUBLE_EQ(*share_waited(stages), 900.0 / 1700);
  EXPECT_FALSE(share_waited(stages, 5));
}

}  // namespace
}  // namespace streamscope::analysis

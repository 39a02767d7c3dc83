// The rows of an opened kernel.
#include "app/timeline/kernel_inside.h"

#include <gmock/gmock.h>

#include "app/timeline/hit.h"
#include "app/timeline/legend.h"
#include "app/timeline/rows.h"
#include "app/timeline/tracks.h"
#include "tests/app/timeline/layout_fixture.h"
#include "tests/support/stages_run.h"

namespace streamscope::timeline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class InsideKernel : public LayoutTest {
 protected:
  InsideKernel() { run = testing::stages_run(); }
  void open(OpenKernel opening) {
    shown = tracks(run.trace);
    add_inside(shown, run.trace, opening);
  }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const Track& track : shown.tracks)
      if (track.kind == TrackKind::inside) out.push_back(track.name);
    return out;
  }
  const Track& row(const std::string& name) const {
    for (const Track& track : shown.tracks)
      if (track.name == name) return track;
    ADD_FAILURE() << name;
    return shown.tracks.front();
  }
  // "3w 4c": of each piece its stage and its phase.
  std::string pieces(const Lane& lane) const {
    std::string out;
    for (const std::uint32_t which : lane.span) {
      const StagePiece& piece = shown.inside.pieces[which];
      if (!out.empty()) out += " ";
      out += std::to_string(piece.stage) + "cwW"[static_cast<int>(piece.phase)];
    }
    return out;
  }
  Nanoseconds start() const { return run.trace.spans[1].start; }
};

TEST_F(InsideKernel, ARowForEachMultiprocessorThatRecordedAndLanesForBlocksAtOneTime) {
  open({1, {}});
  EXPECT_THAT(names(), ElementsAre("SM 3", "SM 17"));
  EXPECT_EQ(row("SM 3").executing.size(), 1u) << "one after the other";
  EXPECT_EQ(row("SM 17").executing.size(), 2u);
  EXPECT_EQ(shown.inside.name, "INSIDE tiles");
  EXPECT_EQ(shown.inside.detail, "operation 1, line 2: 4 of 400 blocks recorded, on 2 multiprocessors");
}

TEST_F(InsideKernel, AnOpenMultiprocessorIsFollowedByItsStages) {
  open({1, {3}});
  EXPECT_THAT(names(), ElementsAre("SM 3", "stage 0", "stage 1", "SM 17"));
  open({1, {17}});
  EXPECT_THAT(names(), ElementsAre("SM 3", "SM 17", "block 200 stage 0", "block 200 stage 1", "block 300 stage 0",
                                   "block 300 stage 1"));
}

TEST_F(InsideKernel, OfAttentionKeysAndValuesTakeTurns) {
  run = testing::stages_run("attention", 4);
  open({1, {3}});
  EXPECT_THAT(names(), ElementsAre("SM 3", "K 0", "V 0", "K 1", "V 1", "SM 17"));
  EXPECT_EQ(tile_name(5, true), "tile 5, V of step 2");
}

TEST_F(InsideKernel, NothingIsOpenedWhereNothingWasRecorded) {
  const std::size_t before = tracks(run.trace).tracks.size();
  open({0, {}});
  EXPECT_EQ(shown.tracks.size(), before);
  open({kNoOperation, {3}});
  EXPECT_EQ(shown.tracks.size(), before);
  EXPECT_FALSE(recorded_stages(run.trace, 0));
  EXPECT_EQ(first_multiprocessor(run.trace, 1), 3u);
}

TEST_F(InsideKernel, AMultiprocessorWorksOrDoesNotAllTheTimeOfItsBlocks) {
  open({1, {}});
  const Lane& lane = row("SM 3").executing[0];
  EXPECT_EQ(pieces(lane), "0w 0W 1W 2w 2W 3W 4w 4W 5W 0w 0W 1W 2w 2W 3W 4w 4W 5W");
  EXPECT_EQ(lane.start[0], start() + 1'000) << "from the block's begin";
  EXPECT_EQ(lane.end(0), start() + 1'310);
  for (std::uint32_t i = 1; i < 9; ++i) EXPECT_EQ(lane.start[i], lane.end(i - 1)) << i;
}

TEST_F(InsideKernel, AStageIsCopiedThenWaitedForThenWorkedOn) {
  open({1, {3}});
  const Lane& lane = row("stage 0").executing[0];
  EXPECT_EQ(pieces(lane), "0c 0w 0W 2c 2w 2W 4c 4w 4W 0c 0w 0W 2c 2w 2W 4c 4w 4W");
  EXPECT_EQ(lane.start[3], start() + 1'510) << "the copy of tile 2, once tile 0 is worked on";
  EXPECT_EQ(lane.end(3), start() + 1'710) << "to where the block waits for it";
  // While tile 1 is worked on, the copy of tile 2 is under way: that is the overlap.
  const Lane& other = row("stage 1").executing[0];
  EXPECT_LT(lane.start[3], other.end(1));
}

TEST_F(InsideKernel, WhatWasNotRecordedIsNotDrawn) {
  trace::StageBlock& block = run.trace.stages.blocks[0];
  block.stages.erase(block.stages.begin(), block.stages.begin() + 3);  // the newest are kept
  open({1, {3}});
  const Lane& lane = row("SM 3").executing[0];
  EXPECT_EQ(lane.start[0], block.stages[0].wait_over) << "tile 3 was there at once: no waiting to draw";
  EXPECT_THAT(pieces(lane), ::testing::StartsWith("0W 1w 1W 2W 0w"));
  block.stages[2].wait_over = kAbsent;
  open({1, {3}});
  for (const StagePiece& piece : shown.inside.pieces) {
    EXPECT_TRUE(known(piece.start) && known(piece.end));
    EXPECT_LT(piece.start, piece.end);
  }
}

TEST_F(InsideKernel, LanesAreDisjointWhateverTheClocksSay) {
  for (trace::StageBlock& block : run.trace.stages.blocks)
    for (trace::Stage& stage : block.stages) stage.load_issued -= 150;  // into the work before
  open({1, {3, 17}});
  for (const Track& track : shown.tracks)
    for (const Lane& lane : track.executing)
      for (std::uint32_t i = 1; i < lane.size(); ++i) ASSERT_LE(lane.end(i - 1), lane.start[i]) << track.name;
}

TEST_F(InsideKernel, IsDrawnOnTheSameAxis) {
  open({1, {3}});
  options.height = 900;
  draw();
  view = fit(start() + 1'000, start() + 3'000, where.plot_width);
  redraw();
  ASSERT_NE(text("INSIDE tiles"), nullptr);
  ASSERT_NE(text(shown.inside.detail), nullptr);
  EXPECT_GE(text(shown.inside.detail)->x, static_cast<float>(where.plot_x));
  const trace::Stage& first = run.trace.stages.blocks[0].stages[0];
  const Nanoseconds worked = (first.wait_over + first.compute_over) / 2;
  const int off_the_number = row_of("stage 0") + 7;
  EXPECT_EQ(at(x_of(worked), off_the_number), colour(Phase::working));
  EXPECT_EQ(at(x_of(first.load_issued) + 2, row_of("stage 0")), colour(Phase::copying));
  EXPECT_EQ(at(x_of(worked), row_of("SM 3") + 7), colour(Phase::working));
  // ComparedRun it the next tile's copy is over, and the one after it has not begun.
  EXPECT_NE(at(x_of(worked), row_of("stage 1")), colour(Phase::working));
}

TEST_F(InsideKernel, ThePieceUnderAPixelIsFound) {
  open({1, {3}});
  options.height = 900;
  draw();
  view = fit(start() + 1'000, start() + 3'000, where.plot_width);
  redraw();
  const trace::Stage& stage = run.trace.stages.blocks[0].stages[2];
  const auto found =
      hit(run.trace, shown, view, options, x_of((stage.load_issued + stage.wait_begun) / 2), row_of("stage 0"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->operation, 1u);
  ASSERT_NE(found->piece, kNoPiece);
  EXPECT_EQ(shown.inside.pieces[found->piece].phase, Phase::copying);
  EXPECT_EQ(shown.inside.pieces[found->piece].stage, 2u);
  EXPECT_FALSE(hit(run.trace, shown, view, options, x_of(start() + 900), row_of("SM 3")));
}

TEST_F(InsideKernel, TheSelectionOfTheKernelLeavesItsInsideAlone) {
  open({1, {3}});
  for (const LanePosition& place : lanes_of(run.trace, shown, 1))
    EXPECT_NE(shown.tracks[place.track].kind, TrackKind::inside);
}

// Blocks that take the whole kernel, 290 us, for so many tiles.
void fill_kernel(trace::Trace& trace, std::uint32_t tiles) {
  const Nanoseconds each = 290'000 / tiles;
  trace.stages.blocks = {testing::recorded_block(1, 0, 3, trace.spans[1].start, 2, tiles, each / 3, each)};
}

TEST_F(InsideKernel, TheViewGoesToAKernelThatIsSmallInIt) {
  fill_kernel(run.trace, 20);
  const OpenKernel opening = opened(run.trace, 1);
  EXPECT_EQ(opening, (OpenKernel{1, {3}}));
  const View all = fit(0, 5'000'000, 1'000);
  const View close = view_of_inside(run.trace, opening, all, 1'000);
  EXPECT_GT(column(close, start() + 290'000) - column(close, start()), 900);
  EXPECT_EQ(view_of_inside(run.trace, opening, close, 1'000).origin, close.origin) << "it is large enough already";
  const View elsewhere = panned(close, 5'000);
  EXPECT_EQ(view_of_inside(run.trace, opening, elsewhere, 1'000).origin, close.origin) << "out of sight";
  EXPECT_EQ(opened(run.trace, 0), OpenKernel{});
}

TEST_F(InsideKernel, OfVeryManyTilesTheFirstComeIntoView) {
  fill_kernel(run.trace, 1'000);
  const View close = view_of_inside(run.trace, {1, {3}}, fit(0, 5'000'000, 1'000), 1'000);
  const std::vector<trace::Stage>& stages = run.trace.stages.blocks[0].stages;
  EXPECT_GE(column(close, stages[0].load_issued), 0);
  EXPECT_LT(column(close, stages[11].compute_over), 1'000);
  EXPECT_GT(column(close, stages[12].compute_over), 1'000);
  run.trace.stages.blocks[0].tiles = 2'000;  // of which these are the newest
  const View newest = view_of_inside(run.trace, {1, {3}}, fit(0, 5'000'000, 1'000), 1'000);
  EXPECT_GT(column(newest, stages[11].compute_over) - column(newest, stages[0].load_issued), 900);
  const View there = view_of_piece(run.trace, {0, 500, Phase::working, 0, 0}, 1'000);
  EXPECT_NEAR(static_cast<double>(column(there, stages[500].wait_over)), 500, 100);
  EXPECT_LT(column(view_of_piece(run.trace, {0, 999, Phase::working, 0, 0}, 1'000), stages[999].compute_over), 1'000);
}

TEST_F(InsideKernel, TheLegendTellsItsColours) {
  const auto labels = [&] {
    std::string out;
    for (const LegendEntry& each : legend(shown, theme(ThemeName::light), ColourBy::kind)) out += each.label + "\n";
    return out;
  };
  open({kNoOperation, {}});
  EXPECT_THAT(labels(), ::testing::Not(HasSubstr("a block works on a tile")));
  open({1, {}});
  EXPECT_THAT(labels(), HasSubstr("a block works on a tile"));
}

TEST_F(InsideKernel, WhatStandsInTheKernelIsOnItsRowsWhereThereIsRoom) {
  trace::KernelFacts facts = run.trace.kernels[0];
  EXPECT_THAT(calls_of(facts, Phase::copying), IsEmpty());
  facts.acquire = "producer_acquire";
  facts.commit = "producer_commit";
  facts.wait = "consumer_wait";
  facts.barrier = "__syncthreads";
  EXPECT_THAT(calls_of(facts, Phase::copying), ElementsAre("producer_acquire, producer_commit", "acquire, commit"));
  EXPECT_THAT(calls_of(facts, Phase::waiting), ElementsAre("consumer_wait, __syncthreads", "wait, barrier"));
  EXPECT_THAT(calls_of(facts, Phase::working), IsEmpty());
  facts.acquire.clear();
  facts.commit = "barrier.arrive";
  EXPECT_THAT(calls_of(facts, Phase::copying), ElementsAre("barrier.arrive", "arrive"));
}

}  // namespace
}  // namespace streamscope::timeline

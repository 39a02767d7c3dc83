#include "app/window/state/selection_steps.h"

#include <gmock/gmock.h>

#include "tests/support/state_loop.h"
#include "tests/support/timeline_run.h"

namespace streamscope::window {
namespace {

using ::testing::ElementsAre;

// A pipeline of two chunks is in view: 0 h2d, 1 axpb, 2 d2h on S0; 3, 4, 5 on S1; the sync is 6.
class ReadingsTest : public ::testing::Test {
 protected:
  void SetUp() override { show(); }
  void show() {
    auto run = std::make_shared<trace::Run>(streamscope::testing::pipeline_run({.streams = 2, .chunks = 2}));
    update(command::RunPrepared{prepare({.id = 1, .number = ++number, .started = {}, .run = std::move(run)})});
  }
  void update(const Command& command) { (void)window::update(state, command); }  // nothing is done in the world
  // As the window does it.
  void keep() {
    if (auto due = table_due(state))
      update(command::TableRead{std::make_shared<const TableReading>(read(*due, state.readings.table.get()))});
    if (auto due = range_due(state)) update(command::RangeRead{std::make_shared<const RangeReading>(read(*due))});
  }
  std::vector<std::uint32_t> rows() const {
    std::vector<std::uint32_t> out;
    for (std::size_t i = 0; i < state.readings.table->rows->size(); ++i)
      out.push_back((*state.readings.table->rows)[i]);
    return out;
  }

  ReadingsTest() { (void)begin(state, {.name = "four-streams", .content = {}}); }

  State state;
  std::uint64_t number = 0;
};

TEST_F(ReadingsTest, NothingIsReadThatNobodyLooksAt) {
  EXPECT_FALSE(table_due(state));
  EXPECT_FALSE(range_due(state));
  update(command::ShowDock{command::Dock::operations});
  EXPECT_TRUE(table_due(state));
  update(command::ShowDock{command::Dock::program});
  update(command::Search{"axpb"});
  EXPECT_TRUE(table_due(state)) << "the timeline shows what is found";
}

TEST_F(ReadingsTest, ASearchASortARangeAndAnotherRunAreReadAnew) {
  update(command::Search{"S0"});
  keep();
  EXPECT_THAT(rows(), ElementsAre(0, 1, 2));
  EXPECT_FALSE(table_due(state));
  update(command::SortTable{{reading::Column::duration, false}});
  keep();
  EXPECT_THAT(rows(), ElementsAre(1, 0, 2));
  update(command::SetRange{trace::Interval{0, 400'000}});
  keep();
  EXPECT_THAT(rows(), ElementsAre(1, 0));
  EXPECT_EQ(state.readings.range->operations, 4u) << "two copies, a kernel and the host's wait";
  const auto before = state.readings.table->of;
  show();
  EXPECT_TRUE(table_due(state));
  keep();
  EXPECT_NE(state.readings.table->of, before);
}

TEST_F(ReadingsTest, AWrongSearchIsReportedAndTheRowsAreOfWhatStandsBeforeIt) {
  update(command::Search{"S1 dur>1"});
  keep();
  ASSERT_TRUE(state.readings.table->error);
  EXPECT_EQ(state.readings.table->error->column, 8u);
  EXPECT_THAT(rows(), ElementsAre(3, 4, 5));
  EXPECT_EQ(state.readings.table->words, "S1 dur>1");
  update(command::Search{"S1 dur>1us"});
  keep();
  EXPECT_FALSE(state.readings.table->error);
}

TEST_F(ReadingsTest, WhatIsFoundIsLitOnTheTimeline) {
  update(command::ShowDock{command::Dock::operations});
  keep();
  EXPECT_EQ(search_highlight(state), nullptr);
  update(command::Search{"axpb"});
  keep();
  ASSERT_NE(search_highlight(state), nullptr);
  std::vector<std::uint32_t> kernels;
  for (const auto& [key, lanes] : search_highlight(state)->tracks)
    if (key.kind == timeline::TrackKind::engine)
      for (const timeline::Lane& lane : lanes.executing)
        kernels.insert(kernels.end(), lane.span.begin(), lane.span.end());
  EXPECT_THAT(kernels, ElementsAre(1, 4));
  show();
  EXPECT_EQ(search_highlight(state), nullptr) << "what was found in another run says nothing of this one";
}

TEST_F(ReadingsTest, MatchesAreStepsInTheOrderOfTheTableRoundAndRound) {
  update(command::Search{"S0"});
  update(command::SortTable{{reading::Column::duration, true}});
  keep();
  EXPECT_THAT(rows(), ElementsAre(2, 0, 1));
  EXPECT_EQ(next_match(state, +1), 2u) << "nothing is selected: the first";
  EXPECT_EQ(next_match(state, -1), 1u);
  update(command::Select{0});
  EXPECT_EQ(next_match(state, +1), 1u);
  EXPECT_EQ(next_match(state, -1), 2u);
  update(command::Select{1});
  EXPECT_EQ(next_match(state, +1), 2u);
  update(command::Select{6});
  EXPECT_EQ(next_match(state, +1), 2u) << "it is no match";
  update(command::Search{"nowhere"});
  keep();
  EXPECT_EQ(next_match(state, +1), kNoOperation);
}

TEST_F(ReadingsTest, TheHistogramOfTheMatchesStandsBesideThatOfTheRange) {
  update(command::Search{"kind:h2d"});
  keep();
  ASSERT_EQ(state.readings.table->matched.kinds.size(), 1u);
  EXPECT_EQ(state.readings.table->matched.kinds[0].count, 2u);
  EXPECT_EQ(state.readings.table->in_range.kinds.size(), 4u);
}

TEST_F(ReadingsTest, OperationsAreCountedInEachMark) {
  update(command::MarkInterval{{0, 100'000}});
  update(command::MarkInterval{{310'000, 320'000}});
  keep();
  // The first copy and the wait; then the second copy, a kernel and the wait.
  EXPECT_THAT(state.readings.range->in_marks, ElementsAre(2, 3));
  update(command::RemoveMark{0});
  keep();
  EXPECT_THAT(state.readings.range->in_marks, ElementsAre(3));
}

}  // namespace
}  // namespace streamscope::window

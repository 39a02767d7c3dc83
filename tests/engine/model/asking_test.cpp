// Calls that ask and go on: queries, and the time between two events.
#include "tests/engine/model/simulated.h"

namespace streamscope::model {
namespace {

TEST(Query, AnswersOnceAndGoesOn) {
  const auto run = simulate(
      "stream A nonblocking\nA: spin 100us\nA: record e\nhost: query A\nhost: query e\nhost: work 300us\nhost: query "
      "A\n"
      "host: query e\n");
  for (const std::size_t early : {2, 3}) {
    EXPECT_EQ(run[early].result, CallResult::not_ready);
    EXPECT_LT(run[early].host_end, run[0].end);
    EXPECT_EQ(run[early].kind, OperationKind::query);
  }
  for (const std::size_t late : {5, 6}) EXPECT_EQ(run[late].result, CallResult::success);
}

TEST(Query, OfAnEventThatWasNeverRecordedSucceeds) {
  EXPECT_EQ(simulate("event e\nstream A\nA: spin 100us\nhost: query e\n")[1].result, CallResult::success);
}

// Rule 18.
TEST(MadeInTheRun, WorkGoesOnAfterItsStreamIsDestroyed) {
  const auto run = simulate(
      "host: create-stream A nonblocking\nA: spin 1ms\nhost: destroy A\nhost: create-stream A nonblocking\nA: spin "
      "100us\n");
  EXPECT_LT(run[2].host_end, run[1].end);
  EXPECT_GE(took(run[1]), 1000 * us);
  EXPECT_TRUE(overlap(run[1], run[4])) << "another stream of the same name";
  EXPECT_EQ(run[0].kind, OperationKind::create);
  EXPECT_EQ(run[2].kind, OperationKind::destroy);
}

TEST(Poll, KeepsEachAnswerAndTheWorkBehindIt) {
  const auto run = simulate("stream A nonblocking\nA: spin 1ms\nhost: poll A every=100us work=80us\n");
  const auto bare = simulate("stream A nonblocking\nA: spin 1ms\nhost: poll A every=100us\n");
  EXPECT_EQ(run[1].host_end, bare[1].host_end) << "the work is a part of the time between two questions";
  ASSERT_EQ(run.answers.polls.size(), run[1].polls);
  EXPECT_EQ(run.answers.polls.back().at, run[1].host_end);
  EXPECT_FALSE(known(run.answers.polls.back().worked_until));
  EXPECT_EQ(run.answers.polls[0].worked_until - run.answers.polls[0].at, 80 * us);
  EXPECT_FALSE(known(bare.answers.polls[0].worked_until));
}

TEST(Attributes, AreAsTheDeviceHasThem) {
  const auto run =
      simulate("stream A nonblocking priority=-100\nA: spin 100us\nhost: attributes A\nhost: attributes default\n");
  ASSERT_EQ(run.answers.streams.size(), 2u);
  EXPECT_EQ(run.answers.streams[0].operation, 1u);
  EXPECT_EQ(run.answers.streams[0].priority, -5) << "as clamped";
  EXPECT_TRUE(run.answers.streams[0].nonblocking);
  EXPECT_FALSE(run.answers.streams[1].nonblocking);
  EXPECT_LT(run[1].host_end, run[0].end) << "it waits for nothing";
}

TEST(Elapsed, IsTheTimeBetweenTheRecords) {
  const auto run = simulate("stream A\nA: record a\nA: spin 100us\nA: record b\nhost: sync b\nhost: elapsed a b\n");
  EXPECT_EQ(run[4].result, CallResult::success);
  EXPECT_EQ(run[4].elapsed, run[2].end - run[0].end);
  EXPECT_GE(run[4].elapsed, 100 * us);
  EXPECT_EQ(run[4].elapsed_from, 0u);
  EXPECT_EQ(run[4].elapsed_to, 2u);
}

TEST(Elapsed, IsNotThereWhereCudaHasNone) {
  const auto pending = simulate("stream A\nA: record a\nA: spin 100us\nA: record b\nhost: elapsed a b\n");
  EXPECT_EQ(pending[3].result, CallResult::not_ready);
  EXPECT_FALSE(known(pending[3].elapsed));
  EXPECT_EQ(simulate("event b\nstream A\nA: record a\nhost: sync A\nhost: elapsed a b\n")[2].result,
            CallResult::invalid_resource_handle);
  EXPECT_EQ(
      simulate("event b notiming\nstream A\nA: record a\nA: record b\nhost: sync A\nhost: elapsed a b\n")[3].result,
      CallResult::invalid_resource_handle);
}

// Rule 12 and rule 10: neither holds the host, both are barriers of the legacy default stream.
TEST(WithoutAStream, MemsetsAndCopiesWithinTheDeviceDoNotHoldTheHost) {
  const auto run =
      simulate("buffer x 8MiB\nbuffer y 8MiB\nstream A\nA: spin 1ms\nhost: memset x 0\nhost: d2d y x\nA: spin 10us\n");
  EXPECT_LT(run[2].host_end, run[0].end);
  EXPECT_GE(run[1].start, run[0].end);
  EXPECT_GE(run[2].start, run[1].end);
  EXPECT_GE(run[3].start, run[2].end);
}

}  // namespace
}  // namespace streamscope::model

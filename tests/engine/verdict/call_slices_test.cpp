// What held a host call, on programs small enough to say so by hand.
#include "engine/verdict/call_slices.h"

#include "tests/engine/verdict/judged.h"

namespace streamscope::verdict {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<CallSlice> slices_of(const Judged& run, OperationIndex i) { return Calls(*run.history).slices(i); }

TEST(CallSlices, ACallThatOnlyGivesWorkTakesWhatSuchCallsTake) {
  const auto run = judged("buffer x 1MiB\nstream A\nA: h2d x\nA: h2d x\n");
  EXPECT_THAT(slices_of(*run, 1), ElementsAre(IsCause(CallCause::usual)));
}

TEST(CallSlices, ASynchronisationWaitsAsAskedForTheLastOfItsStream) {
  const auto run = judged("buffer x 64MiB\nstream A\nA: h2d x\nA: spin 50us\nhost: sync A\n");
  const std::vector<CallSlice> all = slices_of(*run, 2);
  EXPECT_THAT(all, ElementsAre(HeldBy(CallCause::waiting, 1u), IsCause(CallCause::usual)));
  EXPECT_EQ(all.front().to, run->trace.spans[1].end);
}

TEST(CallSlices, CudaFreeWaitsForTheDeviceUnasked) {
  const auto run = judged("buffer x 64MiB\nstream A\nhost: malloc y 1MiB\nA: spin 500us\nhost: free y\n");
  EXPECT_THAT(slices_of(*run, 2).front(), HeldBy(CallCause::implicit_sync, 1u));
}

// So many unfinished operations fill the queue: the fifth launch waits until the first is over.
TEST(CallSlices, AFullLaunchQueueHoldsTheCall) {
  model::Profile profile = model::h200();
  profile.streams.queue_depth = 4;
  const auto run = judged("stream A\nA: spin 500us\nA: spin 1us\nA: spin 1us\nA: spin 1us\nA: spin 1us\n", profile);
  const std::vector<CallSlice> all = slices_of(*run, 4);
  EXPECT_THAT(all, ElementsAre(HeldBy(CallCause::queue_full, 0u), IsCause(CallCause::usual)));
  EXPECT_EQ(all.front().to, run->trace.spans[0].end);
  EXPECT_THAT(slices_of(*run, 3), Not(Contains(IsCause(CallCause::queue_full))));
}

// A graph is one of them until its last node is over.
TEST(CallSlices, AGraphFillsThePlaceOfOneUntilItsLastNodeIsOver) {
  model::Profile profile = model::h200();
  profile.streams.queue_depth = 4;
  const auto run = judged(
      "stream A\ngraph g on A {\nA: spin 500us\nA: spin 400us\n}\nA: launch g\nA: spin 1us\nA: spin 1us\nA: spin "
      "1us\nA: spin 1us\n",
      profile);
  const std::vector<CallSlice> all = slices_of(*run, 6);
  EXPECT_THAT(all, ElementsAre(HeldBy(CallCause::queue_full, 0u), IsCause(CallCause::usual)));
  EXPECT_EQ(all.front().to, run->trace.spans[2].end);
  EXPECT_THAT(slices_of(*run, 5), Not(Contains(IsCause(CallCause::queue_full))));
}

TEST(CallSlices, PageableMemoryIsStaged) {
  const auto run = judged("buffer x 64MiB host=pageable\nstream A\nA: h2d x\nA: spin 1us\n");
  EXPECT_THAT(slices_of(*run, 0), Contains(HeldBy(CallCause::staging, 0u)));
  EXPECT_THAT(slices_of(*run, 1), Not(Contains(IsCause(CallCause::staging))));
}

// The second thread's launch comes while the first is staging a copy.
TEST(CallSlices, AnotherThreadsStagingHoldsTheDriver) {
  const auto run = judged(
      "buffer x 64MiB host=pageable\nstream A\nstream B\nthread t {\nhost: work 1ms\nB: spin 1us\nB: spin 1us\n}\nA: "
      "h2d "
      "x\nhost: join t\n");
  OperationIndex launch = kNoOperation;
  for (OperationIndex i = 0; i < run->history->size() && launch == kNoOperation; ++i) {
    if (run->history->span(i).kind == OperationKind::kernel) launch = i;
  }
  ASSERT_NE(launch, kNoOperation);
  const OperationIndex copy = [&] {
    OperationIndex i = 0;
    while (run->history->span(i).kind != OperationKind::h2d) ++i;
    return i;
  }();
  EXPECT_THAT(slices_of(*run, launch), Contains(HeldBy(CallCause::driver_lock, copy)));
}

TEST(CallSlices, HostWorkIsNoCall) {
  const auto run = judged("stream A\nA: spin 1us\nhost: work 10us\n");
  EXPECT_THAT(slices_of(*run, 1), IsEmpty());
}

}  // namespace
}  // namespace streamscope::verdict

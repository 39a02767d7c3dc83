// A run as small as a thumbnail.
#include "app/timeline/miniature.h"

#include <gmock/gmock.h>

namespace streamscope::timeline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

trace::Span bar_of(std::uint32_t stream, Nanoseconds start, Nanoseconds end, OperationKind kind) {
  trace::Span out;
  out.stream = stream;
  out.start = start;
  out.end = end;
  out.kind = kind;
  return out;
}

TEST(MiniatureOfARun, HasARowForEachStreamInTheOrderOfItsFirstWork) {
  trace::Trace trace;
  trace.spans = {bar_of(2, 100, 200, OperationKind::h2d), bar_of(0, 200, 300, OperationKind::kernel),
                 bar_of(2, 150, 500, OperationKind::d2h), bar_of(trace::Span::kNoStream, 0, 900, OperationKind::work),
                 bar_of(1, kAbsent, kAbsent, OperationKind::kernel)};
  const Miniature small = miniature(trace);
  EXPECT_EQ(small.rows, 2u);
  EXPECT_THAT(small.bars, ElementsAre(Miniature::Bar{0, 0.25f, 0, OperationKind::h2d},
                                      Miniature::Bar{0.25f, 0.5f, 1, OperationKind::kernel},
                                      Miniature::Bar{0.125f, 1, 0, OperationKind::d2h}));
}

TEST(MiniatureOfARun, LeavesOutWhatHasNoRoom) {
  trace::Trace trace;
  EXPECT_THAT(miniature(trace).bars, IsEmpty());
  for (std::uint32_t i = 0; i < 1'000; ++i)
    trace.spans.push_back(bar_of(i % 9, i, i + 1, OperationKind::kernel));
  EXPECT_EQ(miniature(trace).rows, kMiniatureRows);
  EXPECT_THAT(miniature(trace).bars, SizeIs(kMiniatureBars));
}

}  // namespace
}  // namespace streamscope::timeline

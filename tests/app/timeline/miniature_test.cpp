// A run as small as a thumbnail.
#include "app/timeline/miniature.h"

#include <gmock/gmock.h>

namespace streamscope::timeline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Bar = Miniature::Bar;

trace::Span span(std::uint32_t stream, Nanoseconds start, Nanoseconds end, OperationKind kind) {
  trace::Span out;
  out.stream = stream;
  out.start = start;
  out.end = end;
  out.kind = kind;
  return out;
}

TEST(MiniatureOfARun, HasARowForEachStreamInTheOrderOfItsFirstWork) {
  trace::Trace trace;
  trace.spans = {span(2, 100, 200, OperationKind::h2d), span(0, 200, 300, OperationKind::kernel),
                 span(2, 150, 500, OperationKind::d2h), span(trace::Span::kNoStream, 0, 900, OperationKind::work),
                 span(1, kAbsent, kAbsent, OperationKind::kernel)};
  const Miniature small = miniature(trace);
  EXPECT_EQ(small.rows, 2u);
  EXPECT_THAT(small.bars, ElementsAre(Bar{0, 0.25f, 0, OperationKind::h2d}, Bar{0.25f, 0.5f, 1, OperationKind::kernel},
                                      Bar{0.125f, 1, 0, OperationKind::d2h}));
}

TEST(MiniatureOfARun, LeavesOutWhatHasNoRoom) {
  trace::Trace trace;
  EXPECT_THAT(miniature(trace).bars, IsEmpty());
  for (std::uint32_t i = 0; i < 1'000; ++i)
    trace.spans.push_back(span(i % 9, i, i + 1, OperationKind::kernel));
  EXPECT_EQ(miniature(trace).rows, kMiniatureRows);
  EXPECT_THAT(miniature(trace).bars, SizeIs(kMiniatureBars));
}

}  // namespace
}  // namespace streamscope::timeline

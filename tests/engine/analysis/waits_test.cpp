// What operations waited for, summed by reason, on traces counted by hand.
#include "engine/analysis/waits.h"

#include <gmock/gmock.h>

#include <limits>
#include <utility>

#include "engine/analysis/analysis.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::analysis {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using trace::WaitReason;

// A call [call, call + 2), then ready, started and ended.
trace::Span copy(WaitReason reason, Nanoseconds call, Nanoseconds ready, Nanoseconds start, Nanoseconds end) {
  trace::Span span;
  span.kind = OperationKind::h2d;
  span.engine = Engine::h2d;
  span.reason = reason;
  span.host_begin = call;
  span.host_end = call + 2;
  span.ready = ready;
  span.start = start;
  span.end = end;
  return span;
}

trace::Span host_call(OperationKind kind, WaitReason reason, Nanoseconds begin, Nanoseconds end) {
  trace::Span span;
  span.kind = kind;
  span.engine = Engine::host;
  span.reason = reason;
  span.host_begin = span.ready = span.start = begin;
  span.host_end = span.end = end;
  return span;
}

trace::Trace trace_of(std::vector<trace::Span> spans) {
  trace::Trace trace;
  trace.spans = std::move(spans);
  for (std::size_t i = 0; i < trace.spans.size(); ++i) trace.spans[i].operation = static_cast<OperationIndex>(10 + i);
  return trace;
}

WaitSum sum(WaitReason reason, Nanoseconds time, std::uint32_t operations, OperationIndex longest,
            Nanoseconds longest_time) {
  return {reason, time, operations, longest, longest_time};
}

// Both waits of each copy differ, so that the wrong one is seen.
TEST(WaitSums, EachReasonHasTheWaitItStandsFor) {
  const trace::Trace trace = trace_of({copy(WaitReason::none, 0, 2, 7, 100),         // a launch's latency
                                       copy(WaitReason::engine, 3, 10, 100, 200),    // 90 ready, 5 before
                                       copy(WaitReason::engine, 6, 20, 200, 300),    // 180, the longest
                                       copy(WaitReason::stream, 10, 300, 303, 400),  // 288 before it was ready
                                       copy(WaitReason::event, 20, 62, 70, 400),     // 40
                                       copy(WaitReason::legacy, 30, 62, 80, 400),    // 30
                                       copy(WaitReason::graph, 40, 62, 90, 400),     // 20
                                       copy(WaitReason::gate, 50, 62, 99, 400),      // 10
                                       copy(WaitReason::queue, 60, 70, 75, 400),     // 5
                                       copy(WaitReason::unknown, 60, 70, 73, 400),   // 3
                                       host_call(OperationKind::sync, WaitReason::stream, 70, 410),   // 340, the host
                                       host_call(OperationKind::join, WaitReason::host, 410, 411)});  // 1
  EXPECT_THAT(analyse(trace).waits,
              ElementsAre(sum(WaitReason::host, 341, 2, 20, 340), sum(WaitReason::stream, 288, 1, 13, 288),
                          sum(WaitReason::engine, 270, 2, 12, 180), sum(WaitReason::event, 40, 1, 14, 40),
                          sum(WaitReason::legacy, 30, 1, 15, 30), sum(WaitReason::graph, 20, 1, 16, 20),
                          sum(WaitReason::gate, 10, 1, 17, 10), sum(WaitReason::queue, 5, 1, 18, 5),
                          sum(WaitReason::unknown, 3, 1, 19, 3)));
}

TEST(WaitSums, ACallThatWasHeldIssuedItsOperationWhenItBegan) {
  trace::Trace trace = trace_of({copy(WaitReason::stream, 10, 60, 60, 90)});
  trace.spans[0].host_end = 95;
  EXPECT_THAT(analyse(trace).waits, ElementsAre(sum(WaitReason::stream, 50, 1, 10, 50)));
}

// The host that was late waited in a span of its own; a wait for an event counts where it holds work back.
TEST(WaitSums, NothingIsCountedTwice) {
  trace::Trace trace = trace_of({copy(WaitReason::host, 10, 60, 90, 100), copy(WaitReason::event, 0, 50, 50, 50),
                                 copy(WaitReason::event, 3, 50, 51, 80)});
  trace.spans[1].kind = OperationKind::wait;
  trace.spans[1].engine = Engine::none;
  EXPECT_THAT(analyse(trace).waits, ElementsAre(sum(WaitReason::event, 45, 1, 12, 45)));
}

TEST(WaitSums, OfEquallyLongOnesTheFirstIsNamedAndEqualSumsKeepTheReasonsOrder) {
  const trace::Trace trace = trace_of({copy(WaitReason::engine, 0, 2, 22, 30), copy(WaitReason::engine, 3, 10, 30, 40),
                                       copy(WaitReason::stream, 6, 48, 48, 50)});
  EXPECT_THAT(analyse(trace).waits,
              ElementsAre(sum(WaitReason::stream, 40, 1, 12, 40), sum(WaitReason::engine, 40, 2, 10, 20)));
}

TEST(WaitSums, AWaitThatIsNotKnownOrTookNoTimeIsNone) {
  trace::Trace trace = trace_of({copy(WaitReason::engine, 0, kAbsent, 20, 30), copy(WaitReason::stream, 0, 2, 20, 30),
                                 copy(WaitReason::engine, 0, 20, 15, 30), copy(WaitReason::gate, 0, 20, 25, 30),
                                 host_call(OperationKind::sync, WaitReason::host, 5, kAbsent)});
  trace.spans[3].host_begin = trace.spans[3].host_end = kAbsent;
  EXPECT_THAT(analyse(trace).waits, IsEmpty());
  EXPECT_THAT(analyse(trace::Trace{}).waits, IsEmpty());
}

// Engine waits [10, 100) and [20, 200), the host [70, 410): in [50, 90) they are 40 each and 20.
TEST(WaitSums, ARangeCutsThem) {
  const trace::Trace trace =
      trace_of({copy(WaitReason::engine, 3, 10, 100, 200), copy(WaitReason::engine, 6, 20, 200, 300),
                host_call(OperationKind::sync, WaitReason::host, 70, 410), copy(WaitReason::stream, 0, 50, 50, 60)});
  EXPECT_THAT(analyse(trace, {50, 90}).waits,
              ElementsAre(sum(WaitReason::engine, 80, 2, 10, 40), sum(WaitReason::host, 20, 1, 12, 20)));
  EXPECT_THAT(analyse(trace, {90, 150}).waits,
              ElementsAre(sum(WaitReason::engine, 70, 2, 11, 60), sum(WaitReason::host, 60, 1, 12, 60)));
  EXPECT_THAT(analyse(trace, {420, 430}).waits, IsEmpty());
}

TEST(WaitSums, PackedSpansHaveTheSame) {
  trace::Trace trace = trace_of({copy(WaitReason::engine, 3, 10, 100, 200), copy(WaitReason::event, 6, 20, 200, 300)});
  const std::vector<WaitSum> waits = analyse(trace).waits;
  ASSERT_EQ(waits.size(), 2U);
  trace.packed = std::make_shared<const trace::PackedSpans>(std::exchange(trace.spans, {}));
  EXPECT_EQ(analyse(trace).waits, waits);
}

TEST(WaitSums, Saturate) {
  constexpr Nanoseconds kMost = std::numeric_limits<Nanoseconds>::max();
  const trace::Trace trace =
      trace_of({copy(WaitReason::engine, 0, -kMost, kMost, kMost), copy(WaitReason::engine, 0, 0, kMost, kMost)});
  EXPECT_THAT(analyse(trace).waits, ElementsAre(sum(WaitReason::engine, kMost, 2, 10, kMost)));
}

}  // namespace
}  // namespace streamscope::analysis

// The sentences that tooltips and files show.
#include <gtest/gtest.h>

#include "engine/analysis/analysis.h"
#include "engine/analysis/wait_cause.h"

namespace streamscope::analysis {
namespace {

// Operation 0 (line 4) fills the engine that operation 1 (line 7) wants.
trace::Trace waiting() {
  trace::Trace trace;
  trace.streams = {{"default"}, {"per-thread"}, {"S0"}};
  trace.threads = {"main"};
  trace.names = {"H2D"};
  trace::Span first;
  first.operation = 0;
  first.line = 4;
  first.stream = 2;
  first.kind = OperationKind::h2d;
  first.engine = Engine::h2d;
  first.host_begin = 1'000;
  first.host_end = 3'000;
  first.ready = 3'000;
  first.start = 3'000;
  first.end = 150'000;
  trace::Span second = first;
  second.operation = 1;
  second.line = 7;
  second.host_begin = 4'000;
  second.host_end = 6'000;
  second.ready = 18'000;
  second.start = 150'000;
  second.end = 300'000;
  second.reason = trace::WaitReason::engine;
  second.waits_for = 0;
  trace.spans = {first, second};
  return trace;
}

TEST(Waits, AreFromIssueToReadyAndFromReadyToStart) {
  trace::Span span = waiting().spans[1];
  EXPECT_EQ(waits(span).issue_to_ready, 12'000) << "from the call's return";
  EXPECT_EQ(waits(span).ready_to_start, 132'000);
  span.host_end = 310'000;
  EXPECT_EQ(waits(span).issue_to_ready, 14'000) << "from the begin of a call that was held";
  span.ready = kAbsent;
  EXPECT_EQ(waits(span).issue_to_ready, kAbsent);
  EXPECT_EQ(waits(span).ready_to_start, kAbsent);
}

std::string second(const trace::Trace& trace) { return explain_wait(trace, trace.spans[1]); }

TEST(ExplainWait, NothingForWhatDidNotWait) {
  trace::Trace trace = waiting();
  EXPECT_EQ(explain_wait(trace, trace.spans[0]), "");
  trace.spans[0].start += 5'000;  // a launch's latency is no wait for anything
  EXPECT_EQ(explain_wait(trace, trace.spans[0]), "");
}

TEST(ExplainWait, AReleaseThatWaitsHoldsTheHost) {
  trace::Trace trace = waiting();
  trace::Span& freed = trace.spans[1];
  freed.kind = OperationKind::free;
  freed.stream = trace::Span::kNoStream;
  freed.reason = trace::WaitReason::host;
  freed.host_end = 154'000;
  EXPECT_EQ(second(trace), "the host waited 150 us for H2D #0 (line 4)");
}

TEST(ExplainWait, AnEngineIsWaitedForFromReadyToStart) {
  EXPECT_EQ(second(waiting()), "waited 132 us from ready to start for the H2D engine, busy with H2D #0 (line 4)");
}

TEST(ExplainWait, EachEngineByItsName) {
  trace::Trace trace = waiting();
  for (trace::Span& each : trace.spans) each.engine = Engine::d2h;
  EXPECT_EQ(second(trace), "waited 132 us from ready to start for the D2H engine, busy with H2D #0 (line 4)");
  trace.spans[1].engine = Engine::compute;
  trace.spans[1].waits_for = kNoOperation;
  EXPECT_EQ(second(trace), "waited 132 us from ready to start for the compute engine");
}

TEST(ExplainWait, ACopyTheOtherWayKeepsTheOneCopyEngineBusy) {
  trace::Trace trace = waiting();
  trace.spans[1].kind = OperationKind::d2h;
  trace.spans[1].engine = Engine::d2h;
  EXPECT_EQ(second(trace),
            "waited 132 us from ready to start for the copy engine, which both directions share, busy with H2D #0 "
            "(line 4)");
  trace.spans[0].engine = Engine::compute;
  EXPECT_EQ(second(trace), "waited 132 us from ready to start for the D2H engine, busy with H2D #0 (line 4)");
}

TEST(ExplainWait, ThePredecessorIsWaitedForFromTheEndOfTheCallToReady) {
  trace::Trace trace = waiting();
  trace.spans[1].reason = trace::WaitReason::stream;
  EXPECT_EQ(second(trace), "waited 12 us from issue to ready for H2D #0 (line 4), the one before it in stream S0");
}

TEST(ExplainWait, ACallThatHoldsTheHostWaitsFromItsBegin) {
  trace::Trace trace = waiting();
  trace.spans[1].reason = trace::WaitReason::legacy;
  trace.spans[1].host_end = 310'000;
  EXPECT_EQ(second(trace),
            "waited 14 us from issue to ready for H2D #0 (line 4): the legacy default stream and blocking streams "
            "wait for each other");
}

TEST(ExplainWait, AnEvent) {
  trace::Trace trace = waiting();
  trace.spans[1].reason = trace::WaitReason::event;
  EXPECT_EQ(second(trace), "waited 12 us from issue to ready for H2D #0 (line 4), through an event");
  trace.spans[1].waits_for = kNoOperation;
  EXPECT_EQ(second(trace), "waited 12 us from issue to ready for an event");
}

// A copy is recorded, and a kernel stands behind the wait for that event: 0 h2d, 1 record, 2 wait, 3 axpb.
TEST(ExplainWait, BehindMarkersIsTheWorkThatWasWaitedFor) {
  trace::Trace trace = waiting();
  trace.names.push_back("axpb");
  trace::Span marker = trace.spans[0];
  marker.kind = OperationKind::record;
  marker.name = 9;
  marker.operation = 1;
  marker.reason = trace::WaitReason::stream;
  marker.waits_for = 0;
  trace::Span wait = marker;
  wait.kind = OperationKind::wait;
  wait.operation = 2;
  wait.reason = trace::WaitReason::event;
  wait.waits_for = 1;
  trace::Span kernel = trace.spans[1];
  kernel.kind = OperationKind::kernel;
  kernel.name = 1;
  kernel.operation = 3;
  kernel.reason = trace::WaitReason::stream;
  kernel.waits_for = 2;
  trace.spans = {trace.spans[0], marker, wait, kernel};
  EXPECT_EQ(explain_wait(trace, trace.spans[3]),
            "waited 12 us from issue to ready for H2D #0 (line 4), through an event");
  EXPECT_EQ(wait_cause(trace, trace.spans[3]).operation, 0u);
  // Where nothing is behind a marker it is the marker; a circle ends somewhere.
  trace.spans[2].reason = trace::WaitReason::none;
  EXPECT_EQ(wait_cause(trace, trace.spans[3]).operation, 2u);
  trace.spans[2].reason = trace::WaitReason::event;
  trace.spans[1].waits_for = 2;
  EXPECT_LE(wait_cause(trace, trace.spans[3]).operation, 2u);
  // A host that waits for a marker waits for the work before it.
  trace.spans[1].waits_for = 0;
  trace.spans[3].kind = OperationKind::sync;
  trace.spans[3].reason = trace::WaitReason::host;
  EXPECT_EQ(wait_cause(trace, trace.spans[3]).operation, 0u);
}

TEST(ExplainWait, ANodeAndWhatTheGateHeldWaitToBeReady) {
  trace::Trace trace = waiting();
  trace.spans[1].reason = trace::WaitReason::graph;
  EXPECT_EQ(second(trace), "waited 12 us from issue to ready for H2D #0 (line 4) in its graph");
  trace.spans[1].reason = trace::WaitReason::gate;
  EXPECT_EQ(second(trace),
            "waited 12 us from issue to ready for the gate, which holds all streams until everything is queued");
}

TEST(ExplainWait, AHardwareQueueIsWaitedForByWhatIsReady) {
  trace::Trace trace = waiting();
  trace.spans[1].reason = trace::WaitReason::queue;
  EXPECT_EQ(second(trace),
            "waited 132 us from ready to start for H2D #0 (line 4) in the hardware queue that stream S0 shares "
            "with other streams");
}

TEST(ExplainWait, TheHost) {
  trace::Trace trace = waiting();
  trace.spans[1].reason = trace::WaitReason::host;
  EXPECT_EQ(second(trace), "issued late by the host, which was held by H2D #0 (line 4)");
  trace.spans[1].kind = OperationKind::sync;
  trace.spans[1].host_end = 154'000;
  EXPECT_EQ(second(trace), "the host waited 150 us for H2D #0 (line 4)");
  trace.spans[1].waits_for = kNoOperation;
  EXPECT_EQ(second(trace), "the host waited 150 us for the work before it");
  trace.spans[1].kind = OperationKind::join;
  EXPECT_EQ(second(trace), "the host waited 150 us for the work before it");
}

TEST(ExplainWait, SaysSoWhereTheReasonIsNotKnown) {
  trace::Trace trace = waiting();
  trace.spans[1].reason = trace::WaitReason::unknown;
  EXPECT_EQ(second(trace), "waited 132 us from ready to start; the reason is not known");
}

TEST(ExplainWait, UnknownTimesLeaveTheFigureOut) {
  trace::Trace trace = waiting();
  trace.spans[1].ready = kAbsent;
  EXPECT_EQ(second(trace), "waited for the H2D engine, busy with H2D #0 (line 4)");
  trace.spans[1].reason = trace::WaitReason::unknown;
  EXPECT_EQ(second(trace), "waited; the reason is not known");
}

TEST(ExplainWait, TheCauseIsFoundInAPartOfATraceAndNamedWithoutALineWhereItHasNone) {
  trace::Trace trace = waiting();
  trace.spans[0].operation = 40;
  trace.spans[1].operation = 52;
  trace.spans[1].waits_for = 40;
  EXPECT_EQ(second(trace), "waited 132 us from ready to start for the H2D engine, busy with H2D #40 (line 4)");
  trace.spans[1].waits_for = 41;  // not in this part
  EXPECT_EQ(second(trace), "waited 132 us from ready to start for the H2D engine, busy with operation 41");
  trace.spans[1].waits_for = 40;
  trace.spans[0].line = 0;
  EXPECT_EQ(second(trace), "waited 132 us from ready to start for the H2D engine, busy with H2D #40");
}

TEST(ExplainWait, AStreamBeyondTheTableIsNoHarm) {
  trace::Trace trace = waiting();
  trace.spans[1].reason = trace::WaitReason::stream;
  trace.spans[1].stream = trace::Span::kNoStream;
  EXPECT_EQ(second(trace), "waited 12 us from issue to ready for H2D #0 (line 4), the one before it in its stream");
}

}  // namespace
}  // namespace streamscope::analysis

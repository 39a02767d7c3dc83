// Rule 19 on the model: captures inside the run, what breaks them, and events that are external to a graph.
#include "tests/engine/model/simulated.h"

namespace streamscope::model {
namespace {

constexpr const char* kGraph =
    "stream A nonblocking\nstream B nonblocking\n"
    "graph G on A {\n  A: spin 1ms\n  host: capture-info A\n  A: spin 1ms\n}\n";

// 0 begins, 1 to 3 are the body, 4 ends and 5 instantiates.
TEST(Captures, AreCallsOfTheHostThatTakeTime) {
  const auto run = simulate(std::string(kGraph) + "A: spin 3ms\nhost: capture G\nhost: capture-info A\nA: launch G\n");
  EXPECT_EQ(run[1].host_begin, run[0].host_end);
  for (std::size_t i = 1; i <= 6; ++i) {
    EXPECT_EQ(run[i].stream, trace::Span::kNoStream) << i;
    EXPECT_GT(held(run[i]), 0) << i;
    EXPECT_EQ(run[i + 1].host_begin, run[i].host_end) << "one behind the other";
    EXPECT_LT(run[i].host_end, run[0].end) << "the stream's work goes on meanwhile";
    EXPECT_EQ(run[i].result, CallResult::success);
  }
  EXPECT_GT(held(run[6]), held(run[5])) << "to instantiate takes longest";
  ASSERT_EQ(run.answers.captures.size(), 2u);
  EXPECT_EQ(run.answers.captures[0].operation, 3u);
  EXPECT_EQ(run.answers.captures[0].status, trace::CaptureStatus::active);
  EXPECT_GT(run.answers.captures[0].id, 0u);
  EXPECT_EQ(run.answers.captures[1].status, trace::CaptureStatus::none);
  EXPECT_EQ(run.answers.captures[1].id, 0u);
  EXPECT_GE(run[9].start, run[0].end) << "what was captured runs when it is launched";
  EXPECT_GE(run[10].start, run[9].end);
}

TEST(Captures, LeaveAStreamThatHasNotJoinedAlone) {
  const auto run = simulate(
      "stream A nonblocking\nstream B nonblocking\n"
      "graph G on A {\n  host: capture-info B\n  A: record e\n  B: wait e\n  host: capture-info B\n  B: spin 1us\n  B: "
      "record f\n  A: wait f\n}\nhost: capture G\nA: launch G\n");
  ASSERT_EQ(run.answers.captures.size(), 2u);
  EXPECT_EQ(run.answers.captures[0].status, trace::CaptureStatus::none);
  EXPECT_EQ(run.answers.captures[1].status, trace::CaptureStatus::active);
}

// The other thread's call comes 20 us into a body of many calls.
Simulated beside(const std::string& mode) {
  std::string text = "stream A nonblocking\nstream C nonblocking\nevent e\ngraph G on A mode=" + mode +
                     " {\n  repeat 200 {\n    A: spin 1us\n  }\n  host: capture-info A\n}\n"
                     "thread T {\n  host: work 100us\n  host: query e\n}\n"
                     "host: capture G\nhost: capture-info A\nA: launch G\nC: spin 1us\nhost: join T\n";
  return simulate(text);
}
// Operations: 0 starts T, 1 works, 2 asks, 3 begins, 204 asks for the capture, 205 ends, 206 instantiates, 207 asks,
// 208 launches.
TEST(Captures, InGlobalModeAreBrokenByUnsafeCallsOfOtherThreads) {
  const auto run = beside("global");
  EXPECT_EQ(run[2].result, CallResult::capture_unsupported);
  EXPECT_EQ(run[3].result, CallResult::success);
  EXPECT_EQ(run[203].result, CallResult::capture_invalidated) << "each call that is still to come";
  EXPECT_EQ(run[205].result, CallResult::capture_invalidated);
  EXPECT_EQ(run[206].result, CallResult::invalid_value) << "there is no graph";
  EXPECT_EQ(run[208].result, CallResult::invalid_value);
  EXPECT_FALSE(known(run[208].end) || known(run[209].start)) << "and nothing to run";
  EXPECT_EQ(run[409].result, CallResult::success) << "other streams go on";
  ASSERT_EQ(run.answers.captures.size(), 2u);
  EXPECT_EQ(run.answers.captures[0].status, trace::CaptureStatus::invalidated);
  EXPECT_EQ(run.answers.captures[1].status, trace::CaptureStatus::none) << "its end has ended it all the same";
}

TEST(Captures, InOtherModesAreNot) {
  for (const char* mode : {"thread-local", "relaxed"}) {
    const auto run = beside(mode);
    for (const trace::Span& span : run.spans) EXPECT_EQ(span.result, CallResult::success) << mode << span.operation;
    EXPECT_EQ(run.answers.captures[0].status, trace::CaptureStatus::active);
    EXPECT_TRUE(known(run[209].end));
  }
}

// Another thread's cudaGraphInstantiate is one of them.
TEST(Captures, InGlobalModeAreBrokenByTheEndOfAnother) {
  const auto run = simulate(
      "stream A nonblocking\nstream C nonblocking\ngraph G on A mode=global {\n  repeat 200 {\n    A: spin 1us\n  "
      "}\n}\n"
      "graph H on C {\n  repeat 20 {\n    C: spin 1us\n  }\n}\n"
      "thread T {\n  host: work 100us\n  host: capture H\n}\nhost: capture G\nhost: join T\n");
  const auto count = [&](CallResult result) { return std::ranges::count(run.spans, result, &trace::Span::result); };
  EXPECT_EQ(count(CallResult::capture_unsupported), 1) << "H is not instantiated";
  EXPECT_GT(count(CallResult::capture_invalidated), 0) << "and the capture of G is broken";
}

TEST(ExternalEvents, AreRecordedByEachLaunchAnew) {
  const auto run = simulate(
      "stream A nonblocking\nstream B nonblocking\n"
      "graph G on A {\n  A: spin 1ms\n  A: record e external\n  A: spin 2ms\n}\n"
      "A: launch G\nB: wait e\nB: spin 100us\nA: launch G\nB: wait e\nB: spin 100us\nhost: sync e\n");
  // Launches 0 and 6: kernel, record, kernel; B: 4 and 5, 10 and 11.
  EXPECT_GE(run[5].start, run[2].end);
  EXPECT_LT(run[5].start, run[3].end) << "it waits for the record and not for the launch";
  EXPECT_EQ(run[4].reason, trace::WaitReason::event);
  EXPECT_EQ(run[4].waits_for, 2u);
  EXPECT_EQ(run[10].waits_for, 8u);
  EXPECT_GE(run[11].start, run[8].end);
  EXPECT_LT(run[11].start, run[9].end);
  EXPECT_GE(run[12].host_end, run[8].end);
  EXPECT_LT(run[12].host_end, run[9].end) << "the host as well";
}

TEST(ExternalEvents, HoldANodeForTheLatestRecord) {
  const auto run = simulate(
      "event e\nevent never\nstream A nonblocking\nstream B nonblocking\n"
      "graph G on A {\n  A: wait never external\n  A: spin 100us\n  A: wait e external\n  A: spin 100us\n}\n"
      "B: spin 3ms\nB: record e\nA: launch G\nB: spin 5ms\n");
  // 2 launches; its nodes are 3 to 6.
  EXPECT_LT(run[4].end, run[0].end);
  EXPECT_EQ(run[5].waits_for, 1u);
  EXPECT_GE(run[6].start, run[0].end);
  EXPECT_LT(run[6].end, run[7].end) << "not for the record behind the launch";
}

// It records nothing: the event is what it was before, or recorded never.
TEST(ExternalEvents, OfALaunchThatFailsStandForTheRecordBefore) {
  const auto run = simulate(
      "event e\nevent late\nstream A nonblocking\nstream B nonblocking\n"
      "graph G on A mode=global {\n  repeat 200 {\n    A: spin 1us\n  }\n  A: record done external\n  A: record never "
      "external\n}\n"
      "B: record first\nB: spin 3ms\nB: record done\nthread T {\n  host: work 100us\n  host: query e\n}\n"
      "host: capture G\nA: launch G\nhost: query done\nhost: query never\nhost: sync never\nB: wait done\n"
      "host: sync done\nhost: query done\nhost: elapsed first done\nhost: elapsed first never\nhost: join T\n");
  const auto at = [&](OperationKind kind, std::size_t nth) -> const trace::Span& {
    for (const trace::Span& span : run.spans) {
      if (span.kind == kind && span.thread == 0 && nth-- == 0) return span;
    }
    ADD_FAILURE() << "no such span";
    return run.spans[0];
  };
  ASSERT_EQ(at(OperationKind::launch, 0).result, CallResult::invalid_value);
  const trace::Span &kernel = at(OperationKind::kernel, 0), &recorded = at(OperationKind::record, 1);
  EXPECT_EQ(at(OperationKind::query, 0).result, CallResult::not_ready) << "the record before it is not there yet";
  EXPECT_EQ(at(OperationKind::query, 1).result, CallResult::success);
  EXPECT_LT(at(OperationKind::sync, 0).host_end, kernel.end) << "what is recorded nowhere is waited for by none";
  EXPECT_GE(at(OperationKind::sync, 1).host_end, recorded.end);
  EXPECT_EQ(at(OperationKind::sync, 1).waits_for, recorded.operation);
  EXPECT_EQ(at(OperationKind::query, 2).result, CallResult::success);
  EXPECT_EQ(at(OperationKind::elapsed, 0).result, CallResult::success);
  EXPECT_NEAR(static_cast<double>(at(OperationKind::elapsed, 0).elapsed), 3e6, 3e4);
  EXPECT_EQ(at(OperationKind::elapsed, 1).result, CallResult::invalid_resource_handle);
}

TEST(ExternalEvents, TellTheTime) {
  const auto run = simulate(
      "stream A nonblocking\n"
      "graph G on A {\n  A: record from external\n  A: spin 1ms\n  A: record to external\n}\n"
      "A: launch G\nhost: sync A\nhost: elapsed from to\n");
  EXPECT_EQ(run[5].result, CallResult::success);
  EXPECT_NEAR(static_cast<double>(run[5].elapsed), 1e6, 3e4);
}

}  // namespace
}  // namespace streamscope::model

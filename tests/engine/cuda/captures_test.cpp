// Captures inside the run, and events that are external to a graph: through the CUDA device.
#include "tests/engine/cuda/contract.h"
#include "tests/support/program_of.h"

#include <cuda_runtime_api.h>

#include <thread>

namespace streamscope::cuda {
namespace {

struct Captured {
  std::vector<device::Pass> passes;  // full ones
  std::optional<bool> right;
  std::size_t begun = 0;  // captures
};
Captured captured_run(const std::string& text) {
  fake_cuda::reset();
  Captured found;
  const program::Program program = tests::program_of(text);
  {
    const auto context = contract::opened();
    auto loaded = CudaProgram::load(context, program, {});
    EXPECT_TRUE(loaded) << loaded.error().message;
    for (const device::Instrument instrument :
         {device::Instrument::bare, device::Instrument::full, device::Instrument::full}) {
      auto pass = (*loaded)->run(instrument, {});
      EXPECT_TRUE(pass) << pass.error().message;
      if (pass && instrument == device::Instrument::full) found.passes.push_back(std::move(*pass));
    }
    const auto right = (*loaded)->verify();
    EXPECT_TRUE(right) << right.error().message;
    found.right = *right;
  }
  for (std::size_t nth = 1; nth <= fake_cuda::calls(); ++nth)
    found.begun += fake_cuda::call(nth).name == "cudaStreamBeginCapture" ? 1 : 0;
  contract::expect_nothing_left();
  return found;
}

TEST(CapturesInTheRun, AreMadeAnewInEachRunAndSeen) {
  const Captured found = captured_run(
      "buffer x 64KiB\nstream A nonblocking\nstream B nonblocking\n"
      "graph G on A {\n  A: h2d x\n  host: capture-info A\n  host: capture-info B\n  A: axpb x fma=2\n  A: hostfn 5us\n"
      "  A: d2h x\n}\nhost: capture G\nhost: capture-info A\nA: launch G\nA: launch G\n");
  EXPECT_EQ(found.begun, 3u) << "one in each run, none before it";
  EXPECT_EQ(found.right, true);
  for (const device::Pass& pass : found.passes) {
    ASSERT_EQ(pass.answers.captures.size(), 3u);
    EXPECT_EQ(pass.answers.captures[0].operation, 2u);
    EXPECT_EQ(pass.answers.captures[0].status, trace::CaptureStatus::active);
    EXPECT_GT(pass.answers.captures[0].id, 0u);
    EXPECT_EQ(pass.answers.captures[1].status, trace::CaptureStatus::none);
    EXPECT_EQ(pass.answers.captures[2].status, trace::CaptureStatus::none);
    for (std::size_t i = 0; i < 10; ++i) {
      EXPECT_GT(pass.spans[i].host_end, pass.spans[i].host_begin) << i;
      EXPECT_EQ(pass.spans[i].source, trace::Source::host) << "a call of the host's, and no more";
    }
    // Two launches of four nodes.
    EXPECT_GE(pass.spans[12].start, pass.spans[9].host_begin);
    for (const std::size_t node : {11, 12, 13, 14, 16, 17, 18, 19}) EXPECT_TRUE(known(pass.spans[node].end)) << node;
  }
}

TEST(CapturesInTheRun, KeepTheirGraphsForALateThread) {
  const Captured found = captured_run(
      "stream A nonblocking\nstream B nonblocking\ngraph G on A mode=relaxed {\n  A: spin 5us\n}\nhost: capture G\n"
      "thread T {\n  B: launch G\n  host: sync B\n}\n");
  for (const device::Pass& pass : found.passes) EXPECT_EQ(pass.spans[5].result, CallResult::success);
}

TEST(ExternalEvents, AreNodesThatOthersWaitFor) {
  const Captured found = captured_run(
      "event e\nstream A nonblocking\nstream B nonblocking\n"
      "graph G on A {\n  A: wait e external\n  A: spin 100us\n  A: record f external\n  A: spin 2ms\n}\n"
      "B: spin 500us\nB: record e\nA: launch G\nB: wait f\nB: spin 100us\nhost: sync f\nhost: elapsed e f\n");
  for (const device::Pass& pass : found.passes) {
    // 2 launches; 3 waits, 4 runs, 5 records and 6 runs.
    EXPECT_GE(pass.spans[4].start + pass.spans[4].start_uncertainty, pass.spans[0].end);
    EXPECT_EQ(pass.spans[3].reason, trace::WaitReason::event);
    EXPECT_EQ(pass.spans[3].waits_for, 0u) << "what is before the record";
    EXPECT_EQ(pass.spans[4].reason, trace::WaitReason::event) << "through the node before it";
    EXPECT_TRUE(known(pass.spans[5].end));
    EXPECT_GE(pass.spans[8].start + pass.spans[8].start_uncertainty, pass.spans[4].end);
    EXPECT_LT(pass.spans[8].start, pass.spans[6].end) << "not for all of the launch";
    EXPECT_LT(pass.spans[9].host_end, pass.spans[6].end);
    EXPECT_EQ(pass.spans[10].result, CallResult::success);
  }
}

// The capture is broken, so that nothing is launched: the event is what it was before.
TEST(ExternalEvents, OfALaunchThatFailsStandForTheRecordBefore) {
  fake_cuda::reset();
  const program::Program program = tests::program_of(
      "event e\nstream A nonblocking\nstream B nonblocking\nstream C nonblocking\n"
      "graph G on A mode=global {\n  A: spin 1us\n  A: record done external\n}\nB: spin 3ms\nB: record done\n"
      "thread T {\n  host: query e\n}\nhost: capture G\nA: launch G\nhost: query done\nC: wait done\nC: spin 1us\n"
      "host: sync done\nhost: query done\nhost: join T\n");
  const auto context = contract::opened();
  auto loaded = CudaProgram::load(context, program, {});
  ASSERT_TRUE(loaded) << loaded.error().message;
  fake_cuda::at_call("cudaStreamEndCapture", 1, [] { std::thread([] { cudaDeviceSynchronize(); }).join(); });
  const auto pass = (*loaded)->run(device::Instrument::full, {});
  ASSERT_TRUE(pass) << pass.error().message;
  const auto at = [&](OperationKind kind, std::size_t nth) -> const trace::Span& {
    for (const trace::Span& span : pass->spans) {
      if (span.kind == kind && span.thread == 0 && nth-- == 0) return span;
    }
    ADD_FAILURE() << "no such span";
    return pass->spans[0];
  };
  ASSERT_EQ(at(OperationKind::launch, 0).result, CallResult::invalid_value);
  const trace::Span &before = pass->spans[1], &kernel = pass->spans[0];
  EXPECT_EQ(at(OperationKind::query, 0).result, CallResult::not_ready);
  EXPECT_EQ(at(OperationKind::sync, 0).result, CallResult::success);
  EXPECT_GE(at(OperationKind::sync, 0).host_end, kernel.end);
  EXPECT_EQ(at(OperationKind::query, 1).result, CallResult::success);
  EXPECT_EQ(at(OperationKind::wait, 0).waits_for, 0u) << "what is before the record";
  EXPECT_EQ(at(OperationKind::wait, 0).reason, trace::WaitReason::event);
  EXPECT_GE(at(OperationKind::wait, 0).ready + 10'000, before.end);
}

// Whether the two meet is a matter of time; what follows is not.
TEST(CapturesInTheRun, AreBrokenAsAWholeOrNotAtAll) {
  const Captured found = captured_run(
      "event e\nstream A nonblocking\nstream B nonblocking\ngraph G on A mode=global {\n  repeat 200 {\n    A: "
      "spin 1us\n"
      "  }\n}\nthread T {\n  repeat 50 {\n    host: query e\n  }\n}\nhost: capture G\nA: launch G\nB: spin "
      "1us\nhost: join T\n");
  for (const device::Pass& pass : found.passes) {
    bool refused = false;
    for (std::size_t i = 1; i <= 50; ++i) {
      if (pass.spans[i].result == CallResult::success) continue;
      EXPECT_EQ(pass.spans[i].result, CallResult::capture_unsupported) << i;
      refused = true;
    }
    const trace::Span &end = pass.spans[252], &instantiate = pass.spans[253], &launch = pass.spans[254];
    EXPECT_EQ(end.result, refused ? CallResult::capture_invalidated : CallResult::success);
    EXPECT_EQ(instantiate.result, refused ? CallResult::invalid_value : CallResult::success);
    EXPECT_EQ(launch.result, refused ? CallResult::invalid_value : CallResult::success);
    EXPECT_EQ(known(pass.spans[255].start), !refused) << "a node";
    EXPECT_EQ(pass.spans[455].result, CallResult::success) << "other streams go on";
    EXPECT_TRUE(known(pass.spans[455].end));
  }
}

}  // namespace
}  // namespace streamscope::cuda

// Copies between two ranges, what is given to no stream, callbacks, and calls that only ask: through the CUDA device.
#include "tests/engine/cuda/contract.h"
#include "tests/support/program_of.h"

namespace streamscope::cuda {
namespace {

struct Asked {
  std::vector<trace::Span> spans;
  trace::Answers answers;
  std::optional<bool> right;
};
Asked run(const std::string& text) {
  fake_cuda::reset();
  Asked found;
  const program::Program program = tests::program_of(text);
  {
    const auto context = contract::opened();
    auto loaded = CudaProgram::load(context, program, {});
    EXPECT_TRUE(loaded) << loaded.error().message;
    for (const device::Instrument instrument : {device::Instrument::bare, device::Instrument::full}) {
      auto pass = (*loaded)->run(instrument, {});
      EXPECT_TRUE(pass) << pass.error().message;
      if (!pass) continue;
      found.spans = std::move(pass->spans);
      found.answers = std::move(pass->answers);
    }
    const auto right = (*loaded)->verify();
    EXPECT_TRUE(right) << right.error().message;
    found.right = *right;
  }
  contract::expect_nothing_left();
  return found;
}

TEST(Copies, BetweenTwoRangesAreVerified) {
  EXPECT_EQ(run("buffer x 64KiB\nbuffer y 64KiB host=pageable\nstream A\nA: h2d x[0:4KiB] from y[8KiB:4KiB]\n"
                "A: axpb x[0:4KiB] fma=3\nA: d2h x[0:4KiB] to y[60KiB:4KiB]\nhost: sync A\n"
                "host: memcpy h2d y[0:4KiB] from x[4KiB:4KiB]\nhost: memcpy d2h x[0:4KiB] to x[32KiB:4KiB]\n"
                "host: memset y[0:16] 3\nhost: d2d y[4KiB:1KiB] x[0:1KiB]\nhost: memcpy d2h y\n")
                .right,
            true);
}

TEST(DefaultStream, PerThreadIsWhatCallsWithoutAStreamUse) {
  const Asked found =
      run("default-stream per-thread\nbuffer x 64KiB\nbuffer y 64KiB\nstream A\nA: spin 50ms\nhost: memcpy h2d x\n"
          "default: axpb x fma=2\nhost: memset y 5\nhost: d2d y[0:1KiB] x[0:1KiB]\nhost: memcpy d2h y\n");
  EXPECT_EQ(found.right, true);
  for (const std::size_t own : {1, 2, 3, 4, 5}) EXPECT_LT(found.spans[own].end, found.spans[0].end) << own;
}

TEST(Callbacks, RunInStreamOrder) {
  const Asked found = run("stream A\nA: spin 10us\nA: callback 5us\nA: spin 10us\nA: hostfn 5us\n");
  EXPECT_TRUE(found.spans[1].callback);
  EXPECT_FALSE(found.spans[3].callback);
  EXPECT_GE(found.spans[1].start, found.spans[0].end);
  const trace::Span& behind = found.spans[2];  // on the device's clock
  EXPECT_GE(behind.start + behind.start_uncertainty, found.spans[1].end);
}

// Rule 18: work goes on after its stream is gone. What is not destroyed is given back when the run is over.
TEST(MadeInTheRun, StreamsAndEventsComeAndGo) {
  const Asked found =
      run("buffer x 64KiB\nhost: create-stream A nonblocking\nhost: create-event e\nA: h2d x\nA: spin 2ms\nA: axpb x "
          "fma=3\nA: record e\nhost: destroy A\nper-thread: wait e\nhost: destroy e\nper-thread: d2h x\nhost: "
          "create-stream left\nhost: create-event left_too\nleft: spin 1us\nleft: record left_too\n");
  EXPECT_EQ(found.right, true);
  EXPECT_LT(found.spans[6].host_end, found.spans[3].end) << "it waits for nothing";
  EXPECT_GE(found.spans[9].start, found.spans[4].end);
}

// Rule 4. What the run leaves allocated or registered is given back when it is over.
TEST(HostMemory, IsAllocatedAndRegisteredInTheRun) {
  const Asked found =
      run("buffer x 64KiB\nbuffer y 64KiB host=pageable\nbuffer z 64KiB host=pageable\nstream A nonblocking\nhost: "
          "malloc-host h 64KiB\nA: d2h x to h\nA: h2d y from h\nA: spin 2ms\nhost: register y\nA: spin 2ms\nA: d2h "
          "y\nhost: "
          "malloc-host left 4KiB\nhost: register z\nA: spin 2ms\nhost: free-host h\nhost: sync A\nA: spin 2ms\nhost: "
          "unregister y\n");
  EXPECT_EQ(found.right, true);
  EXPECT_LT(found.spans[4].host_end, found.spans[3].end) << "registering waits for nothing";
  EXPECT_LT(found.spans[6].host_end, found.spans[5].end) << "a copy to registered memory holds nobody";
  const auto earliest_end = [&](std::size_t i) { return found.spans[i].end - found.spans[i].uncertainty; };
  EXPECT_GE(found.spans[10].host_end, earliest_end(9)) << "freeing waits, too";
  EXPECT_GE(found.spans[13].host_end, earliest_end(12)) << "and unregistering";
  for (const std::size_t call : {10, 13}) {
    EXPECT_EQ(found.spans[call].reason, trace::WaitReason::host);
    EXPECT_EQ(found.spans[call].waits_for, call - 1);
  }
}

// What nothing has written may be anything.
TEST(HostMemory, ThatNothingHasWrittenIsNotVerified) {
  EXPECT_EQ(run("buffer x 64KiB\nstream A\nhost: malloc-host h 64KiB\nA: d2h x[0:4KiB] to h[0:4KiB]\nA: h2d x from "
                "h\nhost: free-host h\n")
                .right,
            std::nullopt);
}

TEST(Asking, KeepsEachAnswerOfAPollAndTheWorkBehindIt) {
  const Asked found =
      run("stream A nonblocking\nA: spin 1ms\nhost: poll A every=100us work=80us\nA: spin 200us\nhost: poll A\n");
  const trace::Span& poll = found.spans[1];
  std::vector<trace::PollAnswer> first;
  for (const trace::PollAnswer& one : found.answers.polls) {
    if (one.operation == 1) first.push_back(one);
  }
  ASSERT_EQ(first.size(), poll.polls);
  ASSERT_GT(first.size(), 5u);
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_GE(first[i].at, i == 0 ? poll.host_begin : first[i - 1].at + 100'000) << i;
    EXPECT_LE(first[i].at, poll.host_end);
    EXPECT_EQ(known(first[i].worked_until), i + 1 < first.size()) << i;
    if (known(first[i].worked_until)) {
      EXPECT_GE(first[i].worked_until - first[i].at, 80'000);
    }
  }
  EXPECT_LT(first.size(), found.answers.polls.size());
  for (const trace::PollAnswer& one : found.answers.polls)
    if (one.operation == 3) {
      EXPECT_FALSE(known(one.worked_until));
    }
}

TEST(Asking, TellsWhatAStreamSaysOfItself) {
  const Asked found =
      run("stream A nonblocking priority=-100\nstream B\nhost: attributes A\nhost: attributes B\nhost: "
          "attributes per-thread\n");
  ASSERT_EQ(found.answers.streams.size(), 3u);
  const trace::StreamAttributes& a = found.answers.streams[0];
  EXPECT_EQ(a.operation, 0u);
  EXPECT_EQ(a.priority, -5) << "as clamped";
  EXPECT_TRUE(a.nonblocking);
  EXPECT_EQ(a.capture, trace::CaptureStatus::none);
  EXPECT_FALSE(found.answers.streams[1].nonblocking);
  EXPECT_NE(a.id, found.answers.streams[1].id);
  EXPECT_EQ(trace::attributes_of(found.answers, 2)->priority, 0);
  EXPECT_EQ(found.spans[0].result, CallResult::success);
}

TEST(Asking, TellsWhatCudaAnswered) {
  const Asked found = run(
      "event silent notiming\nevent never blockingsync\nstream A nonblocking\nA: record a\nA: spin 1ms\nA: record b\n"
      "A: record silent\nhost: query A\nhost: query b\nhost: elapsed a b\nhost: sync device\nhost: query A\nhost: "
      "query b\n"
      "host: elapsed a b\nhost: elapsed a silent\nhost: elapsed a never\nhost: sync never\n");
  const auto result = [&](std::size_t i) { return found.spans[i].result; };
  EXPECT_EQ(result(4), CallResult::not_ready);
  EXPECT_EQ(result(5), CallResult::not_ready);
  EXPECT_EQ(result(6), CallResult::not_ready);
  EXPECT_EQ(result(8), CallResult::success);
  EXPECT_EQ(result(9), CallResult::success);
  EXPECT_EQ(result(10), CallResult::success);
  EXPECT_GE(found.spans[10].elapsed, 1'000'000);
  EXPECT_EQ(result(11), CallResult::invalid_resource_handle);
  EXPECT_EQ(result(12), CallResult::invalid_resource_handle);
  EXPECT_FALSE(known(found.spans[12].elapsed));
}

}  // namespace
}  // namespace streamscope::cuda

// Every kind of operation runs, stops and has a span. CUDA's rules: conformance_test.cpp.
#include <algorithm>
#include <thread>

#include "engine/base/stop_source.h"
#include "tests/gpu/gpu.h"

namespace streamscope::cuda {
namespace {

Nanoseconds took(const trace::Span& span) { return span.end - span.start; }
// What a spin of that length lasts at the least. It counts the device's nanoseconds, spans are in the host's, and the
// two clocks may run some millionths apart.
Nanoseconds lasting(Nanoseconds spin) { return spin - spin / 10'000 - 2'000; }

TEST_F(Gpu, EveryKindOfOperationRuns) {
  const auto run = measured(context(), kEveryKind);
  expect_sane(*run);
  for (const trace::Span& span : run->pass.spans) {
    switch (span.kind) {
      case OperationKind::kernel: EXPECT_EQ(span.source, trace::Source::stamp); break;
      case OperationKind::record:
      case OperationKind::wait: EXPECT_EQ(span.source, trace::Source::inferred); break;
      case OperationKind::memset:
      case OperationKind::d2d: EXPECT_TRUE(trace::is_of_event(span.source)); break;
      case OperationKind::poll: EXPECT_GE(span.polls, 1u); break;
      case OperationKind::hostfn: EXPECT_GE(took(span), 30'000); break;
      default: break;
    }
  }
}

TEST_F(Gpu, SpinLastsAsLongAsItSays) {
  const auto run = measured(context(), "stream A nonblocking\nA: spin 200us\nA: spin 200us blocks=8\n");
  expect_sane(*run);
  for (const std::size_t i : {0, 1}) EXPECT_GE(took((*run)[i]), lasting(200'000));
}

TEST_F(Gpu, ReasonsNameTheLastCauseToFallAway) {
  const auto run = measured(context(), R"(
buffer x 64MiB
stream A
stream B
streams S 2 nonblocking
A: spin 1ms
default: spin 1ms
B: spin 1ms
B: record e
S0: wait e
S0: h2d x[0:32MiB]
S1: wait e
S1: h2d x[32MiB:32MiB]
)");
  expect_sane(*run);
  EXPECT_EQ((*run)[1].reason, trace::WaitReason::legacy);
  EXPECT_EQ((*run)[1].waits_for, 0u);
  EXPECT_EQ((*run)[2].reason, trace::WaitReason::legacy);
  EXPECT_EQ((*run)[2].waits_for, 1u);
  const bool in_turn = (*run)[5].end < (*run)[7].end;
  const trace::Span &first = (*run)[in_turn ? 5 : 7], &second = (*run)[in_turn ? 7 : 5];
  EXPECT_EQ(first.reason, trace::WaitReason::event);
  EXPECT_EQ(first.waits_for, 2u);
  EXPECT_EQ(second.reason, trace::WaitReason::engine);
  EXPECT_EQ(second.waits_for, first.operation);
}

// An asynchronous call takes microseconds, its work longer. Printed, not asserted.
TEST_F(Gpu, ShowsHowLittleTheHostIsHeld) {
  const auto run = measured(context(),
                            "buffer x 256MiB\nbuffer y 256MiB host=pageable\ndefault: h2d x\ndefault: axpb x fma=512\n"
                            "host: sync device\ndefault: h2d y\n");
  expect_sane(*run);
  for (const std::size_t i : {0, 1, 3}) {
    const trace::Span& span = (*run)[i];
    std::printf("%-60s host call %8.2f us, execution %9.2f us\n",
                program::describe(run->program, static_cast<OperationIndex>(i)).c_str(),
                static_cast<double>(span.host_end - span.host_begin) / 1e3, static_cast<double>(took(span)) / 1e3);
  }
}

// For choosing kernel.fma: printed, not asserted.
TEST_F(Gpu, ShowsHowLongAxpbTakes) {
  for (const int fma : {1, 64, 512, 1024, 1536, 1792, 2048, 2304, 2560, 3072, 4096}) {
    const auto run = measured(context(), "buffer x 16MiB\nstream A nonblocking\nA: h2d x\nrepeat 9 {\nA: axpb x fma=" +
                                             std::to_string(fma) + " threads=256\n}\n");
    ASSERT_EQ(run->pass.spans.size(), 11u);
    std::vector<Nanoseconds> times;
    for (std::size_t i = 1; i <= 9; ++i) times.push_back(took((*run)[i]));
    std::sort(times.begin(), times.end());
    std::printf("axpb 16MiB fma=%-5d %8.2f us (%.2f to %.2f)\n", fma, static_cast<double>(times[4]) / 1e3,
                static_cast<double>(times.front()) / 1e3, static_cast<double>(times.back()) / 1e3);
  }
}

TEST_F(Gpu, ABarePassHasAWallTimeAndNoSpans) {
  const program::Program program = tests::program_of("buffer x 1MiB\nstream A nonblocking\nA: h2d x\nA: spin 100us\n");
  auto loaded = load(program);
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto pass = (*loaded)->run(device::Instrument::bare, {});
  ASSERT_TRUE(pass) << pass.error().message;
  EXPECT_GE(pass->wall, 100'000);
  EXPECT_TRUE(pass->spans.empty());
}

TEST_F(Gpu, AStopEndsALongRunEarly) {
  const program::Program program = tests::program_of("stream A nonblocking\nrepeat 30 {\nA: spin 900ms\n}\n");
  auto loaded = load(program);
  ASSERT_TRUE(loaded) << loaded.error().message;
  StopSource source;
  const Nanoseconds began = host_now();
  std::jthread stopper([&] {
    while (host_now() - began < 100'000'000) std::this_thread::yield();
    source.request_stop();
  });
  const auto pass = (*loaded)->run(device::Instrument::full, {source.flag(), {}});
  ASSERT_FALSE(pass);
  EXPECT_EQ(pass.error().kind, ErrorKind::cancelled);
  // Half of the 27 s it would take: what is asserted is that the spins ended, not how fast.
  EXPECT_LT(host_now() - began, 13'500'000'000);

  // And the next run is whole again.
  const program::Program brief = tests::program_of("stream A nonblocking\nA: spin 2ms\n");
  auto again = load(brief);
  ASSERT_TRUE(again) << again.error().message;
  auto whole = (*again)->run(device::Instrument::full, {});
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_GE(took(whole->spans[0]), lasting(2'000'000));
}

TEST_F(Gpu, AStoppedProgramRunsAgain) {
  const program::Program program = tests::program_of("stream A nonblocking\nrepeat 3 {\nA: spin 50ms\n}\n");
  auto loaded = load(program);
  ASSERT_TRUE(loaded) << loaded.error().message;
  StopSource source;
  std::jthread stopper([&] { source.request_stop(); });
  (void)(*loaded)->run(device::Instrument::full, {source.flag(), {}});
  const auto pass = (*loaded)->run(device::Instrument::full, {});
  ASSERT_TRUE(pass) << pass.error().message;
  for (const std::size_t i : {0, 1, 2}) {
    EXPECT_GE(took(pass->spans[i]), lasting(50'000'000));
  }
}

// Batches that come while a long run goes on hold spans as the finished run has them.
TEST_F(Gpu, SpansSentAheadAreFinal) {
  const program::Program program = tests::program_of(R"(
buffer x 16MiB
streams S 2 nonblocking
repeat 40 as i {
  S{i%2}: h2d x[{i%2*8}MiB:8MiB]
  S{i%2}: spin 10ms
  S{i%2}: record e
  S{(i+1)%2}: wait e
  S{i%2}: d2h x[{i%2*8}MiB:8MiB]
  S{i%2}: hostfn 100us
}
)");
  auto loaded = load(program);
  ASSERT_TRUE(loaded) << loaded.error().message;
  std::vector<trace::Span> sent;
  std::size_t batches = 0;
  const auto pass = (*loaded)->run(device::Instrument::full, {{}, [&](std::span<const trace::Span> batch) {
                                                                sent.insert(sent.end(), batch.begin(), batch.end());
                                                                ++batches;
                                                              }});
  ASSERT_TRUE(pass) << pass.error().message;
  EXPECT_GE(batches, 2u);
  EXPECT_GT(sent.size(), pass->spans.size() / 2);
  std::vector<bool> seen(pass->spans.size(), false);
  for (const trace::Span& span : sent) {
    ASSERT_LT(span.operation, pass->spans.size());
    EXPECT_FALSE(seen[span.operation]) << "sent twice: " << program::describe(program, span.operation);
    seen[span.operation] = true;
    EXPECT_TRUE(span == pass->spans[span.operation]) << program::describe(program, span.operation);
  }
  std::printf("%zu of %zu spans in %zu batches while the run went on\n", sent.size(), pass->spans.size(), batches);
}

}  // namespace
}  // namespace streamscope::cuda

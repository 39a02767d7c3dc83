// Every kind of operation really runs, and the spans keep CUDA's rules.
#include <algorithm>
#include <thread>

#include "tests/gpu/gpu.h"

namespace streamscope {
namespace {

bool overlap(const Span& a, const Span& b) { return a.start < b.end && b.start < a.end; }
Nanoseconds took(const Span& span) { return span.end - span.start; }
// What a spin of that length lasts at the least. It counts the device's nanoseconds, spans are in the host's, and the
// two clocks may run some millionths apart.
Nanoseconds lasting(Nanoseconds spin) { return spin - spin / 10'000 - 2'000; }

TEST_F(Gpu, EveryKindOfOperationRuns) {
  const auto run = measured(context(), kEveryKind);
  expect_sane(*run);
  for (const Span& span : run->pass.spans) {
    switch (span.kind) {
      case OperationKind::kernel: EXPECT_EQ(span.source, Source::stamp); break;
      case OperationKind::record:
      case OperationKind::wait: EXPECT_EQ(span.source, Source::inferred); break;
      case OperationKind::memset:
      case OperationKind::d2d: EXPECT_EQ(span.source, Source::event); break;
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

TEST_F(Gpu, OneStreamRunsInOrder) {
  const auto run = measured(context(), R"(
buffer x 8MiB
stream A nonblocking
repeat 4 as i {
  A: h2d x[{i*2}MiB:2MiB]
  A: axpb x[{i*2}MiB:2MiB] fma=16
  A: d2h x[{i*2}MiB:2MiB]
}
)");
  expect_sane(*run);
  for (std::size_t i = 1; i + 1 < run->pass.spans.size(); ++i) {
    EXPECT_FALSE(overlap((*run)[i - 1], (*run)[i])) << describe(run->program, static_cast<OperationIndex>(i));
  }
}

TEST_F(Gpu, NonBlockingStreamsRunSideBySide) {
  const auto run = measured(context(), "streams S 2 nonblocking\nS0: spin 2ms\nS1: spin 2ms\n");
  expect_sane(*run);
  EXPECT_TRUE(overlap((*run)[0], (*run)[1]));
}

// k(A), k(default), k(B) serialise (cuda-rules 2); a non-blocking stream takes no part.
TEST_F(Gpu, TheLegacyDefaultStreamIsABarrierForBlockingStreams) {
  const auto run = measured(context(), R"(
stream A
stream B
stream N nonblocking
A: spin 1ms
default: spin 1ms
B: spin 1ms
N: spin 1ms
)");
  expect_sane(*run);
  EXPECT_FALSE(overlap((*run)[0], (*run)[1]));
  EXPECT_FALSE(overlap((*run)[1], (*run)[2]));
  EXPECT_LE((*run)[0].end, (*run)[1].start);
  EXPECT_LE((*run)[1].end, (*run)[2].start);
  EXPECT_TRUE(overlap((*run)[3], (*run)[0]));
  EXPECT_EQ((*run)[1].reason, WaitReason::legacy);
  EXPECT_EQ((*run)[1].waits_for, 0u);
  EXPECT_EQ((*run)[2].reason, WaitReason::legacy);
  EXPECT_EQ((*run)[2].waits_for, 1u);
}

TEST_F(Gpu, ThePerThreadStreamIsOrderedAgainstLegacyOnly) {
  const auto run = measured(context(), "stream A\nper-thread: spin 1ms\nA: spin 1ms\ndefault: spin 100us\n");
  expect_sane(*run);
  EXPECT_TRUE(overlap((*run)[0], (*run)[1]));
  EXPECT_GE((*run)[2].start, std::max((*run)[0].end, (*run)[1].end));
}

TEST_F(Gpu, AWaitHoldsBackForItsRecordAndNoOther) {
  const auto run = measured(context(), R"(
streams S 2 nonblocking
S0: spin 500us
S0: record e
S1: wait e
S0: spin 500us
S0: record e
S1: spin 100us
)");
  expect_sane(*run);
  const Span &first = (*run)[0], &second = (*run)[3], &waited = (*run)[5];
  EXPECT_GE(waited.start, first.end);
  EXPECT_TRUE(overlap(waited, second));
  EXPECT_EQ(waited.reason, WaitReason::event);
  EXPECT_EQ(waited.waits_for, 0u);
}

TEST_F(Gpu, AWaitOnANeverRecordedEventDoesNothing) {
  const auto run =
      measured(context(), "stream A nonblocking\nevent e\nA: wait e\nA: spin 10us\nhost: sync e\nhost: poll e\n");
  expect_sane(*run);
  EXPECT_EQ((*run)[3].polls, 1u);
}

TEST_F(Gpu, CopiesOfOneDirectionTakeTurnsAndDirectionsDoNot) {
  const auto run = measured(context(), R"(
buffer x 64MiB
buffer y 64MiB
streams S 3 nonblocking
S0: h2d x[0:32MiB]
S1: h2d x[32MiB:32MiB]
S2: d2h y
)");
  expect_sane(*run);
  EXPECT_FALSE(overlap((*run)[0], (*run)[1]));
  const Span& later = (*run)[0].end < (*run)[1].end ? (*run)[1] : (*run)[0];
  EXPECT_EQ(later.reason, WaitReason::engine);
  EXPECT_LT(later.ready, later.start);
  if (context()->info.copy_engines >= 2) {
    EXPECT_TRUE(overlap((*run)[2], (*run)[0]) || overlap((*run)[2], (*run)[1]));
  }
}

TEST_F(Gpu, AHostFunctionRunsBetweenItsNeighbours) {
  const auto run = measured(context(), "stream A nonblocking\nA: spin 100us\nA: hostfn 200us\nA: spin 100us\n");
  expect_sane(*run);
  const Nanoseconds slack = run->pass.clock_uncertainty;
  EXPECT_GE((*run)[1].start + slack, (*run)[0].end);
  EXPECT_GE((*run)[2].start + slack, (*run)[1].end);
  EXPECT_GE(took((*run)[1]), 200'000);
}

// The classic: the call is over in microseconds, the work is not. Told, not asserted.
TEST_F(Gpu, ShowsHowLittleTheHostIsHeld) {
  const auto run = measured(context(),
                            "buffer x 256MiB\nbuffer y 256MiB host=pageable\ndefault: h2d x\ndefault: axpb x fma=512\n"
                            "host: sync device\ndefault: h2d y\n");
  expect_sane(*run);
  for (const std::size_t i : {0, 1, 3}) {
    const Span& span = (*run)[i];
    std::printf("%-60s host call %8.2f us, execution %9.2f us\n",
                describe(run->program, static_cast<OperationIndex>(i)).c_str(),
                static_cast<double>(span.host_end - span.host_begin) / 1e3, static_cast<double>(took(span)) / 1e3);
  }
}

// For choosing kernel.fma: told, not asserted.
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
  const Program program = program_of("buffer x 1MiB\nstream A nonblocking\nA: h2d x\nA: spin 100us\n");
  auto loaded = load(program);
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto pass = (*loaded)->run(Instrument::bare, {});
  ASSERT_TRUE(pass) << pass.error().message;
  EXPECT_GE(pass->wall, 100'000);
  EXPECT_TRUE(pass->spans.empty());
}

TEST_F(Gpu, AStopEndsALongRunEarly) {
  const Program program = program_of("stream A nonblocking\nrepeat 30 {\nA: spin 900ms\n}\n");
  auto loaded = load(program);
  ASSERT_TRUE(loaded) << loaded.error().message;
  std::stop_source source;
  const Nanoseconds began = host_now();
  std::jthread stopper([&] {
    while (host_now() - began < 100'000'000) std::this_thread::yield();
    source.request_stop();
  });
  const auto pass = (*loaded)->run(Instrument::full, {source.get_token(), {}});
  ASSERT_FALSE(pass);
  EXPECT_EQ(pass.error().kind, ErrorKind::cancelled);
  // Half of the 27 s it would take: what is asserted is that the spins ended, not how fast.
  EXPECT_LT(host_now() - began, 13'500'000'000);

  // And the next run is whole again.
  const Program brief = program_of("stream A nonblocking\nA: spin 2ms\n");
  auto again = load(brief);
  ASSERT_TRUE(again) << again.error().message;
  auto whole = (*again)->run(Instrument::full, {});
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_GE(took(whole->spans[0]), lasting(2'000'000));
}

TEST_F(Gpu, AStoppedProgramRunsAgain) {
  const Program program = program_of("stream A nonblocking\nrepeat 3 {\nA: spin 50ms\n}\n");
  auto loaded = load(program);
  ASSERT_TRUE(loaded) << loaded.error().message;
  std::stop_source source;
  std::jthread stopper([&] { source.request_stop(); });
  (void)(*loaded)->run(Instrument::full, {source.get_token(), {}});
  const auto pass = (*loaded)->run(Instrument::full, {});
  ASSERT_TRUE(pass) << pass.error().message;
  for (const std::size_t i : {0, 1, 2}) {
    EXPECT_GE(took(pass->spans[i]), lasting(50'000'000));
  }
}

// Batches that come while a long run goes on hold spans as the finished run has them.
TEST_F(Gpu, SpansSentAheadAreFinal) {
  const Program program = program_of(R"(
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
  std::vector<Span> sent;
  std::size_t batches = 0;
  const auto pass = (*loaded)->run(Instrument::full, {{}, [&](std::span<const Span> batch) {
                                                        sent.insert(sent.end(), batch.begin(), batch.end());
                                                        ++batches;
                                                      }});
  ASSERT_TRUE(pass) << pass.error().message;
  EXPECT_GE(batches, 2u);
  EXPECT_GT(sent.size(), pass->spans.size() / 2);
  std::vector<bool> seen(pass->spans.size(), false);
  for (const Span& span : sent) {
    ASSERT_LT(span.operation, pass->spans.size());
    EXPECT_FALSE(seen[span.operation]) << "sent twice: " << describe(program, span.operation);
    seen[span.operation] = true;
    EXPECT_TRUE(span == pass->spans[span.operation]) << describe(program, span.operation);
  }
  std::printf("%zu of %zu spans in %zu batches while the run went on\n", sent.size(), pass->spans.size(), batches);
}

}  // namespace
}  // namespace streamscope

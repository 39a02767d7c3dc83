// CUPTI's records as an instrument of its own, and held against what the full instrument sees in the very same pass.
#include <algorithm>
#include <thread>

#include "engine/base/stop_source.h"
#include "engine/device/cuda/cupti/cupti_recorder.h"
#include "engine/reconstruct/activity.h"
#include "tests/gpu/gpu.h"

namespace streamscope::cuda {
namespace {

class Cupti : public Gpu {
 protected:
  void SetUp() override {
    Gpu::SetUp();
    if (IsSkipped()) return;
    if (const auto can = CuptiRecorder::available(); !can) GTEST_SKIP() << "skipped: " << can.error().message;
  }

  // A second pass of a text: the first may meet first times of the driver's and of CUPTI's.
  static std::unique_ptr<Measured> watched(std::string_view text) {
    auto result = std::make_unique<Measured>();
    result->program = tests::program_of(text);
    auto loaded = load(result->program);
    EXPECT_TRUE(loaded) << loaded.error().message;
    for (int i = 0; loaded && i < 2; ++i) {
      auto pass = (*loaded)->run(device::Instrument::cupti, {});
      EXPECT_TRUE(pass) << pass.error().message;
      if (!pass) return result;
      result->pass = std::move(*pass);
    }
    if (loaded) {
      for (const std::string& note : trace::texts((*loaded)->notes()))
        EXPECT_EQ(note.find("without times"), std::string::npos) << note;
      EXPECT_NE((*loaded)->frame().provenance.clock.find("CUPTI"), std::string::npos);
    }
    EXPECT_EQ(result->pass.spans.size(), result->program.operations.size());
    return result;
  }
};

TEST_F(Cupti, EveryKindOfOperationGetsItsTimes) {
  const auto run = watched(kEveryKind);
  expect_sane(*run);
  for (std::size_t i = 0; i < run->pass.spans.size(); ++i) {
    const trace::Span& span = run->pass.spans[i];
    const bool recorded = reconstruct::expected_activity(run->program.operations[i]).has_value();
    EXPECT_EQ(span.source == trace::Source::cupti, recorded)
        << program::describe(run->program, static_cast<OperationIndex>(i));
    if (recorded) {
      EXPECT_EQ(span.start_source, trace::Source::cupti)
          << program::describe(run->program, static_cast<OperationIndex>(i));
      EXPECT_GT(span.uncertainty, 0u);
    }
  }
}

// Of a graph launched twice, with branches; and of two host threads that call at the same time.
TEST_F(Cupti, NodesOfGraphsAndCallsOfThreadsGetTheirTimes) {
  for (const std::string_view text : {R"(
buffer x 8MiB
buffer y 8MiB
streams S 2 nonblocking
event f
event j
graph G on S0 {
  S0: record f
  S1: wait f
  S0: h2d x
  S1: h2d y[0:1MiB]
  S0: axpb x fma=8
  S1: memset y[1MiB:1MiB] 3
  S1: hostfn 5us
  S1: record j
  S0: wait j
  S0: d2h x
}
S0: launch G
S0: d2h y[0:1MiB]
S0: launch G
)",
                                      R"(
buffer x 8MiB
buffer y 8MiB
streams S 2 nonblocking
thread T {
  S1: h2d y
  S1: spin 20us
  S1: axpb y fma=8
  S1: d2h y
}
S0: h2d x
S0: spin 20us
S0: axpb x fma=8
S0: d2h x
host: join T
)"}) {
    const auto run = watched(text);
    const program::Dependencies dependencies(run->program);
    for (std::size_t i = 0; i < run->pass.spans.size(); ++i) {
      if (!reconstruct::expected_activity(run->program.operations[i])) continue;
      const trace::Span& span = run->pass.spans[i];
      SCOPED_TRACE(program::describe(run->program, static_cast<OperationIndex>(i)));
      EXPECT_EQ(span.source, trace::Source::cupti);
      EXPECT_LT(span.start, span.end);
      for (const program::Dependency& on : dependencies.of(static_cast<OperationIndex>(i))) {
        const trace::Span& before = run->pass.spans[on.on];
        if (before.source != trace::Source::cupti) continue;
        EXPECT_GE(span.start + 1'000, before.end) << on.on;
      }
    }
  }
}

TEST_F(Cupti, ConcurrentKernelsOverlapAndCopiesOfOneDirectionDoNot) {
  const auto run = watched(R"(
buffer x 16MiB
streams S 4 nonblocking
repeat 4 as i {
  S{i}: h2d x[{i*4}MiB:4MiB]
  S{i}: spin 300us
}
)");
  expect_sane(*run);
  std::vector<trace::Span> copies, kernels;
  for (const trace::Span& span : run->pass.spans) {
    if (span.kind == OperationKind::h2d) copies.push_back(span);
    if (span.kind == OperationKind::kernel) kernels.push_back(span);
  }
  ASSERT_EQ(copies.size(), 4u);
  ASSERT_EQ(kernels.size(), 4u);
  const auto by_start = [](const trace::Span& a, const trace::Span& b) { return a.start < b.start; };
  std::sort(copies.begin(), copies.end(), by_start);
  std::sort(kernels.begin(), kernels.end(), by_start);
  // On one engine one after the other. CUPTI's line through the device's times is one for all of them, so that its
  // bound does not count here, only the steps that times are taken in.
  for (std::size_t i = 1; i < copies.size(); ++i)
    EXPECT_GE(copies[i].start + reconstruct::kEventLag, copies[i - 1].end);
  EXPECT_LT(kernels[3].start, kernels[0].end);
}

TEST_F(Cupti, PassesOfOtherInstrumentsBesideItAreAsEver) {
  const program::Program program = tests::program_of("buffer x 1MiB\nstream A\nA: h2d x\nA: spin 20us\nA: d2h x\n");
  auto loaded = load(program);
  ASSERT_TRUE(loaded) << loaded.error().message;
  for (const device::Instrument instrument :
       {device::Instrument::full, device::Instrument::cupti, device::Instrument::bare, device::Instrument::full,
        device::Instrument::cupti, device::Instrument::cupti, device::Instrument::bare}) {
    auto pass = (*loaded)->run(instrument, {});
    ASSERT_TRUE(pass) << pass.error().message;
    ASSERT_EQ(pass->spans.size(), instrument == device::Instrument::bare ? 0 : program.operations.size());
    if (instrument == device::Instrument::bare) continue;
    EXPECT_EQ(pass->spans[1].source,
              instrument == device::Instrument::cupti ? trace::Source::cupti : trace::Source::stamp);
    EXPECT_EQ((*loaded)->frame().provenance.clock.find("CUPTI") != std::string::npos,
              instrument == device::Instrument::cupti);
  }
  const auto right = (*loaded)->verify();
  ASSERT_TRUE(right) << right.error().message;
  EXPECT_EQ(*right, std::optional(true));
}

TEST_F(Cupti, AStoppedRunLeavesNothingRecording) {
  const program::Program program = tests::program_of("stream A nonblocking\nrepeat 30 {\nA: spin 900ms\n}\n");
  auto loaded = load(program);
  ASSERT_TRUE(loaded) << loaded.error().message;
  StopSource stop;
  const Nanoseconds began = host_now();
  std::jthread stopper([&] {
    while (host_now() - began < 500'000'000) std::this_thread::yield();
    stop.request_stop();
  });
  const auto stopped = (*loaded)->run(device::Instrument::cupti, {stop.flag(), {}});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::cancelled);
  const auto recorder = CuptiRecorder::open(context());
  ASSERT_TRUE(recorder) << recorder.error().message;
  EXPECT_TRUE((*recorder)->start());
}

TEST_F(Cupti, OneRecordingAtATime) {
  auto first = CuptiRecorder::open(context());
  ASSERT_TRUE(first) << first.error().message;
  std::printf("CUPTI %s, %s\n", (*first)->version().c_str(), std::string((*first)->calls()).c_str());
  auto second = CuptiRecorder::open(context());
  ASSERT_TRUE(second) << second.error().message;
  ASSERT_TRUE((*first)->start());
  const auto refused = (*second)->start();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::bad_input);
  const auto recording = (*first)->stop();
  ASSERT_TRUE(recording) << recording.error().message;
  EXPECT_FALSE((*first)->stop());
  EXPECT_TRUE((*second)->start());
  // One that is let go of while it records gives way to the next.
  second->reset();
  EXPECT_TRUE((*first)->start());
}

// In one pass: what a kernel stamps lies within what CUPTI says of it, and a copy's end is not seen before CUPTI's, all
// within what both say they can be wrong.
TEST_F(Cupti, AgreesWithTheFullInstrumentInTheSamePass) {
  auto recorder = CuptiRecorder::open(context());
  ASSERT_TRUE(recorder) << recorder.error().message;
  const program::Program program = tests::program_of(R"(
buffer x 16MiB
streams S 4 nonblocking
repeat 8 as i {
  S{i%4}: h2d x[{i*2}MiB:2MiB]
  S{i%4}: axpb x[{i*2}MiB:2MiB] fma=200
  S{i%4}: spin 30us blocks=4
  S{i%4}: d2h x[{i*2}MiB:2MiB]
}
)");
  auto loaded = load(program);
  ASSERT_TRUE(loaded) << loaded.error().message;
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE((*recorder)->start());
    const auto pass = (*loaded)->run(device::Instrument::full, {});
    const auto recording = (*recorder)->stop();
    ASSERT_TRUE(pass) << pass.error().message;
    ASSERT_TRUE(recording) << recording.error().message;
    std::vector<device::Observed> theirs(program.operations.size());
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      theirs[i].host_begin = pass->spans[i].host_begin;
      theirs[i].host_end = pass->spans[i].host_end;
    }
    const reconstruct::MatchedActivities matched =
        reconstruct::match_activities(program, recording->records, {}, pass->begin, theirs);
    EXPECT_EQ(matched.missing, 0u);
    EXPECT_EQ(matched.contradicting, 0u);
    EXPECT_EQ(matched.found, 32u);
    const Nanoseconds slack = recording->uncertainty + pass->clock_uncertainty;
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      if (!known(theirs[i].end)) continue;
      SCOPED_TRACE(program::describe(program, static_cast<OperationIndex>(i)));
      const trace::Span& ours = pass->spans[i];
      if (ours.kind == OperationKind::kernel) {
        EXPECT_LE(theirs[i].start, ours.start + slack);
        EXPECT_GE(theirs[i].end + slack, ours.end);
      } else {
        EXPECT_LE(theirs[i].end, ours.end + slack + ours.uncertainty);
      }
    }
  }
}

}  // namespace
}  // namespace streamscope::cuda

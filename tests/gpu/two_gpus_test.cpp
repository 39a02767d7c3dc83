// Two GPUs at once: the data that moves between them is right, the times keep CUDA's order across both clocks, CUPTI
// has them all, and what fails on one is told.
#include <gmock/gmock.h>

#include "engine/base/files.h"
#include "engine/device/cuda/cupti/cupti_recorder.h"
#include "engine/experiment/build.h"
#include "engine/experiment/experiment_file.h"
#include "engine/referee/referee.h"
#include "tests/gpu/gpu.h"

namespace streamscope::cuda {
namespace {

class TwoGpus : public Gpu {
 protected:
  void SetUp() override {
    Gpu::SetUp();
    if (IsSkipped()) return;
    if (second() == nullptr) GTEST_SKIP() << "skipped: no second GPU";
  }
  static Gpus both() {
    Gpus gpus(context());
    gpus.add(second());
    return gpus;
  }
  static const std::shared_ptr<CudaContext>& second() {
    static const auto once = [] {
      auto opened = open_context(1);
      return opened ? *opened : std::shared_ptr<CudaContext>();
    }();
    return once;
  }
};

constexpr std::string_view kMixed = R"(
buffer x 4MiB device=0,1
buffer y 2MiB device=1
stream A nonblocking
stream B device=1 nonblocking
stream C device=1 priority=-1
event f device=1
A: h2d x
A: axpb x fma=8
A: record e
B: wait e
B: peer x[0:2MiB]@1 x[0:2MiB]@0
B: axpb x[0:2MiB] fma=8
C: h2d y
C: tiles y fma=4 copy=cp.async stages=3 tile=4KiB
C: record f
B: wait f
B: d2d x[2MiB:1MiB] y[0:1MiB]
B: hostfn 20us
host: device 1
default: spin 20us
C: d2h y
host: device 0
default: spin 20us
B: record done
A: wait done
A: d2h x
)";
constexpr std::string_view kReaching = R"(
buffer x 4MiB device=0,1
stream A nonblocking
stream B device=1 nonblocking
graph G on B {
  B: axpb x fma=4
  B: memset x[0:1MiB] 2
}
host: peer 0 1 on
A: h2d x
repeat 4 {
  A: peer x@1 x@0
  A: record to
  B: wait to
  B: launch G
  B: peer x@0 x@1
  B: record from
  A: wait from
  A: axpb x fma=2
}
A: d2h x
)";

TEST_F(TwoGpus, DataIsRightAndTimesKeepTheOrderAcrossBothClocks) {
  for (const std::string_view text : {kMixed, kReaching}) {
    const program::Program program = tests::program_of(text);
    auto loaded = CudaProgram::load(both(), program, {});
    ASSERT_TRUE(loaded) << loaded.error().message;
    for (int pass = 0; pass < 20; ++pass) {
      auto made = (*loaded)->run(device::Instrument::full, {});
      ASSERT_TRUE(made) << made.error().message;
      Measured run{program, std::move(*made)};
      expect_sane(run);
      if (HasFailure()) return;
    }
    const auto verified = (*loaded)->verify();
    ASSERT_TRUE(verified) << verified.error().message;
    EXPECT_EQ(*verified, true) << testing::PrintToString(trace::texts((*loaded)->notes()));
  }
}

TEST_F(TwoGpus, ShippedExperimentsLeaveTheCpusData) {
  for (const char* name : {"data-split", "device-pipeline", "halo-exchange", "all-gather"}) {
    SCOPED_TRACE(name);
    const auto path = assets_folder() / "experiments" / (std::string(name) + ".toml");
    const auto file = experiment::parse_experiment(read_text(path).value(), path.string());
    ASSERT_TRUE(file) << file.error().message;
    const program::Program program = tests::program_of(experiment::build(file->experiment));
    auto loaded = CudaProgram::load(both(), program, {});
    ASSERT_TRUE(loaded) << loaded.error().message;
    const auto pass = (*loaded)->run(device::Instrument::full, {});
    ASSERT_TRUE(pass) << pass.error().message;
    const auto verified = (*loaded)->verify();
    ASSERT_TRUE(verified) << verified.error().message;
    EXPECT_EQ(*verified, true) << testing::PrintToString(trace::texts((*loaded)->notes()));
  }
}

TEST_F(TwoGpus, BareAndGatedRunsLeaveTheSameData) {
  const program::Program program = tests::program_of(kMixed);
  auto loaded = CudaProgram::load(both(), program, {});
  ASSERT_TRUE(loaded) << loaded.error().message;
  for (const bool gate : {false, true}) {
    for (const device::Instrument instrument : {device::Instrument::bare, device::Instrument::full}) {
      device::PassRequest request(instrument);
      request.gate = gate;
      const auto pass = (*loaded)->run(request, {});
      ASSERT_TRUE(pass) << pass.error().message;
      const auto verified = (*loaded)->verify();
      ASSERT_TRUE(verified) << verified.error().message;
      EXPECT_EQ(*verified, true) << testing::PrintToString(trace::texts((*loaded)->notes()));
    }
  }
}

// Peer access is on for the run that turns it on and off behind it, whether it turned it off or not.
TEST_F(TwoGpus, PeerAccessDoesNotOutliveARun) {
  const program::Program program = tests::program_of(kReaching);
  for (int time = 0; time < 3; ++time) {
    auto loaded = CudaProgram::load(both(), program, {});
    ASSERT_TRUE(loaded) << loaded.error().message;
    for (int pass = 0; pass < 3; ++pass) {
      const auto made = (*loaded)->run(device::Instrument::bare, {});
      ASSERT_TRUE(made) << made.error().message;
    }
  }
}

TEST_F(TwoGpus, WorkOnBothGoesOnAtTheSameTime) {
  const program::Program program =
      tests::program_of("stream A\nstream B device=1\nA: spin 2ms\nB: spin 2ms\nhost: sync A\nhost: sync B\n");
  auto loaded = CudaProgram::load(both(), program, {});
  ASSERT_TRUE(loaded) << loaded.error().message;
  (void)(*loaded)->run(device::Instrument::full, {});
  const auto pass = (*loaded)->run(device::Instrument::full, {});
  ASSERT_TRUE(pass) << pass.error().message;
  const trace::Span &a = pass->spans[0], &b = pass->spans[1];
  EXPECT_LT(std::max(a.start, b.start), std::min(a.end, b.end));
  EXPECT_EQ(a.device, 0u);
  EXPECT_EQ(b.device, 1u);
}

// Attached to this process, CUPTI stays.
class CuptiOnTwoGpus : public TwoGpus {
 protected:
  void SetUp() override {
    TwoGpus::SetUp();
    if (IsSkipped()) return;
    if (const auto can = CuptiRecorder::available(); !can) GTEST_SKIP() << "skipped: " << can.error().message;
  }
};

constexpr std::string_view kStaged = R"(
buffer x 64MiB device=0,1
stream A nonblocking
stream B device=1 nonblocking
A: h2d x[0:32MiB]
A: peer x[0:4KiB]@1 x[0:4KiB]@0
A: peer x[0:1MiB]@1 x[0:1MiB]@0
A: peer x[0:32MiB]@1 x[0:32MiB]@0
B: h2d x[32MiB:32MiB]
B: peer x[32MiB:4KiB]@0 x[32MiB:4KiB]@1
B: peer x[32MiB:1MiB]@0 x[32MiB:1MiB]@1
B: peer x[32MiB:32MiB]@0 x[32MiB:32MiB]@1
host: sync A
host: sync B
A: peer x[0:1MiB]@0 x[0:1MiB]@1
B: peer x[32MiB:1MiB]@1 x[32MiB:1MiB]@0
A: axpb x[0:1MiB] fma=4
B: axpb x[32MiB:1MiB] fma=4
)";
const std::string& direct() {
  static const std::string text = [] {
    std::string staged(kStaged);
    return staged.insert(staged.find("A: h2d"), "host: peer 0 1 on\n");
  }();
  return text;
}

// What an operation of a pass under CUPTI must show.
void expect_recorded(const program::Program& program, const device::Pass& pass) {
  std::vector<Nanoseconds> begins;
  for (const trace::Span& span : pass.spans) begins.push_back(span.host_begin);
  const program::Dependencies dependencies(program, program::issue_order(program, begins));
  for (std::size_t i = 0; i < pass.spans.size(); ++i) {
    if (!reconstruct::expected_activity(program.operations[i])) continue;
    const trace::Span& span = pass.spans[i];
    SCOPED_TRACE(program::describe(program, static_cast<OperationIndex>(i)));
    EXPECT_EQ(span.source, trace::Source::cupti);
    // One that is staged through the host has no start in its records.
    EXPECT_TRUE(span.start_source == trace::Source::cupti || span.kind == OperationKind::peer);
    EXPECT_LT(span.start, span.end);
    EXPECT_GT(span.uncertainty, 0u);
    for (const program::Dependency& on : dependencies.of(static_cast<OperationIndex>(i))) {
      const trace::Span& before = pass.spans[on.on];
      if (before.source != trace::Source::cupti) continue;
      // Times of one device are apart by no clock's tie, those of two by both.
      const bool one_device =
          span.device == before.device && span.kind != OperationKind::peer && before.kind != OperationKind::peer;
      const Nanoseconds doubt = one_device ? 0 : Nanoseconds{span.start_uncertainty} + before.uncertainty;
      EXPECT_GE(span.start + 1'000 + doubt, before.end) << "after " << program::describe(program, on.on);
    }
  }
}

TEST_F(CuptiOnTwoGpus, TimesEveryOperation) {
  for (const std::string_view text : {kMixed, kReaching, kStaged, std::string_view(direct())}) {
    const program::Program program = tests::program_of(text);
    auto loaded = CudaProgram::load(both(), program, {});
    ASSERT_TRUE(loaded) << loaded.error().message;
    for (int i = 0; i < 4; ++i) {
      const auto pass = (*loaded)->run(device::Instrument::cupti, {});
      ASSERT_TRUE(pass) << pass.error().message;
      if (i > 0) expect_recorded(program, *pass);  // the first may meet first times of the driver's and of CUPTI's
    }
    const trace::Trace& frame = (*loaded)->frame();
    ASSERT_EQ(frame.other_devices.size(), 1u);
    EXPECT_NE(frame.other_devices[0].clock.find("CUPTI"), std::string::npos);
    std::printf("the second device's times are off by up to %.2f us\n",
                static_cast<double>(frame.other_devices[0].uncertainty) / 1e3);
    for (const std::string& note : trace::texts((*loaded)->notes())) {
      EXPECT_EQ(note.find("without times"), std::string::npos) << note;
      std::printf("note: %s\n", note.c_str());
    }
    if (HasFailure()) return;
  }
}

TEST_F(CuptiOnTwoGpus, TimesAGatedRun) {
  const program::Program program = tests::program_of(kMixed);
  auto loaded = CudaProgram::load(both(), program, {});
  ASSERT_TRUE(loaded) << loaded.error().message;
  device::PassRequest request(device::Instrument::cupti);
  request.gate = true;
  for (int i = 0; i < 2; ++i) {
    const auto pass = (*loaded)->run(request, {});
    ASSERT_TRUE(pass) << pass.error().message;
    if (i > 0) expect_recorded(program, *pass);
  }
}

// In one pass, across both clocks and CUPTI's: what a kernel stamps lies within what CUPTI says of it, and a copy's end
// is not seen before CUPTI's.
TEST_F(CuptiOnTwoGpus, AgreesWithTheFullInstrumentInTheSamePass) {
  auto recorder = CuptiRecorder::open(both());
  ASSERT_TRUE(recorder) << recorder.error().message;
  for (const std::string_view text : {kMixed, kReaching, kStaged, std::string_view(direct())}) {
    const program::Program program = tests::program_of(text);
    if (!program.graphs.empty()) continue;  // CUPTI was not told of their nodes
    auto loaded = CudaProgram::load(both(), program, {});
    ASSERT_TRUE(loaded) << loaded.error().message;
    for (int round = 0; round < 3; ++round) {
      ASSERT_TRUE((*recorder)->start());
      const auto pass = (*loaded)->run(device::Instrument::full, {});
      const auto recording = (*recorder)->stop();
      ASSERT_TRUE(pass) << pass.error().message;
      ASSERT_TRUE(recording) << recording.error().message;
      ASSERT_EQ(recording->uncertainties.size(), 2u);
      std::vector<device::Observed> theirs(program.operations.size());
      for (std::size_t i = 0; i < theirs.size(); ++i) {
        theirs[i].host_begin = pass->spans[i].host_begin;
        theirs[i].host_end = pass->spans[i].host_end;
      }
      const reconstruct::MatchedActivities matched =
          reconstruct::match_activities(program, recording->records, {}, pass->begin, theirs);
      EXPECT_EQ(matched.missing, 0u);
      EXPECT_EQ(matched.contradicting, 0u);
      std::printf("ties %.2f and %.2f us\n", static_cast<double>(recording->uncertainties[0]) / 1e3,
                  static_cast<double>(recording->uncertainties[1]) / 1e3);
      // Read once here, should a driver record copies between devices in another way.
      for (const reconstruct::Activity& one : recording->records.activities) {
        if (round > 0 || one.kind != reconstruct::Activity::Kind::copy) continue;
        std::printf("  record: correlation %u, device %u, %llu bytes, %lld to %lld ns\n", one.correlation, one.device,
                    static_cast<unsigned long long>(one.bytes), static_cast<long long>(one.start - pass->begin),
                    static_cast<long long>(one.end - pass->begin));
      }
      for (std::size_t i = 0; i < theirs.size(); ++i) {
        if (!known(theirs[i].end)) continue;
        const std::string which = program::describe(program, static_cast<OperationIndex>(i));
        SCOPED_TRACE(which);
        const trace::Span& ours = pass->spans[i];
        const Nanoseconds slack = Nanoseconds{theirs[i].uncertainty} + pass->clock_uncertainty;
        std::printf("  %-32s start %+8.2f us (+-%.2f), end %+8.2f (+-%.2f), CUPTI's +-%.2f\n", which.c_str(),
                    known(theirs[i].start) ? static_cast<double>(ours.start - theirs[i].start) / 1e3 : 0.0,
                    static_cast<double>(ours.start_uncertainty) / 1e3,
                    static_cast<double>(ours.end - theirs[i].end) / 1e3, static_cast<double>(ours.uncertainty) / 1e3,
                    static_cast<double>(theirs[i].uncertainty) / 1e3);
        if (ours.kind == OperationKind::kernel) {
          EXPECT_LE(theirs[i].start, ours.start + slack + ours.start_uncertainty);
          EXPECT_GE(theirs[i].end + slack + ours.uncertainty, ours.end);
        } else {
          EXPECT_LE(theirs[i].end, ours.end + slack + ours.uncertainty);
        }
      }
    }
  }
}

TEST_F(CuptiOnTwoGpus, IsTheRefereeOfTheBarsOfBoth) {
  for (const std::string_view text : {kMixed, kStaged, std::string_view(direct())}) {
    const program::Program program = tests::program_of(text);
    auto loaded = CudaProgram::load(both(), program, {});
    ASSERT_TRUE(loaded) << loaded.error().message;
    const auto run_of = [&](device::Instrument instrument) {
      trace::Run run;
      auto pass = (*loaded)->run(instrument, {});
      EXPECT_TRUE(pass) << pass.error().message;
      if (!pass) return run;
      run.trace = (*loaded)->frame();
      run.trace.spans = std::move(pass->spans);
      return run;
    };
    (void)run_of(device::Instrument::full);
    trace::Run judged = run_of(device::Instrument::full);
    (void)run_of(device::Instrument::cupti);
    std::vector<trace::Run> seen;
    for (int i = 0; i < referee::kPasses; ++i) seen.push_back(run_of(device::Instrument::cupti));
    referee::judge(judged, referee::opinion_of(seen));
    ASSERT_TRUE(judged.referee);
    // All that CUPTI records, but for copies staged through the host, of which it tells the end alone.
    std::uint64_t comparable = 0;
    for (std::size_t i = 0; i < program.operations.size(); ++i) {
      const trace::Span& span = seen.front().trace.spans[i];
      const bool has_both = span.start_source == trace::Source::cupti;
      const bool expected = reconstruct::expected_activity(program.operations[i]).has_value();
      const bool staged = span.kind == OperationKind::peer && text != direct();
      EXPECT_TRUE(has_both || !expected || staged) << i;
      comparable += has_both ? 1 : 0;
    }
    EXPECT_EQ(judged.referee->compared, comparable);
    std::printf("%llu of %llu bars contradicted\n", static_cast<unsigned long long>(judged.referee->contradicted),
                static_cast<unsigned long long>(judged.referee->compared));
    for (const std::string& note : trace::texts(judged.notes)) std::printf("note: %s\n", note.c_str());
  }
}

}  // namespace
}  // namespace streamscope::cuda

// Two GPUs at once: the data that moves between them is right, the times keep CUDA's order across both clocks, and what
// fails on one is told.
#include <gmock/gmock.h>

#include "engine/base/files.h"
#include "engine/experiment/build.h"
#include "engine/experiment/experiment_file.h"
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

}  // namespace
}  // namespace streamscope::cuda

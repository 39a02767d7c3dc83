// The data is what the CPU computes, and a wrong byte is seen.
#include <cuda_runtime_api.h>

#include <cstring>

#include "engine/device/cuda/verify/reference.h"
#include "engine/experiment/build.h"
#include "engine/experiment/experiment.h"
#include "tests/gpu/gpu.h"

namespace streamscope::cuda {
namespace {

TEST_F(Gpu, PipelinesOfEverySortAreVerified) {
  for (const program::HostMemory host :
       {program::HostMemory::pinned, program::HostMemory::pageable, program::HostMemory::write_combined}) {
    for (const experiment::Mode mode : {experiment::Mode::async, experiment::Mode::sync}) {
      experiment::Experiment experiment;
      experiment.bytes = 16 << 20;
      experiment.chunk = 1 << 20;
      experiment.host = host;
      experiment.mode = mode;
      EXPECT_EQ(verdict_on(context(), experiment::build(experiment)), true) << experiment::build(experiment);
    }
  }
}

TEST_F(Gpu, OddRangesAndEveryWriterAreVerified) {
  EXPECT_EQ(verdict_on(context(), R"(
buffer x 1000003
buffer y 1000003 host=pageable
stream A
A: h2d x[1:777777]
A: axpb x[4:400] fma=5
A: axpb x[8:999992] fma=3 blocks=3 threads=33
A: axpb x[12:4] fma=1
A: memset x[500:3001] 200
A: d2d y[3:500000] x[100:500000]
A: axpb y[0:1000000] fma=2
A: d2h y
A: d2h x[17:65536]
host: memcpy h2d y[5:70000]
host: memcpy d2h x
host: touch x
)",
                       3),
            true);
}

TEST_F(Gpu, ALongChainIsVerified) {
  EXPECT_EQ(verdict_on(context(), "buffer x 1MiB\nstream A\nA: h2d x\nA: axpb x fma=20000\nA: d2h x\n"), true);
}

TEST_F(Gpu, AWrongByteOnEitherSideIsSeen) {
  const program::Program program = tests::program_of(
      "buffer x 40MiB\nbuffer w 1MiB host=write-combined\nstream A\nA: h2d x\nA: axpb x fma=4\n"
      "A: d2h x\nA: h2d w\n");
  auto loaded = load(program);
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto right_after = [&](auto tamper) {
    EXPECT_TRUE((*loaded)->run(device::Instrument::full, {}));
    tamper();
    auto right = (*loaded)->verify();
    EXPECT_TRUE(right);
    return right ? *right : std::nullopt;
  };
  const BufferId x{0}, w{1};
  EXPECT_EQ(right_after([] {}), true);
  EXPECT_EQ(right_after([&] { (*loaded)->host_side(x)[(40 << 20) - 1] ^= 1; }), false);
  EXPECT_EQ(right_after([&] { EXPECT_EQ(cudaMemset((*loaded)->device_side(x) + (33 << 20), 0x55, 1), cudaSuccess); }),
            false);
  EXPECT_EQ(right_after([&] { (*loaded)->host_side(w)[12345] ^= 1; }), false);
  // What was wrong once is right again after the next run: the start is the same each time, but for what no run writes.
  (*loaded)->host_side(w)[12345] ^= 1;
  EXPECT_EQ(right_after([] {}), true);
}

TEST_F(Gpu, ARaceLeavesNothingToVerifyAndIsNamed) {
  const program::Program program = tests::program_of("buffer x 1MiB\nstreams S 2 nonblocking\nS0: h2d x\nS1: d2h x\n");
  auto loaded = load(program);
  ASSERT_TRUE(loaded) << loaded.error().message;
  ASSERT_TRUE((*loaded)->run(device::Instrument::bare, {}));
  const auto right = (*loaded)->verify();
  ASSERT_TRUE(right) << right.error().message;
  EXPECT_FALSE(right->has_value());
  ASSERT_EQ((*loaded)->notes().size(), 1u);
  EXPECT_NE((*loaded)->notes()[0].text.find("not determined"), std::string::npos) << (*loaded)->notes()[0].text;
}

TEST_F(Gpu, ProgramsWithoutDataHaveNothingToVerify) {
  EXPECT_EQ(verdict_on(context(), "stream A\nA: spin 1us\n"), std::nullopt);
  EXPECT_EQ(verdict_on(context(), "host: malloc t 1MiB\nstream A\nA: memset t 1\nhost: sync A\nhost: free t\n"),
            std::nullopt);
}

TEST_F(Gpu, MemoryMadeInTheRunCountsOnceItIsWritten) {
  EXPECT_EQ(verdict_on(context(), R"(
buffer x 1MiB
stream A
host: malloc t 1MiB
A: memset t[0:4096] 1
A: d2d x[0:4096] t[0:4096]
A: d2h x
host: sync A
host: free t
)"),
            true);
}

}  // namespace
}  // namespace streamscope::cuda

// A program's own kernel on a model: what its launch says stands in for it, and the run says so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/measure/measure.h"
#include "tests/support/open_device.h"
#include "tests/support/program_of.h"

namespace streamscope::model {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

trace::Run run_own(const std::string& statements) {
  const program::Program program = tests::program_of(
      "kernel mine \"nowhere.cu\" (float* y, const float* x, int n)\nbuffer x 64MiB\nbuffer y 64MiB\n"
      "stream A nonblocking\n" +
      statements);
  auto device = tests::open_device("model:h200");
  EXPECT_TRUE(device) << device.error().message;
  auto run = measure::measure(**device, program, {}, {});
  EXPECT_TRUE(run) << run.error().message;
  return std::move(*run);
}

Nanoseconds lasted(const trace::Run& run, std::size_t i) { return run.trace.spans[i].end - run.trace.spans[i].start; }

TEST(OwnKernelOnTheModel, ALaunchTakesWhatItSays) {
  const trace::Run run = run_own(
      "A: mine y x 5 blocks=1 time=50us\nA: mine y x 5 blocks=1000 time=50us\n"
      "A: mine y x 5 blocks=20000 threads=1024 time=3ms registers=64\n"
      "A: mine y x 5 blocks=4096 time=9us\n");
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}})
    EXPECT_NEAR(static_cast<double>(lasted(run, i)), 50e3, 2e3);
  EXPECT_NEAR(static_cast<double>(lasted(run, 2)), 3e6, 15e4);
  EXPECT_NEAR(static_cast<double>(lasted(run, 3)), 9e3, 1e3) << "four waves";
  EXPECT_THAT(trace::texts(run.notes), Contains(HasSubstr("a launch takes the 50")));
  EXPECT_EQ(run.trace.names[run.trace.spans[0].name], "mine");
}

TEST(OwnKernelOnTheModel, WithoutATimeItMovesItsRangesOnce) {
  const trace::Run run = run_own("A: mine y x 5 blocks=1000\nA: mine y[0:32MiB] x[0:32MiB] 5 blocks=1000\n");
  EXPECT_NEAR(static_cast<double>(lasted(run, 0)) / static_cast<double>(lasted(run, 1)), 2, 0.2);
  EXPECT_GT(lasted(run, 0), 20'000) << "128 MiB at 4 TB/s";
  EXPECT_LT(lasted(run, 0), 80'000);
  EXPECT_THAT(trace::texts(run.notes), Contains(HasSubstr("as long as moving its ranges once")));
}

TEST(OwnKernelOnTheModel, ItsSharedMemoryAndRegistersDecideHowManyBlocksFit) {
  const trace::Run run = run_own(
      "A: mine y x 5 blocks=1 threads=1024 registers=32 time=50us\n"
      "A: mine y x 5 blocks=1 threads=1024 registers=64 time=50us\n"
      "A: mine y x 5 blocks=1 threads=128 smem=100KiB time=50us\n");
  ASSERT_EQ(run.trace.launches.size(), 3u);
  EXPECT_EQ(run.trace.launches[0].blocks_at_once, 2u);
  EXPECT_EQ(run.trace.launches[1].blocks_at_once, 1u);
  EXPECT_EQ(run.trace.launches[2].blocks_at_once, 2u);
}

}  // namespace
}  // namespace streamscope::model

// A stop asked for at every call in turn: the run ends as cancelled, or whole where it came too late, and the next is
// whole.
#include <algorithm>

#include "engine/base/stop_source.h"
#include "engine/program/read_program.h"
#include "tests/engine/cuda/contract.h"

namespace streamscope::cuda {
namespace {

class Stop : public contract::Contract {};

TEST_P(Stop, AtEveryCallInTurn) {
  std::size_t cancelled = 0;
  fresh();
  {
    const cuda::Gpus gpus = contract::opened_for(program_);
    for (std::size_t nth = 1;; ++nth) {
      SCOPED_TRACE("stop at call " + std::to_string(nth));
      const auto loaded = CudaProgram::load(gpus, program_, {});
      ASSERT_TRUE(loaded) << loaded.error().message;
      StopSource source;
      bool reached = false;
      fake_cuda::at_call(fake_cuda::calls() + nth, [&] {
        reached = true;
        source.request_stop();
      });
      const auto pass = (*loaded)->run(request(), {source.flag(), {}});
      fake_cuda::forget_orders();
      contract::expect_nothing_held();
      if (!pass) {
        EXPECT_EQ(pass.error().kind, ErrorKind::cancelled) << pass.error().message;
        ++cancelled;
      }
      EXPECT_TRUE(pass || reached);
      const auto again = (*loaded)->run(request(), {});
      EXPECT_TRUE(again) << again.error().message;
      const auto verified = (*loaded)->verify();
      EXPECT_TRUE(verified && *verified == true);
      if (HasFailure()) return;
      if (!reached) break;
    }
  }
  contract::expect_nothing_left();
  const auto issued =
      std::count_if(program_.operations.begin(), program_.operations.end(),
                    [](const program::Operation& operation) { return operation.launch == kNoOperation; });
  EXPECT_GE(cancelled, static_cast<std::size_t>(issued) / 2);
}

TEST_P(Stop, BeforeTheRunNothingIsIssued) {
  fresh();
  StopSource source;
  source.request_stop();
  contract::Way way = contract::go(contract::opened_for(program_), program_, request(), 1, {source.flag(), {}});
  ASSERT_TRUE(way.error);
  EXPECT_EQ(way.error->kind, ErrorKind::cancelled);
  EXPECT_EQ(fake_cuda::first_failure(), std::nullopt);
}

STREAMSCOPE_CONTRACT(Stop);

// Long spins and long host work end early on the fake's clock too.
TEST(StopOfLongWork, EndsSpinsAndHostWork) {
  fake_cuda::reset();
  auto read = program::read_program(
      "stream A nonblocking\nrepeat 20 {\nA: spin 900ms\n}\nA: hostfn 5ms\nhost: work 10ms\n", "test");
  ASSERT_TRUE(read);
  const auto context = contract::opened();
  ASSERT_TRUE(context);
  const auto loaded = CudaProgram::load(context, read->program, {});
  ASSERT_TRUE(loaded) << loaded.error().message;
  StopSource source;
  fake_cuda::at_call("cudaDeviceSynchronize", 1, [&] { source.request_stop(); });
  const Nanoseconds began = fake_cuda::host_clock();
  const auto pass = (*loaded)->run(device::Instrument::full, {source.flag(), {}});
  ASSERT_FALSE(pass);
  EXPECT_EQ(pass.error().kind, ErrorKind::cancelled);
  EXPECT_LT(fake_cuda::host_clock() - began, 1'000'000'000) << "spins of 18 s did not end early";
}

}  // namespace
}  // namespace streamscope::cuda

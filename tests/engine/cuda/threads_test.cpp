// Several host threads issue concurrently: whatever fails in any of them, all end and the first error is reported.
#include <cuda_runtime_api.h>

#include "engine/base/stop_source.h"
#include "tests/engine/cuda/contract.h"

namespace streamscope::cuda {
namespace {

constexpr contract::Subject kSideBySide{"SideBySide", R"(
buffer x 8KiB
buffer y 8KiB
streams S 2
graph G on S0 {
  S0: spin 3us
}
graph H on S1 {
  S1: spin 3us
}
thread T {
  repeat 4 {
    per-thread: h2d y
    per-thread: axpb y fma=1
    S1: launch H
    per-thread: d2h y
    host: sync per-thread
  }
}
thread U {
  S1: spin 2us
  host: poll S1 every=1us
}
repeat 4 {
  S0: h2d x
  S0: launch G
  S0: d2h x
  host: sync S0
}
host: join U
host: join T
)"};

class Threads : public testing::Test {
 protected:
  void SetUp() override {
    fake_cuda::reset();
    fake_cuda::threads_issue(true);
    program_ = contract::program_of(kSideBySide);
    context_ = contract::opened();
    ASSERT_TRUE(context_);
    auto loaded = CudaProgram::load(context_, program_, {});
    ASSERT_TRUE(loaded) << loaded.error().message;
    loaded_ = std::move(*loaded);
  }
  void TearDown() override {
    contract::expect_nothing_held();
    loaded_.reset();
    context_.reset();
    contract::expect_nothing_left();
  }
  program::Program program_;
  std::shared_ptr<CudaContext> context_;
  std::unique_ptr<CudaProgram> loaded_;
};

TEST_F(Threads, RunAgainAndAgain) {
  for (int i = 0; i < 200; ++i) {
    const auto pass = loaded_->run(i % 2 == 0 ? device::Instrument::full : device::Instrument::bare, {});
    ASSERT_TRUE(pass) << pass.error().message;
    for (const trace::Span& span : pass->spans) {
      ASSERT_TRUE(known(span.host_begin) && known(span.start) && known(span.end)) << span.operation;
      ASSERT_LE(span.start, span.end) << span.operation;
    }
  }
}

TEST_F(Threads, AFailureInAnyOfThemEndsTheRun) {
  for (const char* const call : {"cudaMemcpyAsync", "kernels::spin", "kernels::axpb", "cudaGraphLaunch",
                                 "cudaStreamSynchronize", "cudaStreamQuery", "cudaSetDevice"}) {
    for (const std::size_t nth : {1, 2, 3, 5}) {
      SCOPED_TRACE(testing::Message() << call << " " << nth);
      // Not the calls that make the run ready: those of the first are few.
      fake_cuda::fail_call(call, nth, cudaErrorUnknown);
      const auto pass = loaded_->run(device::Instrument::bare, {});
      fake_cuda::forget_orders();
      if (!pass) {
        EXPECT_EQ(pass.error().kind, ErrorKind::device_failed) << pass.error().message;
        ASSERT_TRUE(pass.error().fault) << pass.error().message;
        EXPECT_EQ(pass.error().fault->name, "cudaErrorUnknown");
      }
      const auto again = loaded_->run(device::Instrument::full, {});
      ASSERT_TRUE(again) << again.error().message;
    }
  }
}

TEST_F(Threads, AStopAtAnyCallEndsThemAll) {
  for (std::size_t nth = 1; nth < 120; nth += 3) {
    StopSource source;
    fake_cuda::at_call(fake_cuda::calls() + nth, [&] { source.request_stop(); });
    const auto pass = loaded_->run(device::Instrument::full, {source.flag(), {}});
    fake_cuda::forget_orders();
    if (!pass) {
      EXPECT_EQ(pass.error().kind, ErrorKind::cancelled) << pass.error().message;
    }
    const auto again = loaded_->run(device::Instrument::bare, {});
    ASSERT_TRUE(again) << again.error().message;
  }
}

TEST_F(Threads, AreWatchedFromBeside) {
  loaded_.reset();
  context_ = contract::opened(8);
  ASSERT_TRUE(context_);
  auto loaded = CudaProgram::load(context_, program_, {});
  ASSERT_TRUE(loaded) << loaded.error().message;
  loaded_ = std::move(*loaded);
  for (int i = 0; i < 50; ++i) {
    const auto pass = loaded_->run(device::Instrument::full, {{}, [](std::span<const trace::Span>) {}});
    ASSERT_TRUE(pass) << pass.error().message;
  }
}

}  // namespace
}  // namespace streamscope::cuda

// The thread that looks on while a run goes on: what it sends is final, and its failures are nobody's.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "tests/engine/cuda/contract.h"

namespace streamscope::cuda {
namespace {

// Long enough on the fake's clock that spans settle before the last operation.
constexpr contract::Subject kLong{"Long", R"(
buffer x 4KiB
streams S 2 nonblocking
repeat 4 as i {
  S{i%2}: h2d x[{i}KiB:1KiB]
  S{i%2}: spin 3ms
  S{i%2}: d2h x[{i}KiB:1KiB]
  S{i%2}: hostfn 10us
  S{i%2}: record e
  host: sync e
}
)"};

// Something another thread does, and a wait for it that has an end.
class Signal {
 public:
  void set() {
    const std::lock_guard lock(mutex_);
    is_set_ = true;
    changed_.notify_all();
  }
  bool wait() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), [&] { return is_set_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_set_ = false;
};

// One that a gate can hold.
constexpr contract::Subject kLongHeld{"LongHeld", R"(
buffer x 4KiB
streams S 2 nonblocking
repeat 4 as i {
  S{i%2}: h2d x[{i}KiB:1KiB]
  S{i%2}: spin 3ms
  S{i%2}: d2h x[{i}KiB:1KiB]
}
)"};

// The run stands still at its last synchronisation until a batch has come, with most of its work behind it.
void expect_sent_is_final(const contract::Subject& subject, const device::PassRequest& request, unsigned cores) {
  SCOPED_TRACE(testing::Message() << subject.name << " on " << cores << " cores");
  fake_cuda::reset();
  const program::Program program = contract::program_of(subject);
  Signal sent_some;
  bool sent_in_time = false;
  std::vector<trace::Span> sent;
  {
    const auto context = contract::opened(cores);
    ASSERT_TRUE(context);
    auto loaded = CudaProgram::load(context, program, {});
    ASSERT_TRUE(loaded) << loaded.error().message;
    fake_cuda::at_call("cudaDeviceSynchronize", 1, [&] {
      for (int i = 0; i < 50'000; ++i) fake_cuda::host_clock();  // 5 ms
      sent_in_time = sent_some.wait();
    });
    const auto pass = (*loaded)->run(request, {{}, [&](std::span<const trace::Span> batch) {
                                                 sent.insert(sent.end(), batch.begin(), batch.end());
                                                 sent_some.set();
                                               }});
    ASSERT_TRUE(pass) << pass.error().message;
    EXPECT_TRUE(sent_in_time);
    EXPECT_FALSE(sent.empty());
    for (const trace::Span& span : sent) EXPECT_TRUE(span == pass->spans.at(span.operation)) << span.operation;
    contract::expect_nothing_held();
  }
  contract::expect_nothing_left();
}

TEST(Live, SpansSentAheadAreFinal) {
  for (const unsigned cores : {2u, 8u}) expect_sent_is_final(kLong, device::Instrument::full, cores);
}

TEST(Live, SpansSentAheadOfAGatedRunAreFinal) {
  device::PassRequest gated(device::Instrument::full);
  gated.gate = true;
  for (const unsigned cores : {2u, 8u}) expect_sent_is_final(kLongHeld, gated, cores);
}

// The looking thread's calls fail one after the other: the run itself is whole.
TEST(Live, ALookThatFailsIsNotTheRunsFailure) {
  const program::Program program = contract::program_of(kLong);
  for (const char* const call : {"cudaStreamQuery", "cudaEventQuery", "cudaEventElapsedTime"}) {
    SCOPED_TRACE(call);
    fake_cuda::reset();
    {
      const auto context = contract::opened();
      ASSERT_TRUE(context);
      auto loaded = CudaProgram::load(context, program, {});
      ASSERT_TRUE(loaded) << loaded.error().message;
      // Only the looking thread makes this call while the run stands still, with a spin under way.
      bool looked = false;
      Signal seen;
      fake_cuda::at_call("cudaEventSynchronize", 1, [&] {
        fake_cuda::fail_call(call, 1, cudaErrorUnknown);
        fake_cuda::at_call(call, 1, [&] { seen.set(); });
        for (int i = 0; i < 1000; ++i) fake_cuda::host_clock();  // the copy before the spin ends, the spin does not
        looked = seen.wait();
      });
      const auto pass = (*loaded)->run(device::Instrument::full, {{}, [](std::span<const trace::Span>) {}});
      EXPECT_TRUE(pass) << pass.error().message;
      EXPECT_TRUE(looked);
      ASSERT_TRUE((*loaded)->verify());
      contract::expect_nothing_held();
    }
    contract::expect_nothing_left();
  }
}

}  // namespace
}  // namespace streamscope::cuda

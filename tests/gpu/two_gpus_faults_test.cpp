// Faults on one of two GPUs, fifty of each kind on each: what the failing program is told of both, that both are usable
// right behind it, and that neither other processes on the same GPUs nor their memory suffer.
#include <array>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <optional>
#include <thread>

#include "tests/gpu/gpu.h"
#include "tests/support/two_device_faults.h"

namespace streamscope::cuda {
namespace {

class TwoGpusFaults : public Gpu, public testing::WithParamInterface<tests::FaultOfTwo> {
 protected:
  void SetUp() override {
    Gpu::SetUp();
    if (IsSkipped()) return;
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices < 2) GTEST_SKIP() << "skipped: no second GPU";
  }
};

// Bytes that are free on each; on both GPUs contexts of this process have been made by then.
std::array<std::size_t, 2> free_on_both() {
  std::array<std::size_t, 2> free{};
  for (int device = 1; device >= 0; --device) {
    std::size_t total = 0;
    EXPECT_EQ(cudaSetDevice(device), cudaSuccess);
    EXPECT_EQ(cudaMemGetInfo(&free[static_cast<std::size_t>(device)], &total), cudaSuccess);
  }
  return free;
}

// By five engines side by side: what one's program does to its own process is nothing to the others.
TEST_P(TwoGpusFaults, FiftyInARowAreToldAndBothGpusWorkBehindEach) {
  constexpr std::size_t kEngines = 5, kEach = 10;
  const tests::FaultOfTwo fault = GetParam();
  const std::array<std::size_t, 2> free_before = free_on_both();
  const auto began = std::chrono::steady_clock::now();
  using Runs = Result<std::vector<trace::Run>>;
  std::array<std::optional<Runs>, kEngines> all;
  {
    std::vector<std::jthread> engines;
    for (std::optional<Runs>& runs : all) {
      engines.emplace_back([&runs, fault] {
        runs = remote::run_in_own_process(tests::faults_and_work("cuda:0", fault, kEach), {}, {STREAMSCOPE_PROGRAM});
      });
    }
  }
  std::size_t went_on = 0;
  std::vector<Nanoseconds> told_after;
  for (std::size_t engine = 0; engine < kEngines; ++engine) {
    const Runs& runs = *all[engine];
    ASSERT_TRUE(runs) << runs.error().message;
    ASSERT_EQ(runs->size(), 2 * kEach) << "none is lost";
    for (std::size_t i = 0; i < kEach; ++i) {
      SCOPED_TRACE("engine " + std::to_string(engine) + ", fault " + std::to_string(i));
      const trace::Run& failed = (*runs)[2 * i];
      tests::expect_failed(failed, fault);
      tests::expect_worked((*runs)[2 * i + 1], true);
      if (HasFailure()) return;
      for (const std::size_t before : {0, 3}) EXPECT_EQ(failed.trace.spans[before].source, trace::Source::stamp);
      went_on += failed.trace.spans[2].source == trace::Source::stamp;
      if (const auto left = trace::sticky_error(failed.trace)) told_after.push_back(left->told - left->failed);
    }
  }
  const std::array<std::size_t, 2> free_after = free_on_both();
  for (const std::size_t device : {0, 1}) {
    EXPECT_GE(free_after[device] + (64u << 20), free_before[device]) << "memory of device " << device << " is lost";
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  std::printf(
      "%s on GPU %d: %zu faults and as many runs of both between them in %.1f s; the other GPU's kernel was seen "
      "to its end in %zu\n",
      fault.is().name, fault.device, kEngines * kEach, took.count(), went_on);
  if (!told_after.empty()) {
    std::ranges::sort(told_after);
    std::printf("  told after %.1f to %.1f ms\n", static_cast<double>(told_after.front()) / 1e6,
                static_cast<double>(told_after.back()) / 1e6);
  }
}

INSTANTIATE_TEST_SUITE_P(Each, TwoGpusFaults, testing::ValuesIn(tests::all_faults_of_two()), tests::name_of);

}  // namespace
}  // namespace streamscope::cuda

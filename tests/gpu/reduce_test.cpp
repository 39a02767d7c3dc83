// reduce on a GPU, to the bit: what its host side launches, and stream programs through verification.
#include "kernels/reduce/reduce.h"

#include <cuda_runtime_api.h>

#include <random>

#include "kernels/cuda_kernel.h"
#include "tests/gpu/gpu.h"

namespace streamscope::cuda {
namespace {

struct ReduceKernel : Gpu {
  static constexpr std::uint64_t kMost = 40'000'000, kMostBlocks = 100'000, kGuard = 64;  // elements

  void SetUp() override {
    Gpu::SetUp();
    if (IsSkipped()) return;
    ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&data_), (kMost + 8) * 4), cudaSuccess);
    ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&sums_), (kMostBlocks + 2 * kGuard) * 4), cudaSuccess);
    // Every bit is random: a word too many or too few, or a carry that is lost, changes the sum.
    host_.resize(kMost + 8);
    std::mt19937 random(20261124);
    for (std::uint32_t& one : host_) one = random();
    ASSERT_EQ(cudaMemcpy(data_, host_.data(), host_.size() * 4, cudaMemcpyHostToDevice), cudaSuccess);
  }
  void TearDown() override {
    cudaFree(data_);
    cudaFree(sums_);
  }

  static int launch(std::uint32_t* sums, const std::uint32_t* data, std::uint64_t count,
                    const kernels::ReduceOptions& options, const kernels::StampTo& stamp) {
    const auto reduce = kernels::reduce_launcher(options);
    if (const int code = reduce->prepare(0); code != cudaSuccess) return code;
    return reduce->launch({reinterpret_cast<char*>(sums), reinterpret_cast<const char*>(data), 4 * count}, stamp, {},
                          nullptr);
  }

  // Against a sum of its own and not the reference's; what lies around the sums must stay.
  void check(std::uint64_t begin, std::uint64_t count, std::uint32_t blocks, std::uint32_t threads,
             const kernels::StampTo& stamp = nullptr) {
    SCOPED_TRACE(testing::Message() << count << " from " << begin << " blocks " << blocks << " threads " << threads);
    ASSERT_LE(begin + count, host_.size());
    ASSERT_LE(blocks, kMostBlocks);
    const std::uint64_t all = blocks + 2 * kGuard;
    ASSERT_EQ(cudaMemset(sums_, 0xA5, all * 4), cudaSuccess);
    ASSERT_EQ(launch(sums_ + kGuard, data_ + begin, count, {blocks, threads}, stamp), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    std::vector<std::uint32_t> found(all), expected(all, 0xA5A5A5A5u);
    ASSERT_EQ(cudaMemcpy(found.data(), sums_, all * 4, cudaMemcpyDeviceToHost), cudaSuccess);
    const std::uint64_t share = ((count + 31) / 32 + blocks - 1) / blocks * 32;
    for (std::uint32_t block = 0; block < blocks; ++block) {
      std::uint32_t sum = 0;
      for (std::uint64_t i = block * share; i < std::min(count, (block + 1) * share); ++i) sum += host_[begin + i];
      expected[kGuard + block] = sum;
    }
    for (std::uint64_t i = 0; i < all; ++i) {
      ASSERT_EQ(found[i], expected[i]) << "sum " << static_cast<std::int64_t>(i) - static_cast<std::int64_t>(kGuard);
    }
  }

  std::uint32_t* data_ = nullptr;
  std::uint32_t* sums_ = nullptr;
  std::vector<std::uint32_t> host_;
};

TEST_F(ReduceKernel, EveryAlignmentAtSizesAroundItsSteps) {
  for (const std::uint32_t threads : {32u, 96u, 256u, 1024u}) {
    const std::uint64_t step = std::uint64_t{threads} * kernels::kReduceLoads * 4;
    for (const std::uint32_t blocks : {1u, 2u, 5u}) {
      for (const std::uint64_t count :
           {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{5}, std::uint64_t{31}, std::uint64_t{33}, step - 1, step,
            step + 1, 3 * step + 7, blocks * step, 2 * blocks * step + 32}) {
        for (std::uint64_t begin = 0; begin < 5; ++begin) check(begin, count, blocks, threads);
        if (HasFailure()) return;
      }
    }
  }
}

TEST_F(ReduceKernel, LargeDataAndManyBlocks) {
  for (const std::uint32_t blocks : {1u, 132u, 264u, 1000u, 4096u, 100'000u}) {
    for (const std::uint32_t threads : {32u, 256u, 1024u}) {
      check(0, kMost, blocks, threads);
      check(3, kMost - 13, blocks, threads);
      check(1, 3, blocks, threads);
    }
  }
}

TEST_F(ReduceKernel, AnythingAtRandom) {
  std::mt19937 random(20261125);
  for (int i = 0; i < 300 && !HasFailure(); ++i) {
    const std::uint64_t begin = random() % 8, count = 1 + random() % (std::uint64_t{1} << (5 + random() % 20));
    check(begin, count, 1 + random() % 2000, 32 * (1 + random() % 32));
  }
}

TEST_F(ReduceKernel, StampsItsTimeAndWritesNoSumsWhereThereIsNoPlace) {
  kernels::Stamp* stamp = nullptr;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&stamp), sizeof *stamp), cudaSuccess);
  for (const std::uint64_t count : {std::uint64_t{0}, kMost}) {
    ASSERT_EQ(kernels::reset_stamps(stamp, 1, nullptr), cudaSuccess);
    if (count == 0) {
      ASSERT_EQ(launch(nullptr, nullptr, 0, {1, 32}, stamp), cudaSuccess);
    } else {
      check(0, count, 264, 256, stamp);
    }
    kernels::Stamp found{};
    ASSERT_EQ(cudaMemcpy(&found, stamp, sizeof found, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_LE(found.start, found.end);
    EXPECT_LT(found.end - found.start, 1'000'000'000u);
  }
  cudaFree(stamp);
}

struct ProvokedReduceErrors : ReduceKernel {};

TEST_F(ProvokedReduceErrors, ABlockOfTooManyThreadsIsNotLaunched) {
  EXPECT_NE(launch(sums_, data_, 1, {1, 2048}, nullptr), cudaSuccess);
  EXPECT_NE(cudaGetLastError(), cudaSuccess) << "which is the thread's last error, as CUDA has it";
}

TEST_F(Gpu, ReduceInStreamProgramsIsVerified) {
  EXPECT_EQ(verdict_on(context(), R"(
buffer x 64MiB
buffer y 16896
streams S 4 nonblocking
repeat 16 as i {
  S{i%4}: h2d x[{i*4}MiB:4MiB]
  S{i%4}: reduce y[{i*1056}:1056] from x[{i*4}MiB:4MiB]
  S{i%4}: d2h y[{i*1056}:1056]
}
)"),
            true);
  EXPECT_EQ(verdict_on(context(), R"(
buffer x 1000004
buffer y 8KiB host=pageable
buffer m 64KiB host=managed
buffer p 4KiB host=mapped
stream A
A: h2d x
A: axpb x fma=3
A: reduce y[4:28] from x[8:999988] blocks=7 threads=96
A: reduce y[1024:4] from x[12:4] blocks=1 threads=1024
A: reduce p[0:400] from m[4:60000] blocks=100 threads=32
A: reduce m[60004:4] from p[0:400] blocks=1
A: reduce x[0:8] from y[0:4096] blocks=2
A: d2h y
A: d2h x
)"),
            true);
  EXPECT_EQ(verdict_on(context(), R"(
buffer x 8MiB
buffer y 1056
stream A
graph G on A {
  A: h2d x
  A: reduce y from x
  A: d2h y
}
A: launch G
A: launch G
A: launch G
)"),
            true);
}

}  // namespace
}  // namespace streamscope::cuda

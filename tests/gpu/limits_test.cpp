// What the device cannot do is refused by line; what fails on it says which call, which code and what for; nothing
// leaks.
#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <chrono>
#include <fstream>

#include "engine/device/cuda/runtime/cuda_error.h"
#include "engine/device/cuda/runtime/limits.h"
#include "tests/gpu/gpu.h"
#include "tests/support/every_word.h"

namespace streamscope::cuda {
namespace {

device::DeviceInfo h200() {
  device::DeviceInfo info;
  info.name = "NVIDIA H200";
  info.memory_bytes = 139ull << 30;
  info.multiprocessors = 132;
  return info;
}

std::string refused(std::string_view text, device::LoadOptions options = {}, std::uint64_t free_bytes = 100ull << 30) {
  const auto wrong = beyond_device(tests::program_of(text), h200(), free_bytes, 505, options);
  return wrong ? wrong->message : "";
}

TEST(BeyondDevice, NamesTheLineOfAKernelThatIsTooLong) {
  const std::string spin = "stream A\nA: spin 1s\nA: spin 1001ms\n";
  EXPECT_NE(refused(spin).find("line 3"), std::string::npos) << refused(spin);
  EXPECT_EQ(refused(spin).find("line 2"), std::string::npos) << refused(spin);
  EXPECT_EQ(refused(spin, {true}), "");
  const std::string axpb = "buffer x 64MiB\nstream A\nA: axpb x fma=64\nA: axpb x fma=2000000000\n";
  EXPECT_NE(refused(axpb).find("line 4"), std::string::npos) << refused(axpb);
  EXPECT_EQ(refused(axpb).find("line 3"), std::string::npos) << refused(axpb);
  EXPECT_EQ(refused(axpb, {true}), "");
}

TEST(BeyondDevice, CountsTheTilesOfABlockOneAfterTheOther) {
  const std::string x = "buffer x 1GiB\nstream A\n";
  EXPECT_EQ(refused(x + "A: tiles x fma=1000\n"), "");
  // A tile of 16 bytes keeps one thread busy.
  EXPECT_NE(refused(x + "A: tiles x fma=10000 tile=16\n").find("line 3: tiles takes about"), std::string::npos);
  EXPECT_EQ(refused(x + "A: tiles x fma=10000 tile=16\n", {true}), "");
}

// Refused by name, with what it needs, or how many fit; in a graph, too.
TEST(Lacking, WhatTilesNeedAndTheDeviceHasNot) {
  CudaContext poor;
  poor.info.name = "a GPU";
  poor.info.compute_capability = "7.5";
  poor.shared_bytes_limit = 64 << 10;
  const auto refusal = [&](const std::string& tiles) {
    return lacking(tests::program_of("buffer x 1MiB\nstream A\n" + tiles), poor).value_or("");
  };
  EXPECT_EQ(refusal("A: tiles x fma=1 copy=pipeline\n"), "");
  EXPECT_NE(refusal("A: tiles x fma=1\n").find("line 3: copy=cp.async needs compute capability 8.0"),
            std::string::npos);
  const std::string bulk = refusal("graph G on A {\n  A: tiles x fma=1 copy=bulk\n}\nA: launch G\n");
  EXPECT_NE(bulk.find("copy=bulk needs compute capability 9.0"), std::string::npos) << bulk;
  EXPECT_NE(bulk.find("a GPU has 7.5"), std::string::npos) << bulk;
  const std::string many = refusal("A: tiles x fma=1 copy=pipeline tile=16KiB stages=4\n");
  EXPECT_NE(many.find("line 3: tiles takes 65616 bytes of shared memory"), std::string::npos) << many;
  EXPECT_NE(many.find("3 stages fit"), std::string::npos) << many;
  const std::string large = refusal("A: tiles x fma=1 copy=pipeline tile=128KiB stages=1\n");
  EXPECT_NE(large.find("not one stage fits"), std::string::npos) << large;
}

// 132 multiprocessors hold 16 blocks of 128 threads each at once: 2112 blocks are one wave, one more begins a second.
TEST(BeyondDevice, CountsTheWavesOfASpin) {
  EXPECT_EQ(refused("stream A\nA: spin 900ms blocks=2112\n"), "");
  const std::string second = refused("stream A\nA: spin 900ms blocks=2113\n");
  EXPECT_NE(second.find("line 2: spin takes about 1.8 s"), std::string::npos) << second;
  EXPECT_NE(second.find("--long-kernels"), std::string::npos) << second;
  EXPECT_NE(refused("stream A\nA: spin 900ms blocks=100000\n").find("43.2 s"), std::string::npos);
  EXPECT_EQ(refused("stream A\nA: spin 900ms blocks=100000\n", {true}), "");
  EXPECT_EQ(refused("stream A\nA: spin 1us blocks=100000\n"), "");
  // By threads, by the 32 blocks of a multiprocessor, and by shared memory.
  EXPECT_EQ(refused("stream A\nA: spin 900ms blocks=264 threads=1024\n"), "");
  EXPECT_NE(refused("stream A\nA: spin 900ms blocks=265 threads=1024\n"), "");
  EXPECT_EQ(refused("stream A\nA: spin 900ms blocks=4224 threads=32\n"), "");
  EXPECT_NE(refused("stream A\nA: spin 900ms blocks=4225 threads=32\n"), "");
  EXPECT_EQ(refused("stream A\nA: spin 900ms blocks=132 smem=131072\n"), "");
  EXPECT_NE(refused("stream A\nA: spin 900ms blocks=133 smem=131072\n"), "");
}

TEST(BeyondDevice, NamesTheBufferThatTheHostHasNoRoomFor) {
  const program::Program program = tests::program_of("buffer x 1GiB\nbuffer y 3GiB host=pageable\n");
  EXPECT_FALSE(beyond_device(program, h200(), 100ull << 30, 505, {}, 4ull << 30));
  const auto refusal = beyond_device(program, h200(), 100ull << 30, 505, {}, (4ull << 30) - 1);
  const std::string wrong = refusal ? refusal->message : "";
  EXPECT_FALSE(refusal && refusal->longest_kernel) << "no kernel is too long";
  EXPECT_NE(wrong.find("line 2: buffer y"), std::string::npos) << wrong;
  EXPECT_NE(wrong.find("host memory"), std::string::npos) << wrong;
  EXPECT_GT(host_memory_available(), 1u << 20);
}

TEST(BeyondDevice, NamesTheBufferThatDoesNotFit) {
  const std::string text = "buffer x 1GiB\nbuffer y 60GiB\nbuffer z 60GiB\n";
  EXPECT_NE(refused(text).find("line 2: buffer y"), std::string::npos) << refused(text);
  EXPECT_EQ(refused(text, {}, 121ull << 30), "");
  EXPECT_NE(refused("stream A\nhost: malloc t 200GiB\n").find("line 2"), std::string::npos);
}

TEST_F(Gpu, MoreMemoryThanThereIsIsRefused) {
  const program::Program program = tests::program_of("buffer x 100000GiB\nstream A\nA: h2d x[0:4]\n");
  const auto loaded = load(program);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().kind, ErrorKind::bad_input);
  EXPECT_NE(loaded.error().message.find("line 1"), std::string::npos) << loaded.error().message;
}

// One block may not have 2048 threads: the launch itself says so, and nothing sticks.
TEST_F(ProvokedErrors, ABadLaunchSaysCallCodeAndOperation) {
  program::Program program = tests::program_of("stream A\nA: spin 1us\nA: spin 1us smem=1024\n");
  program.kernels[1].values[program.kernels[1].kernel->find("threads")] = 2048;
  auto loaded = load(program);
  ASSERT_TRUE(loaded) << loaded.error().message;
  for (const device::Instrument instrument : {device::Instrument::full, device::Instrument::bare}) {
    const auto pass = (*loaded)->run(instrument, {});
    ASSERT_FALSE(pass);
    EXPECT_EQ(pass.error().kind, ErrorKind::device_failed);
    ASSERT_TRUE(pass.error().fault);
    EXPECT_EQ(pass.error().fault->call, "cudaLaunchKernelEx");
    EXPECT_EQ(pass.error().fault->code, static_cast<int>(cudaErrorInvalidValue)) << pass.error().message;
    EXPECT_NE(pass.error().fault->operation.find("line 3"), std::string::npos) << pass.error().fault->operation;
    EXPECT_NE(pass.error().message.find("cudaErrorInvalidValue"), std::string::npos) << pass.error().message;
  }
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  const program::Program fine = tests::program_of("stream A\nA: spin 1us smem=65536\n");
  auto again = load(fine);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE((*again)->run(device::Instrument::full, {}));
}

TEST_F(ProvokedErrors, AnAllocationThatFailsInTheRunIsReportedAndLeavesNothingBehind) {
  const program::Program program =
      tests::program_of("stream A\nhost: malloc t 90GiB\nhost: malloc u 90GiB\nhost: free u\nhost: free t\n");
  std::size_t before = 0, after = 0, total = 0;
  ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
  if (total >= 180ull << 30 || before < 91ull << 30) GTEST_SKIP() << "needs a GPU with 91 to 180 GiB";
  auto loaded = load(program);
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto pass = (*loaded)->run(device::Instrument::full, {});
  ASSERT_FALSE(pass);
  ASSERT_TRUE(pass.error().fault);
  EXPECT_EQ(pass.error().fault->call, "cudaMalloc");
  EXPECT_NE(pass.error().fault->operation.find("line 3"), std::string::npos);
  ASSERT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
  EXPECT_GT(after + (1ull << 30), before);
}

TEST_F(ProvokedErrors, FailedCallsBecomeErrorsWithoutSticking) {
  const auto bad = []() -> Result<void> {
    CUDA_TRY(cudaMemcpy(nullptr, nullptr, 16, static_cast<cudaMemcpyKind>(77)), "while testing");
    return {};
  }();
  ASSERT_FALSE(bad);
  ASSERT_TRUE(bad.error().fault);
  EXPECT_EQ(bad.error().fault->call, "cudaMemcpy");
  EXPECT_NE(bad.error().fault->code, 0);
  EXPECT_EQ(bad.error().fault->operation, "while testing");
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(Gpu, MemoryIsReusedAndBounded) {
  auto pool = std::make_shared<MemoryPool>(0);
  void* first = nullptr;
  {
    auto block = pool->take(MemoryKind::pinned, 3'000'000, "test");
    ASSERT_TRUE(block) << block.error().message;
    first = block->data();
  }
  EXPECT_GE(pool->idle_bytes(MemoryKind::pinned), 3'000'000u);
  {
    auto again = pool->take(MemoryKind::pinned, 2'900'000, "test");
    ASSERT_TRUE(again);
    EXPECT_EQ(again->data(), first);
    auto other = pool->take(MemoryKind::pinned, 2'900'000, "test");
    ASSERT_TRUE(other);
    EXPECT_NE(other->data(), first);
  }
  auto small = pool->take(MemoryKind::pinned, 100, "test");
  ASSERT_TRUE(small);
  EXPECT_NE(small->data(), first);
  pool->trim(MemoryKind::pinned, 0);
  EXPECT_EQ(pool->idle_bytes(MemoryKind::pinned), 0u);
  const auto none = pool->take(MemoryKind::pinned, 1ull << 60, "line 7: buffer x");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, ErrorKind::bad_input);
  EXPECT_NE(none.error().message.find("line 7: buffer x"), std::string::npos) << none.error().message;
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

// Pages that this process has in memory.
long resident_pages() {
  std::ifstream file("/proc/self/statm");
  long all = 0, resident = 0;
  file >> all >> resident;
  return resident;
}

// Of every word, loaded anew after eight runs each; the data is right to the end.
TEST_F(Gpu, AThousandRunsLeaveTheMemoryAsItWas) {
  constexpr int kLoads = 126, kSettled = 25;
  std::vector<device::PassRequest> requests{device::Instrument::full, device::Instrument::bare,
                                            device::Instrument::sampled, device::Instrument::full};
  requests[2].share = {1, 3};
  requests[3].gate = true;
  const program::Program program = tests::program_of(std::string(tests::kEveryWord));
  const auto free_when_idle = [&] {
    for (std::size_t kind = 0; kind < kMemoryKinds; ++kind) context()->pool->trim(static_cast<MemoryKind>(kind), 0);
    std::size_t free = 0, total = 0;
    EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
    return free;
  };
  std::size_t before = 0;
  long pages_before = 0;
  std::string pages;  // by the number of runs
  int runs = 0;
  const auto began = std::chrono::steady_clock::now();
  for (int load_number = 0; load_number < kLoads; ++load_number) {
    auto loaded = load(program);
    ASSERT_TRUE(loaded) << loaded.error().message;
    for (int i = 0; i < 8; ++i) {
      device::PassRequest request = requests[static_cast<std::size_t>(i) % requests.size()];
      if (!(*loaded)->can(request)) request = device::Instrument::full;
      const auto pass = (*loaded)->run(request, {});
      ASSERT_TRUE(pass) << pass.error().message;
      ++runs;
    }
    const auto right = (*loaded)->verify();
    ASSERT_TRUE(right) << right.error().message;
    EXPECT_EQ(*right, true) << testing::PrintToString(trace::texts((*loaded)->notes()));
    loaded->reset();
    if (runs % 100 == 0) pages += fmt::format(" {}: {}", runs, resident_pages());
    if (load_number + 1 == kSettled) {
      before = free_when_idle();
      pages_before = resident_pages();
    }
  }
  const std::size_t after = free_when_idle();
  const long more_pages = resident_pages() - pages_before;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  std::printf("%d runs in %.1f s; since the %dth %lld bytes less free on the device, %ld more pages in memory:%s\n",
              runs, took.count(), 8 * kSettled, static_cast<long long>(before) - static_cast<long long>(after),
              more_pages, pages.c_str());
  EXPECT_GE(runs, 1'000);
  EXPECT_GE(after + (2u << 20), before);
  EXPECT_LE(more_pages, 1'024);
}

}  // namespace
}  // namespace streamscope::cuda

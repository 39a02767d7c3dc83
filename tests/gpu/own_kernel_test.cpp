// Kernels that programs bring along, compiled by NVRTC: their results, their durations beside CUPTI's, and those that
// do not compile, fault or never end.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "engine/device/cuda/cupti/cupti_recorder.h"
#include "engine/device/cuda/own/compile.h"
#include "tests/gpu/gpu.h"

namespace streamscope::cuda {
namespace {

using ::testing::HasSubstr;

struct OwnCase {
  const char* name;
  const char* declared;  // behind `kernel NAME`
  const char* launch;    // behind its name
  const char* source;
};

constexpr OwnCase kOwnCases[] = {
    {"saxpy", "\"saxpy.cu\" (float* y, const float* x, float a, int n)", "y x 2.5 4194304 blocks=16384 threads=256",
     R"(extern "C" __global__ void saxpy(float* y, const float* x, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = a * x[i] + y[i];
})"},
    {"gemm", "\"gemm.cu\" (float* c, const float* a, const float* b, int n)",
     "z[0:1MiB] x[0:1MiB] y[0:1MiB] 512 blocks=256 threads=1024", R"(constexpr int kTile = 32;
__global__ void __launch_bounds__(1024) gemm(float* c, const float* a, const float* b, int n) {
  __shared__ float left[kTile][kTile], right[kTile][kTile];
  const int tiles = n / kTile, x = threadIdx.x % kTile, y = threadIdx.x / kTile;
  const int row = blockIdx.x / tiles * kTile + y, column = blockIdx.x % tiles * kTile + x;
  float sum = 0;
  for (int k = 0; k < n; k += kTile) {
    left[y][x] = a[row * n + k + x];
    right[y][x] = b[(k + y) * n + column];
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += left[y][i] * right[i][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
})"},
    {"histogram", "\"histogram.cu\" (unsigned* bins, const unsigned char* data, size_t n)",
     "z[0:1KiB] x 16777216 blocks=264 threads=256",
     R"(__global__ void histogram(unsigned* bins, const unsigned char* data, size_t n) {
  __shared__ unsigned mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  const size_t step = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) atomicAdd(&mine[data[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
})"},
    {"stencil", "\"stencil.cu\" (float* out, const float* in, int n)", "y x 4194304 blocks=16384 threads=256",
     R"(__global__ void stencil(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= n - 1) return;
  out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
})"},
    {"transpose", "\"transpose.cu\" (float* out, const float* in, int n)",
     "y x 2048 blocks=4096 threads=1024 smem=4224", R"(__global__ void transpose(float* out, const float* in, int n) {
  extern __shared__ float tile[];
  const int tiles = n / 32, x = threadIdx.x % 32, y = threadIdx.x / 32;
  const int across = blockIdx.x % tiles * 32, down = blockIdx.x / tiles * 32;
  tile[y * 33 + x] = in[(down + y) * n + across + x];
  __syncthreads();
  out[(across + y) * n + down + x] = tile[x * 33 + y];
})"},
    {"total", "\"total.cu\" (double* sum, const float* x, long long n)", "z[0:8] x 1048576 blocks=64 threads=512",
     R"(template <class T> __device__ T half_of(T v) { return v / 2; }
__global__ void total(double* sum, const float* x, long long n) {
  double mine = 0;
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += half_of(x[i]);
  if (mine != 0) atomicAdd(sum, mine);
})"},
    {"tiny", "\"tiny.cu\" (int* x, unsigned long long value)", "z[0:4] 7",
     R"(__global__ void tiny(int* x, unsigned long long value) { if (threadIdx.x == 0) x[0] = int(value); })"},
    {"plain", "\"plain.cu\" (float* y, const float* x, float a, int n) nostamp",
     "y x 2.5 4194304 blocks=16384 threads=256",
     R"(namespace { __device__ float scaled(float v, float a) { return v * a; } }
__global__ void plain(float* y, const float* x, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = scaled(x[i], a);
})"},
};

constexpr std::string_view kBuffers = "buffer x 16MiB\nbuffer y 16MiB\nbuffer z 16MiB\nstream A nonblocking\n";

class ProvokedOwnKernels : public Gpu {
 protected:
  void SetUp() override {
    Gpu::SetUp();
    if (IsSkipped()) return;
    const kernels::OwnKernel none("none", "none.cu", {}, true);
    if (const auto can = compile(none, "__global__ void none() {}", "9.0"); !can)
      GTEST_SKIP() << "skipped: " << can.error().message;
  }

  static std::string text_of(const OwnCase& one, int times) {
    return fmt::format("kernel {} {}\n{}repeat {} as i {{\n  A: {} {}\n  host: sync A\n}}\n", one.name, one.declared,
                       kBuffers, times, one.name, one.launch);
  }
  static device::LoadOptions with(const char* file, const char* source) {
    return {.own = {{std::string(file) + ".cu", source}}};
  }
  static std::string error_of(const char* declared, const char* source) {
    const program::Program program = tests::program_of(fmt::format("stream A\nkernel bad {}\nA: bad\n", declared));
    const auto loaded = load(program, with("bad", source));
    return loaded ? "no error" : loaded.error().message;
  }
  static Nanoseconds median(std::vector<Nanoseconds> all) {
    std::sort(all.begin(), all.end());
    return all.empty() ? kAbsent : all[all.size() / 2];
  }
};

// Every other operation is a launch; the first pass warms up.
TEST_F(ProvokedOwnKernels, LastAsLongAsCuptiSays) {
  for (const device::Instrument instrument : {device::Instrument::full, device::Instrument::cupti}) {
    if (instrument == device::Instrument::cupti && !CuptiRecorder::available()) GTEST_SKIP() << "skipped: no CUPTI";
    static std::vector<Nanoseconds> seen;
    for (std::size_t c = 0; c < std::size(kOwnCases); ++c) {
      const OwnCase& one = kOwnCases[c];
      SCOPED_TRACE(one.name);
      const program::Program program = tests::program_of(text_of(one, 20));
      auto loaded = load(program, with(one.name, one.source));
      ASSERT_TRUE(loaded) << loaded.error().message;
      std::vector<Nanoseconds> all;
      for (int pass = 0; pass < 2; ++pass) {
        const auto run = (*loaded)->run(instrument, {});
        ASSERT_TRUE(run) << run.error().message;
        all.clear();
        for (const trace::Span& span : run->spans) {
          if (span.kind == OperationKind::kernel) all.push_back(span.end - span.start);
        }
      }
      ASSERT_EQ(all.size(), 20u);
      if (instrument == device::Instrument::full) {
        seen.push_back(median(all));
        continue;
      }
      std::printf("%-10s %9.2f us, CUPTI %9.2f us, %+.2f\n", one.name, static_cast<double>(seen[c]) / 1e3,
                  static_cast<double>(median(all)) / 1e3, static_cast<double>(seen[c] - median(all)) / 1e3);
      EXPECT_NEAR(static_cast<double>(seen[c]), static_cast<double>(median(all)), 2000);
    }
  }
}

TEST_F(ProvokedOwnKernels, GetWhatTheyAreGivenAndLeaveWhatTheyWrite) {
  const program::Program program = tests::program_of(
      fmt::format("kernel fill \"own.cu\" (float* x, float v, int n)\nkernel gemm \"own.cu\" (float* c, const float* "
                  "a, const float* b,"
                  " int n)\n{}A: fill x[0:1MiB] 2 262144 blocks=1024\nA: fill y[0:1MiB] 0.5 262144 blocks=1024\n"
                  "A: gemm z[1MiB:1MiB] x[0:1MiB] y[0:1MiB] 512 blocks=256 threads=1024\n"
                  "graph G on A {{\n  A: fill z[0:4] 3 1\n}}\nA: launch G\nA: launch G\n",
                  kBuffers));
  const std::string source = std::string(kOwnCases[1].source) +
                             "\n__global__ void fill(float* x, float v, int n) {\n"
                             "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) x[i] = v;\n}\n";
  auto loaded = load(program, with("own", source.c_str()));
  ASSERT_TRUE(loaded) << loaded.error().message;
  for (const device::Instrument instrument : {device::Instrument::bare, device::Instrument::full}) {
    const auto run = (*loaded)->run(instrument, {});
    ASSERT_TRUE(run) << run.error().message;
    std::vector<float> z((2 << 20) / sizeof(float));
    ASSERT_EQ(cudaMemcpy(z.data(), (*loaded)->device_side(BufferId{2}), 2 << 20, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(z[0], 3);
    for (std::size_t i = 1 << 18; i < z.size(); ++i) ASSERT_EQ(z[i], 512) << i;
    for (const trace::Span& span : run->spans) {
      if (span.kind == OperationKind::kernel) {
        EXPECT_EQ(span.source, trace::Source::stamp);
        EXPECT_GT(span.end, span.start);
      }
    }
  }
  const auto verified = (*loaded)->verify();
  ASSERT_TRUE(verified) << verified.error().message;
  EXPECT_FALSE(verified->has_value()) << "nobody knows what they compute";
  const auto& launches = (*loaded)->frame().launches;
  ASSERT_FALSE(launches.empty());
  for (const trace::LaunchShape& launch : launches) {
    EXPECT_GT(launch.blocks_at_once, 0u);
    EXPECT_GT(launch.registers, 0u);
  }
}

TEST_F(ProvokedOwnKernels, AreRefusedWithoutTheirSource) {
  const program::Program program = tests::program_of("stream A\nkernel k \"k.cu\" ()\nA: k\n");
  const auto loaded = load(program);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(loaded.error().message, HasSubstr("line 2: k is code of the program's own"));
  EXPECT_TRUE(loaded.error().wants_own_code);
}

TEST_F(ProvokedOwnKernels, DoNotCompileAtALineAndAColumn) {
  const std::string unknown = error_of("\"bad.cu\" ()", "__global__ void bad() {\n  int i = 0;\n  i += foo;\n}\n");
  EXPECT_THAT(unknown, HasSubstr("line 2: the kernel bad does not compile"));
  EXPECT_THAT(unknown, HasSubstr("bad.cu:3:8: error: identifier \"foo\" is undefined"));
  EXPECT_THAT(error_of("\"bad.cu\" ()", "__global__ void bad(int n) {}\n"), HasSubstr("`nostamp`"));
  EXPECT_THAT(error_of("\"bad.cu\" () nostamp", "__global__ void other() {}\n"), HasSubstr("does not compile"));
}

// Each in a process of its own, which it ends or poisons.
TEST_F(ProvokedOwnKernels, ThatFaultOrNeverEndAreReported) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto run_and_exit = [](const char* source, Nanoseconds limit) {
    const program::Program program = tests::program_of("stream A\nkernel bad \"bad.cu\" ()\nA: bad\n");
    device::LoadOptions options = with("bad", source);
    options.own_limit = limit;
    auto loaded = load(program, options);
    if (!loaded) std::exit(90);
    const auto run = (*loaded)->run(device::Instrument::full, {});
    if (run) std::exit(91);
    std::fputs((run.error().message + "\n").c_str(), stderr);
    std::_Exit(run.error().kind == ErrorKind::device_failed ? 92 : 93);
  };
  EXPECT_EXIT(run_and_exit("__global__ void bad() { *(volatile int*)8 = 1; }", 5'000'000'000),
              ::testing::ExitedWithCode(92), "cudaErrorIllegalAddress");
  EXPECT_EXIT(run_and_exit("__device__ int stop;\n__global__ void bad() { while (*(volatile int*)&stop == 0) {} }",
                           500'000'000),
              ::testing::ExitedWithCode(exit_code(ErrorKind::device_failed)), "did not end within 500");
}

}  // namespace
}  // namespace streamscope::cuda

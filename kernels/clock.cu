// The kernels that tie the clocks, initialise stamps and data, and hold streams.
#include <algorithm>
#include <iterator>

#include "kernels/launch.cuh"
#include "kernels/pattern.h"
#include "kernels/timer.cuh"

namespace streamscope::kernels {
namespace {

constexpr int kCompiledFor[] = {__CUDA_ARCH_LIST__};

__global__ void reset_stamps_kernel(Stamp* stamps, std::uint64_t count) {
  const std::uint64_t i = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) stamps[i] = Stamp{~0ull, 0};
}

__global__ void stamp_kernel(std::uint64_t* to) { *to = globaltimer(); }

__global__ void fill_kernel(unsigned char* data, std::uint64_t bytes, std::uint32_t seed) {
  const std::uint64_t words = bytes / 4;
  const std::uint64_t thread = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::uint64_t threads = static_cast<std::uint64_t>(gridDim.x) * blockDim.x;
  auto* const to = reinterpret_cast<std::uint32_t*>(data);
  for (std::uint64_t i = thread; i < words; i += threads) to[i] = pattern(i, seed);
  if (thread < bytes % 4) {
    data[words * 4 + thread] = static_cast<unsigned char>(pattern(words, seed) >> (8 * thread));
  }
}

__global__ void handshake_kernel(const volatile std::uint32_t* ask, volatile std::uint64_t* answers,
                                 std::uint32_t count, std::uint64_t patience, long long cycles) {
  for (std::uint32_t i = 1; i <= count; ++i) {
    const std::uint64_t began = globaltimer();
    const long long first_cycle = clock64();
    while (*ask < i) {
      if (globaltimer() - began > patience || clock64() - first_cycle > cycles) return;
    }
    answers[i - 1] = globaltimer();
  }
}

// One thread that runs until the host opens it, so that whatever waits for it stays queued.
__global__ void gate_kernel(const volatile std::uint32_t* open, volatile std::uint32_t* expired,
                            std::uint64_t nanoseconds, long long cycles) {
  const std::uint64_t began = globaltimer();
  const long long first_cycle = clock64();
  while (*open == 0) {
    // The second guard counts cycles: if %globaltimer ever stood still, the gate would open nevertheless.
    if (globaltimer() - began >= nanoseconds || clock64() - first_cycle >= cycles) {
      *expired = 1;
      return;
    }
  }
}

}  // namespace

int prepare() {
  const void* const all[] = {reinterpret_cast<const void*>(reset_stamps_kernel),
                             reinterpret_cast<const void*>(stamp_kernel), reinterpret_cast<const void*>(fill_kernel),
                             reinterpret_cast<const void*>(handshake_kernel),
                             reinterpret_cast<const void*>(gate_kernel)};
  return load(all);
}

int lowest_architecture() { return *std::min_element(std::begin(kCompiledFor), std::end(kCompiledFor)); }

int architecture_for(int capability) {
  int highest = 0;
  for (const int one : kCompiledFor) {
    if (one <= capability) highest = std::max(highest, one);
  }
  return highest;
}

int reset_stamps(Stamp* stamps, std::uint64_t count, Stream stream) {
  if (count == 0) return cudaSuccess;
  return launch(reset_stamps_kernel, static_cast<unsigned>((count + 255) / 256), 256, 0, stream, stamps, count);
}

int fill(void* data, std::uint64_t bytes, std::uint32_t seed, Stream stream) {
  if (bytes == 0) return cudaSuccess;
  const std::uint64_t blocks = (bytes / 4 + 255) / 256;
  return launch(fill_kernel, static_cast<unsigned>(std::clamp<std::uint64_t>(blocks, 1, 65535)), 256, 0, stream,
                static_cast<unsigned char*>(data), bytes, seed);
}

int stamp(std::uint64_t* to, Stream stream) { return launch(stamp_kernel, 1, 1, 0, stream, to); }

int handshake(const std::uint32_t* ask, std::uint64_t* answers, std::uint32_t count, std::uint64_t patience,
              Stream stream) {
  return launch(handshake_kernel, 1, 1, 0, stream, ask, answers, count, patience,
                static_cast<long long>(patience * 4 + 1'000'000));
}

int gate(const std::uint32_t* open, std::uint32_t* expired, std::uint64_t nanoseconds, Stream stream) {
  return launch(gate_kernel, 1, 1, 0, stream, open, expired, nanoseconds,
                static_cast<long long>(nanoseconds * 4 + 1'000'000));
}

}  // namespace streamscope::kernels

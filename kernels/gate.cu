// The gate: one thread that runs until the host opens it, so that whatever waits for it stays queued.
#include "kernels/launch.cuh"
#include "kernels/launch.h"
#include "kernels/timer.cuh"

namespace streamscope::kernels {
namespace {

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

int gate(const std::uint32_t* open, std::uint32_t* expired, std::uint64_t nanoseconds, Stream stream) {
  return launch(gate_kernel, 1, 1, 0, stream, open, expired, nanoseconds,
                static_cast<long long>(nanoseconds * 4 + 1'000'000));
}

int prepare_gate() {
  cudaFuncAttributes attributes{};
  return cudaFuncGetAttributes(&attributes, gate_kernel);
}

}  // namespace streamscope::kernels

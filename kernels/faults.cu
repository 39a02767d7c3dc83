// Kernels that fail on purpose, launched as plain CUDA code launches them.
#undef NDEBUG  // a device's assert() is left out where it is defined
#include <cuda_runtime.h>

#include <cassert>

#include "kernels/launch.h"
#include "kernels/timer.cuh"

namespace streamscope::kernels {
namespace {

// Seen by the host before anything goes wrong.
__device__ void stamp_start_at_once(Stamp* stamp) {
  if (stamp == nullptr) return;
  atomicMin(word(&stamp->start), globaltimer());
  __threadfence_system();
}

__global__ void write_nowhere(Stamp* stamp) {
  stamp_start_at_once(stamp);
  *reinterpret_cast<volatile int*>(std::uint64_t{8}) = 1;
}
__global__ void assert_that(Stamp* stamp, bool holds) {
  stamp_start_at_once(stamp);
  assert(holds);
}
__global__ void trap(Stamp* stamp) {
  stamp_start_at_once(stamp);
  __trap();
}
__global__ void never_runs(Stamp*) {}

template <class Kernel>
cudaError_t launch_plainly(Kernel* kernel, unsigned threads, Stream stream, Stamp* stamp, bool holds = false) {
  void* arguments[] = {&stamp, &holds};
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1), dim3(threads), arguments, 0, stream);
}

}  // namespace

int prepare_faults(Stream stream) {
  for (const auto kernel : {write_nowhere, trap, never_runs}) {
    cudaFuncAttributes attributes{};
    if (const cudaError_t code = cudaFuncGetAttributes(&attributes, kernel); code != cudaSuccess) return code;
  }
  return launch_plainly(assert_that, 1, stream, nullptr, true);
}

int fault(Fault how, Stamp* stamp, Stream stream) {
  constexpr unsigned kTooMany = 4096;
  switch (how) {
    case Fault::illegal_address: return launch_plainly(write_nowhere, 1, stream, stamp);
    case Fault::assertion: return launch_plainly(assert_that, 1, stream, stamp);
    case Fault::trap: return launch_plainly(trap, 1, stream, stamp);
    case Fault::launch_config: break;
  }
  return launch_plainly(never_runs, kTooMany, stream, stamp);
}

}  // namespace streamscope::kernels

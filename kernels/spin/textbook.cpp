#include "kernels/textbook.h"
#include "kernels/spin/spin.h"

namespace streamscope::kernels {

CudaCode spin_code(std::string_view name) {
  return {.helpers = {R"(// Nanoseconds; of all multiprocessors the same.
__device__ unsigned long long globaltimer() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now) : : "memory");
  return now;
}
)"},
          .definition = filled_in(R"(// One thread watches the time; the others wait for it at the barrier.
__global__ void $name$(unsigned long long nanoseconds) {
  if (threadIdx.x == 0) {
    const unsigned long long begin = globaltimer();
    while (globaltimer() - begin < nanoseconds) {
    }
  }
  __syncthreads();
}
)",
                                  {{"name", name}})};
}

}  // namespace streamscope::kernels

#include "engine/device/cuda/warm_up.h"

#include "engine/device/cuda/check.h"
#include "kernels/launch.h"

namespace streamscope {

Result<void> warm_up(const CudaContext& context, std::span<const cudaStream_t> streams, bool in_graphs) {
  constexpr const char* kDoing = "while warming up";
  struct Words {
    kernels::Stamp stamps[2];
    unsigned long long ticket;
  };
  auto memory = context.pool->take(MemoryKind::device, sizeof(Words), "to warm up");
  if (!memory) return fail(memory.error());
  auto* const words = memory->as<Words>();
  CUDA_TRY(static_cast<cudaError_t>(kernels::reset_stamps(words->stamps, 2, cudaStreamLegacy)), kDoing);
  CUDA_TRY(cudaMemsetAsync(&words->ticket, 0, sizeof words->ticket, cudaStreamLegacy), kDoing);
  CUDA_TRY(cudaDeviceSynchronize(), kDoing);
  const auto launch = [&](const kernels::StampTo& to, cudaStream_t stream) -> Result<void> {
    const kernels::Spin spin{0, 1, 32, 0, context.abandon.as<std::uint32_t>()};
    CUDA_TRY(static_cast<cudaError_t>(kernels::spin(spin, to, stream)), kDoing);
    const kernels::Axpb axpb{nullptr, 0, 0, 1, 32};
    CUDA_TRY(static_cast<cudaError_t>(kernels::axpb(axpb, to, stream)), kDoing);
    return {};
  };
  for (const cudaStream_t stream : streams) {
    if (const auto bare = launch(nullptr, stream); !bare) return bare;
    if (const auto stamped = launch(words->stamps, stream); !stamped) return stamped;
  }
  // One ticket after the other, so each takes a stamp of its own.
  if (in_graphs) {
    if (const auto repeated = launch({words->stamps, &words->ticket}, cudaStreamLegacy); !repeated) return repeated;
  }
  CUDA_TRY(cudaDeviceSynchronize(), kDoing);
  return {};
}

}  // namespace streamscope

#include "engine/device/cuda/issue/warm_up.h"

#include "engine/device/cuda/issue/attention_kernel.h"
#include "engine/device/cuda/issue/tile_kernels.h"
#include "engine/device/cuda/runtime/cuda_error.h"
#include "kernels/launch.h"

namespace streamscope::cuda {

Result<void> warm_up(const CudaContext& context, const program::Program& program, std::span<const cudaStream_t> streams,
                     bool in_graphs) {
  constexpr const char* kDoing = "while warming up";
  const std::vector<kernels::Tiles> tiles = tile_kernels(program);
  for (const kernels::Tiles& one : tiles) {
    CUDA_TRY(static_cast<cudaError_t>(kernels::prepare_tiles(one.copy, one.stages, context.shared_bytes_limit)),
             kDoing);
  }
  if (has_attention(program)) {
    CUDA_TRY(static_cast<cudaError_t>(kernels::prepare_attention(context.shared_bytes_limit)), kDoing);
  }
  // One stamp for each kernel: the variants for graphs take theirs by a shared ticket.
  const std::size_t stamps = 2 + tiles.size();
  auto memory = context.pool->take(MemoryKind::device, stamps * sizeof(kernels::Stamp) + sizeof(unsigned long long),
                                   "to warm up");
  if (!memory) return fail(memory.error());
  auto* const first = memory->as<kernels::Stamp>();
  auto* const ticket = reinterpret_cast<unsigned long long*>(first + stamps);
  CUDA_TRY(static_cast<cudaError_t>(kernels::reset_stamps(first, stamps, cudaStreamLegacy)), kDoing);
  CUDA_TRY(cudaMemsetAsync(ticket, 0, sizeof *ticket, cudaStreamLegacy), kDoing);
  CUDA_TRY(cudaDeviceSynchronize(), kDoing);
  const auto launch = [&](const kernels::StampTo& to, cudaStream_t stream) -> Result<void> {
    const kernels::Spin spin{0, 1, 32, 0, context.abandon.as<std::uint32_t>()};
    CUDA_TRY(static_cast<cudaError_t>(kernels::spin(spin, to, stream)), kDoing);
    const kernels::Axpb axpb{nullptr, 0, 0, 1, 32};
    CUDA_TRY(static_cast<cudaError_t>(kernels::axpb(axpb, to, stream)), kDoing);
    for (const kernels::Tiles& one : tiles) {
      CUDA_TRY(static_cast<cudaError_t>(kernels::tiles(one, to, {}, stream)), kDoing);
    }
    return {};
  };
  for (const cudaStream_t stream : streams) {
    if (const auto bare = launch(nullptr, stream); !bare) return bare;
    if (const auto stamped = launch(first, stream); !stamped) return stamped;
  }
  // One after the other, so that each draws another ticket.
  if (in_graphs) {
    if (const auto repeated = launch({first, ticket}, cudaStreamLegacy); !repeated) return repeated;
  }
  CUDA_TRY(cudaDeviceSynchronize(), kDoing);
  return {};
}

}  // namespace streamscope::cuda

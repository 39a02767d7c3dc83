#include "kernels/attention/launch.h"

#include <algorithm>
#include <climits>

#include "kernels/attention/kernel.cuh"
#include "kernels/launch.cuh"

namespace streamscope::kernels {
namespace {

constexpr int kTracedForm = 3;  // of AttentionForms

AttentionKernel kernel_of(const Attention& launched, int form) {
  const AttentionForms forms = launched.bf16 ? bf16_attention() : fp32_attention();
  return forms.of[launched.head_size == 128 ? 1 : 0][form];
}

bool is_possible(const Attention& launched) {
  return (launched.head_size == 64 || launched.head_size == 128) && (launched.buffers == 1 || launched.buffers == 2) &&
         launched.heads > 0 && launched.queries > 0 && launched.keys > 0 && attention_blocks(launched) <= INT_MAX;
}

bool is_possible(const StagesTo& stages, const Attention& launched, const StampTo& stamp) {
  return stamped(stamp) == Stamped::once && stages.stages != nullptr && stages.every > 0 &&
         stages.ring >= 2 * launched.buffers && (stages.ring & (stages.ring - 1)) == 0;
}

// What the kernel uses, or more, so that there is no room for a second block.
cudaError_t shared_bytes_of(const Attention& launched, std::size_t* bytes) {
  *bytes = attention_shared_bytes(launched.head_size, launched.bf16, launched.buffers);
  int device = 0, major = 0, of_multiprocessor = 0, of_block = 0;
  cudaError_t code = cudaGetDevice(&device);
  if (code == cudaSuccess) code = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  if (code == cudaSuccess && major < 8) code = cudaErrorNotSupported;
  if (code != cudaSuccess) return code;
  code = cudaDeviceGetAttribute(&of_multiprocessor, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
  if (code != cudaSuccess) return code;
  code = cudaDeviceGetAttribute(&of_block, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  // The system reserves some for each block too, so that half of it does not fit twice.
  *bytes = std::max(*bytes, static_cast<std::size_t>(std::min(of_multiprocessor / 2, of_block)));
  return code;
}

}  // namespace

int attention(const Attention& launched, const StampTo& stamp, const StagesTo& stages, Stream stream) {
  const bool traced = stages.blocks != nullptr;
  if (!is_possible(launched) || (traced && !is_possible(stages, launched, stamp))) return cudaErrorInvalidValue;
  std::size_t shared_bytes = launched.shared_bytes;
  if (shared_bytes == 0) {
    if (const cudaError_t code = shared_bytes_of(launched, &shared_bytes); code != cudaSuccess) {
      cudaGetLastError();
      return code;
    }
  }
  const AttentionWork work{launched.q,
                           launched.k,
                           launched.v,
                           launched.o,
                           launched.queries,
                           launched.keys,
                           static_cast<std::uint32_t>(attention_query_tiles(launched)),
                           launched.buffers};
  return launch(kernel_of(launched, traced ? kTracedForm : static_cast<int>(stamped(stamp))),
                static_cast<unsigned>(attention_blocks(launched)), kAttentionThreads, shared_bytes, stream, work, stamp,
                stages);
}

int attention_fit(const Attention& launched, AttentionFit* fit) {
  if (!is_possible(launched)) return cudaErrorInvalidValue;
  const AttentionKernel kernel = kernel_of(launched, static_cast<int>(Stamped::no));
  cudaFuncAttributes attributes{};
  cudaError_t code = shared_bytes_of(launched, &fit->shared_bytes);
  if (code == cudaSuccess) code = cudaFuncGetAttributes(&attributes, kernel);
  if (code == cudaSuccess) {
    fit->registers = attributes.numRegs;
    fit->threads = kAttentionThreads;
    code = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit->blocks, kernel, kAttentionThreads, fit->shared_bytes);
  }
  if (code != cudaSuccess) cudaGetLastError();
  return code;
}

int prepare_attention(std::size_t shared_bytes_limit) {
  for (const AttentionForms& forms : {fp32_attention(), bf16_attention()}) {
    for (const auto& by_stamp : forms.of) {
      for (const AttentionKernel kernel : by_stamp) {
        const cudaError_t code = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                      static_cast<int>(shared_bytes_limit));
        if (code != cudaSuccess) return code;
      }
    }
  }
  return cudaSuccess;
}

}  // namespace streamscope::kernels

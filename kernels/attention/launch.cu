#include <algorithm>
#include <climits>

#include "kernels/attention/kernel.cuh"

namespace streamscope::kernels {
namespace {

AttentionForms forms_of(const AttentionOptions& options) {
  return options.bf16 ? bf16_attention(options.head_size) : fp32_attention(options.head_size);
}

bool is_possible(const AttentionOptions& options, const AttentionMatrices& on) {
  return (options.head_size == 64 || options.head_size == 128) && (options.buffers == 1 || options.buffers == 2) &&
         (options.waits == 1 || options.waits == 2) && options.heads > 0 && on.queries > 0 && on.keys > 0 &&
         options.blocks(on.queries) <= INT_MAX;
}

bool is_possible(const AttentionOptions& options, const StagesTo& stages) {
  return stages.stages != nullptr && stages.every > 0 && stages.ring >= 2 * options.buffers &&
         (stages.ring & (stages.ring - 1)) == 0;
}

// What the kernel uses, or more, so that there is no room for a second block.
cudaError_t shared_bytes_of(const AttentionOptions& options, std::size_t* bytes) {
  int device = 0, major = 0, of_multiprocessor = 0, of_block = 0;
  cudaError_t code = cudaGetDevice(&device);
  if (code == cudaSuccess) code = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  if (code == cudaSuccess && major < 8) code = cudaErrorNotSupported;
  if (code != cudaSuccess) return code;
  code = cudaDeviceGetAttribute(&of_multiprocessor, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
  if (code != cudaSuccess) return code;
  code = cudaDeviceGetAttribute(&of_block, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  // The system reserves some for each block too, so that half of it does not fit twice.
  *bytes = std::max(attention_shared_bytes(options.head_size, options.bf16, options.buffers),
                    static_cast<std::size_t>(std::min(of_multiprocessor / 2, of_block)));
  return code;
}

}  // namespace

int AttentionLauncher::prepare(std::size_t shared_bytes_limit) {
  const AttentionForms forms = forms_of(options);
  std::size_t shared_bytes = 0;
  int code = load(forms, shared_bytes_limit);
  if (code == cudaSuccess) code = shared_bytes_of(options, &shared_bytes);
  if (code == cudaSuccess) code = fit_of(forms[0], kAttentionThreads, shared_bytes, &found);
  return code;
}

int AttentionLauncher::launch(const LaunchData& data, const StampTo& stamp, const StagesTo& stages,
                              Stream stream) const {
  const std::uint64_t matrix = data.bytes / 4;
  const auto rows = static_cast<std::uint32_t>(options.rows(data.bytes));
  return launch(
      AttentionMatrices{data.first, data.first + matrix, data.first + 2 * matrix, data.first + 3 * matrix, rows, rows},
      stamp, stages, stream);
}

int AttentionLauncher::launch(const AttentionMatrices& on, const StampTo& stamp, const StagesTo& stages,
                              Stream stream) const {
  const bool records = stages.blocks != nullptr;
  if (!is_possible(options, on) || (records && !is_possible(options, stages))) return cudaErrorInvalidValue;
  const std::uint64_t blocks = options.blocks(on.queries);
  const AttentionWork work{on, static_cast<std::uint32_t>(blocks / options.heads), options.buffers, options.waits};
  return kernels::launch(forms_of(options), static_cast<unsigned>(blocks), kAttentionThreads, found.shared_bytes,
                         stream, work, stamp, stages);
}

const void* AttentionLauncher::code() const { return reinterpret_cast<const void*>(forms_of(options)[0]); }

std::unique_ptr<Launcher> attention_launcher(const AttentionOptions& options) {
  return std::make_unique<AttentionLauncher>(options);
}

}  // namespace streamscope::kernels

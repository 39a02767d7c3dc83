#include "engine/device/cuda/issue/warm_up.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/base/translate.h"
#include "engine/device/cuda/own/own_launcher.h"
#include "engine/device/cuda/runtime/cuda_error.h"
#include "kernels/registry.h"

namespace streamscope::cuda {
namespace {

constexpr const char* kDoing = tr_later("while warming up");

}  // namespace

Result<std::vector<std::unique_ptr<kernels::Launcher>>> launchers_of(const CudaContext& context,
                                                                     const program::Program& program,
                                                                     const device::LoadOptions& options) {
  OwnModules own;
  std::vector<std::unique_ptr<kernels::Launcher>> all;
  const auto multiprocessors = static_cast<std::uint32_t>(std::max(1, context.info.multiprocessors));
  for (const kernels::Choice& choice : program.kernels) {
    if (choice.kernel->own() != nullptr) {
      auto made = TRY(own_launcher(context, program, choice, options, own));
      all.push_back(std::move(made));
    } else {
      all.push_back(kernels::launcher(choice, multiprocessors));
    }
    if (const auto code = static_cast<cudaError_t>(all.back()->prepare(context.shared_bytes_limit));
        code != cudaSuccess) {
      return fail(cuda_error(code, "cudaFuncSetAttribute", tr("while loading {}", choice.kernel->word)));
    }
  }
  return all;
}

Result<void> warm_up(const CudaContext& context, Launchers kernels, std::span<const cudaStream_t> streams,
                     bool in_graphs) {
  std::vector<const kernels::Launcher*> once;  // one for each code
  std::set<const void*> seen;
  for (const auto& one : kernels) {
    if (seen.insert(one->code()).second) once.push_back(one.get());
  }
  if (once.empty()) return {};
  // One stamp for each kernel: the variants for graphs take theirs by a shared ticket.
  const std::size_t stamps = once.size();
  auto memory = TRY(context.pool->take(MemoryKind::device, stamps * sizeof(kernels::Stamp) + sizeof(unsigned long long),
                                       tr("to warm up")));
  auto* const first = memory.as<kernels::Stamp>();
  auto* const ticket = reinterpret_cast<unsigned long long*>(first + stamps);
  CUDA_TRY(kernels::reset_stamps(first, stamps, cudaStreamLegacy), tr(kDoing));
  CUDA_TRY(cudaMemsetAsync(ticket, 0, sizeof *ticket, cudaStreamLegacy), tr(kDoing));
  CUDA_TRY(cudaDeviceSynchronize(), tr(kDoing));
  const auto launch = [&](const kernels::StampTo& to, cudaStream_t stream) -> Result<void> {
    for (const kernels::Launcher* const one : once) {
      if (const auto code = static_cast<cudaError_t>(one->warm_up(to, context.abandon.as<std::uint32_t>(), stream));
          code != cudaSuccess) {
        return fail(cuda_error(code, "cudaLaunchKernelEx", tr(kDoing)));
      }
    }
    return {};
  };
  for (const cudaStream_t stream : streams) {
    TRY(launch(nullptr, stream));
    TRY(launch(first, stream));
  }
  // One after the other, so that each draws another ticket.
  if (in_graphs) {
    TRY(launch({first, ticket}, cudaStreamLegacy));
  }
  CUDA_TRY(cudaDeviceSynchronize(), tr(kDoing));
  return {};
}

}  // namespace streamscope::cuda

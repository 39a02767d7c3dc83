#include "engine/device/cuda/issue/kernel_launch_facts.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "engine/device/cuda/runtime/copy_rate.h"
#include "engine/device/cuda/runtime/cuda_error.h"
#include "engine/device/kernel_facts.h"

namespace streamscope::cuda {
namespace {

// Float32 multiply-adds that a multiprocessor can start per clock: CUDA C++ Programming Guide, "Arithmetic
// Instructions". 0: not known.
int multiply_adds(const std::string& capability) {
  const int number = static_cast<int>(10 * std::strtod(capability.c_str(), nullptr) + 0.5);
  switch (number) {
    case 75:
    case 80: return 64;
    case 86:
    case 87:
    case 88:
    case 89:
    case 90:
    case 100:
    case 103:
    case 110:
    case 120:
    case 121: return 128;
    default: return 0;
  }
}

}  // namespace

Result<std::vector<trace::KernelFacts>> facts_of_kernels(CudaContext& context, const program::Program& program,
                                                         Launchers kernels) {
  constexpr const char* kDoing = "while asking what the device makes of a kernel";
  std::vector<trace::KernelFacts> all = device::kernel_facts(program, context.info.multiprocessors);
  if (all.empty()) return all;
  if (context.copy_rate < 0) {
    const auto rate = TRY(measured_copy_rate(context));
    if (rate > 0) context.copy_rate = rate;  // else there was no memory to spare: there may be later
  }
  const device::MultiprocessorLimits& limits = context.info.limits;
  const double peak =
      2.0 * multiply_adds(context.info.compute_capability) * context.info.multiprocessors * limits.clock_mhz * 1e6;
  std::vector<std::optional<kernels::Fit>> fits(kernels.size());
  for (trace::KernelFacts& facts : all) {
    facts.copy_rate = std::max(0.0, context.copy_rate);
    facts.peak_flops = peak;
    facts.most_threads = static_cast<std::uint32_t>(std::max(0, limits.threads));
    const std::uint32_t kernel = std::get<program::op::Kernel>(program.operations[facts.operation].work).kernel;
    if (!fits[kernel]) {
      fits[kernel].emplace();
      const auto code = static_cast<cudaError_t>(kernels[kernel]->fit(&*fits[kernel]));
      if (code != cudaSuccess) return fail(cuda_error(code, "cudaOccupancyMaxActiveBlocksPerMultiprocessor", kDoing));
    }
    facts.shared_bytes = fits[kernel]->shared_bytes;
    facts.blocks_at_once = static_cast<std::uint32_t>(std::max(0, fits[kernel]->blocks));
    facts.registers = static_cast<std::uint32_t>(std::max(0, fits[kernel]->registers));
  }
  return all;
}

}  // namespace streamscope::cuda

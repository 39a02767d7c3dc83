#include "engine/device/cuda/issue/kernel_launch_facts.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "engine/base/translate.h"
#include "engine/device/cuda/runtime/cuda_error.h"
#include "engine/device/kernel_facts.h"

namespace streamscope::cuda {
namespace {

// Float32 multiply-adds that a multiprocessor can start per clock: CUDA C++ Programming Guide, "Arithmetic
// Instructions". 0: not known.
int multiply_adds(const std::string& capability) {
  const int number = static_cast<int>(10 * std::strtod(capability.c_str(), nullptr) + 0.5);
  constexpr std::array k128{86, 87, 88, 89, 90, 100, 103, 110, 120, 121};
  if (number == 75 || number == 80) return 64;
  return std::find(k128.begin(), k128.end(), number) != k128.end() ? 128 : 0;
}

// Bytes a second, read plus written, of a device-to-device copy (OpenOptions::device_copy), the median of five; 0 where
// the device has no memory to spare for it. Takes a millisecond; the device must be idle.
Result<double> measured_copy_rate(CudaContext& context) {
  const std::uint64_t bytes = context.options.device_copy;
  constexpr std::size_t kTimes = 5;
  constexpr const char* kDoing = tr_later("while measuring how fast the device copies");
  std::size_t free = 0, total = 0;
  CUDA_TRY(cudaMemGetInfo(&free, &total), tr(kDoing));
  if (free + context.pool->idle_bytes(MemoryKind::device) < 4 * bytes) return 0.0;
  auto from = context.pool->take(MemoryKind::device, bytes, tr(kDoing));
  auto to = context.pool->take(MemoryKind::device, bytes, tr(kDoing));
  if (!from || !to) return 0.0;
  const cudaStream_t stream = context.control.get();
  const auto begin = TRY(make_event()), end = TRY(make_event());
  // Memory that was never written may not be backed by pages of its own.
  CUDA_TRY(cudaMemsetAsync(from->data(), 0, bytes, stream), tr(kDoing));
  CUDA_TRY(cudaMemsetAsync(to->data(), 0, bytes, stream), tr(kDoing));
  std::array<float, kTimes> milliseconds{};
  for (float& one : milliseconds) {
    CUDA_TRY(cudaEventRecord(begin.get(), stream), tr(kDoing));
    CUDA_TRY(cudaMemcpyAsync(to->data(), from->data(), bytes, cudaMemcpyDeviceToDevice, stream), tr(kDoing));
    CUDA_TRY(cudaEventRecord(end.get(), stream), tr(kDoing));
    CUDA_TRY(cudaEventSynchronize(end.get()), tr(kDoing));
    CUDA_TRY(cudaEventElapsedTime(&one, begin.get(), end.get()), tr(kDoing));
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  const double median = milliseconds[kTimes / 2];
  return median > 0 ? 2 * static_cast<double>(bytes) / median * 1000 : 0.0;
}

const kernels::Fit& fit_of(const program::Program& program, const FitsByDevice& fits, OperationIndex i) {
  const program::Operation& operation = program.operations[i];
  return fits[program::device_of(program, operation).value][std::get<program::op::Kernel>(operation.work).kernel];
}

}  // namespace

Result<std::vector<kernels::Fit>> fits_of(Launchers kernels) {
  std::vector<kernels::Fit> fits(kernels.size());
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const auto code = static_cast<cudaError_t>(kernels[i]->fit(&fits[i]));
    if (code != cudaSuccess) {
      return fail(cuda_error(code, "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
                             tr("while asking what the device makes of a kernel")));
    }
  }
  return fits;
}

std::vector<trace::LaunchShape> shapes_of_launches(const Gpus& gpus, const program::Program& program,
                                                   const std::vector<std::string>& names, const FitsByDevice& fits) {
  const auto fill = [&](OperationIndex first, trace::LaunchShape& launch) {
    const kernels::Fit& fit = fit_of(program, fits, first);
    launch.shared_bytes = fit.shared_bytes + fit.static_bytes;
    launch.blocks_at_once = static_cast<std::uint32_t>(std::max(0, fit.blocks));
    launch.registers = static_cast<std::uint32_t>(std::max(0, fit.registers));
  };
  return device::launch_shapes(program, names, gpus.first().info.multiprocessors, fill);
}

Result<std::vector<trace::KernelFacts>> facts_of_kernels(const Gpus& gpus, const program::Program& program,
                                                         const FitsByDevice& fits) {
  std::vector<trace::KernelFacts> all = device::kernel_facts(program, gpus.first().info.multiprocessors);
  for (trace::KernelFacts& facts : all) {
    CudaContext& context = gpus[program::device_of(program, program.operations[facts.operation])];
    if (context.copy_rate < 0) {
      TRY(context.use());
      const auto rate = TRY(measured_copy_rate(context));
      if (rate > 0) context.copy_rate = rate;  // else there was no memory to spare: there may be later
      TRY(gpus.first().use());
    }
    const device::MultiprocessorLimits& limits = context.info.limits;
    facts.copy_rate = std::max(0.0, context.copy_rate);
    facts.peak_flops =
        2.0 * multiply_adds(context.info.compute_capability) * context.info.multiprocessors * limits.clock_mhz * 1e6;
    facts.most_threads = static_cast<std::uint32_t>(std::max(0, limits.threads));
    const kernels::Fit& fit = fit_of(program, fits, facts.operation);
    facts.shared_bytes = fit.shared_bytes;
    facts.blocks_at_once = static_cast<std::uint32_t>(std::max(0, fit.blocks));
    facts.registers = static_cast<std::uint32_t>(std::max(0, fit.registers));
  }
  return all;
}

}  // namespace streamscope::cuda

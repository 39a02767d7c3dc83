#include "engine/analysis/kernel_figures.h"

#include <algorithm>

#include "engine/analysis/stage_times.h"

namespace streamscope::analysis {

const trace::KernelFacts* find_kernel(const trace::Trace& trace, OperationIndex operation) {
  const auto at =
      std::lower_bound(trace.kernels.begin(), trace.kernels.end(), operation,
                       [](const trace::KernelFacts& each, OperationIndex wanted) { return each.operation < wanted; });
  return at != trace.kernels.end() && at->operation == operation ? &*at : nullptr;
}

KernelFigures kernel_figures(const trace::KernelFacts& kernel, Nanoseconds duration, const trace::Stages& stages) {
  KernelFigures out;
  if (known(duration) && duration > 0) {
    const double seconds = static_cast<double>(duration) * 1e-9;
    out.bytes_rate = static_cast<double>(kernel.bytes) / seconds;
    out.flops_rate = kernel.flops / seconds;
    if (kernel.copy_rate > 0) out.of_copy_rate = out.bytes_rate / kernel.copy_rate;
    if (kernel.peak_flops > 0) out.of_peak = out.flops_rate / kernel.peak_flops;
  }
  out.blocks = kernel.blocks_at_once;
  if (kernel.multiprocessors > 0 && kernel.blocks > 0)
    out.blocks = std::min(out.blocks, static_cast<double>(kernel.blocks) / kernel.multiprocessors);
  if (kernel.most_threads > 0) out.occupancy = out.blocks * kernel.threads / kernel.most_threads;
  out.waited = share_waited(stages, kernel.operation);
  return out;
}

}  // namespace streamscope::analysis

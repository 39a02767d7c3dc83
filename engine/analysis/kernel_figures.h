// What a launch of tiles or attention achieved, against what the device can.
#pragma once

#include <optional>

#include "engine/trace/trace.h"

namespace streamscope::analysis {

// Null where nothing is known of it.
const trace::KernelFacts* find_kernel(const trace::Trace& trace, OperationIndex operation);

// 0, or nothing, where not known.
struct KernelFigures {
  double bytes_rate = 0, of_copy_rate = 0;  // bytes a second; over the device's own copy, 0..1
  double flops_rate = 0, of_peak = 0;       // floating-point operations a second; over the device's peak, 0..1
  double blocks = 0;                        // at once on a multiprocessor, at the mean where the grid has fewer
  double occupancy = 0;                     // their threads over those that a multiprocessor holds, 0..1
  std::optional<double> waited;             // share of the recorded blocks' time, 0..1
};
KernelFigures kernel_figures(const trace::KernelFacts& kernel, Nanoseconds duration, const trace::Stages& stages);

}  // namespace streamscope::analysis

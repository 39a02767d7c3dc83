#include "engine/reconstruct/reconstruction.h"

namespace streamscope::reconstruct {
namespace {

// The measured rates may be off by these factors: over the bus, and within the device, where kernels use the memory
// too. A copy's setup may take this much longer. (Against CUPTI's records on an H200, 2026.)
constexpr double kBusTolerance = 1.03, kMemoryTolerance = 1.5;
constexpr Nanoseconds kSetupTolerance = 1'000;

}  // namespace

TransferTime transfer_time(const Reconstruction& run, OperationIndex i, bool both_ways) {
  device::CopyTime time;
  double tolerance = kBusTolerance;
  if (const auto* copy = std::get_if<program::op::Copy>(&run.operation(i).work)) {
    if (program::call_waits_for_copy(run.program, run.operation(i).work)) return {};
    time = copy->direction == program::Direction::h2d ? run.dispatch.h2d : run.dispatch.d2h;
  } else if (run.spans[i].kind == OperationKind::d2d || run.spans[i].kind == OperationKind::memset) {
    time = run.dispatch.on_device;
    tolerance = kMemoryTolerance;
  }
  if (!time.known()) return {};
  const auto bytes = static_cast<double>(run.spans[i].bytes);
  return {
      time.setup + static_cast<Nanoseconds>(bytes * time.alone / tolerance),
      time.setup + kSetupTolerance + static_cast<Nanoseconds>(bytes * (both_ways ? time.both : time.alone) * tolerance),
      time.setup + static_cast<Nanoseconds>(bytes * (both_ways ? time.both : time.alone))};
}

}  // namespace streamscope::reconstruct

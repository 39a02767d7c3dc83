#include "engine/reconstruct/transfer_time.h"

namespace streamscope::reconstruct {
namespace {

// Rates of copies are good to such a factor: over the bus, and within the device, where kernels want memory too. A
// copy's setup is good to kSetupDoubt. (Against CUPTI's records on an H200, 2026.)
constexpr double kRateDoubt = 1.03, kMemoryDoubt = 1.5;
constexpr Nanoseconds kSetupDoubt = 1'000;

}  // namespace

Moving moving_time(const Reconstruction& run, OperationIndex i, bool both) {
  device::CopyTime time;
  double doubt = kRateDoubt;
  if (const auto* copy = std::get_if<program::op::Copy>(&run.operation(i).work)) {
    if (run.program.buffers[copy->range.buffer.value].host == program::HostMemory::pageable) return {};
    time = copy->direction == program::Direction::h2d ? run.dispatch.h2d : run.dispatch.d2h;
  } else if (run.spans[i].kind == OperationKind::d2d || run.spans[i].kind == OperationKind::memset) {
    time = run.dispatch.on_device;
    doubt = kMemoryDoubt;
  }
  if (!time.known()) return {};
  const auto bytes = static_cast<double>(run.spans[i].bytes);
  return {time.setup + static_cast<Nanoseconds>(bytes * time.alone / doubt),
          time.setup + kSetupDoubt + static_cast<Nanoseconds>(bytes * (both ? time.both : time.alone) * doubt),
          time.setup + static_cast<Nanoseconds>(bytes * (both ? time.both : time.alone))};
}

}  // namespace streamscope::reconstruct

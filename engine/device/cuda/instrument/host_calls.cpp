#include "engine/device/cuda/instrument/host_calls.h"

#include <algorithm>

namespace streamscope::cuda {

HostCalls::HostCalls(const Observable& observed)
    : program_(observed.program),
      slot_(observed.targets.slot),
      host_functions_(observed.targets.host_functions),
      calls_(program_.operations.size()),
      no_events_(program_.operations.size(), nullptr),
      issued_(program_.threads.size()),
      carried_{calls_, nullptr, no_events_, &issued_} {}

void HostCalls::reset() {
  std::fill(calls_.begin(), calls_.end(), HostCall{});
  issued_.reset();
}

std::vector<device::Observed> HostCalls::observed() const {
  std::vector<device::Observed> all(calls_.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const program::Operation& operation = program_.operations[i];
    if (operation.launch != kNoOperation) continue;
    device::Observed& seen = all[i];
    seen.host_begin = on_axis(calls_[i].begin);
    seen.host_end = on_axis(calls_[i].end);
    seen.polls = calls_[i].polls;
    if (!std::holds_alternative<program::op::HostFunction>(operation.work)) continue;
    seen.start = on_axis(host_functions_[slot_[i]].begin);
    seen.end = on_axis(host_functions_[slot_[i]].end);
    seen.source = trace::Source::host;
  }
  return all;
}

}  // namespace streamscope::cuda

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
      threads_(program_.threads.size()),
      answers_(program_),
      carried_{calls_, {}, no_events_, &issued_, threads_} {
  carried_.answers = &answers_;
}

void HostCalls::reset() {
  std::fill(calls_.begin(), calls_.end(), HostCall{});
  issued_.reset();
  answers_.reset();
}

std::vector<device::Observed> HostCalls::observed() const {
  std::vector<device::Observed> all(calls_.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const program::Operation& operation = program_.operations[i];
    const HostCall& call = calls_[operation.launch == kNoOperation ? i : operation.launch];
    device::Observed& seen = all[i];
    seen.host_begin = on_axis(call.begin);
    seen.host_end = on_axis(call.end);
    seen.polls = call.polls;
    seen.result = call.result;
    seen.elapsed = call.elapsed;
    if (!std::holds_alternative<program::op::HostFunction>(operation.work)) continue;
    if (call.result != CallResult::success) continue;
    const HostFunctionCall& ran = host_functions_[slot_[i] + (operation.launch == kNoOperation ? 0 : call.time)];
    if (!known(ran.end)) continue;
    seen.start = on_axis(ran.begin);
    seen.end = on_axis(ran.end);
    seen.result = ran.status;
    seen.source = trace::Source::host;
  }
  return all;
}

}  // namespace streamscope::cuda

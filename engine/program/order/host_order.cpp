#include "engine/program/order/host_order.h"

#include <algorithm>

namespace streamscope::program {

HostOrder::HostOrder(const Program& program) : lives_(program.threads.size()) {
  if (program.threads.size() == 1) return;
  for (OperationIndex i = 0; i < program.operations.size(); ++i) {
    const Work& work = program.operations[i].work;
    if (const auto* start = std::get_if<op::StartThread>(&work)) lives_[start->thread.value].started = i;
    if (const auto* join = std::get_if<op::JoinThread>(&work)) lives_[join->thread.value].joined = i;
  }
}

void LastUses::add(ThreadId thread, OperationIndex operation) {
  const auto at = std::find_if(uses_.begin(), uses_.end(), [&](const Use& use) { return use.thread == thread; });
  if (at != uses_.end()) {
    at->operation = operation;
  } else {
    uses_.push_back({thread, operation});
  }
}

LastUses::Use LastUses::unordered(const HostOrder& order, ThreadId thread, OperationIndex operation) const {
  for (const Use& use : uses_) {
    if (!order.before(use.thread, use.operation, thread, operation)) return use;
  }
  return {};
}

}  // namespace streamscope::program

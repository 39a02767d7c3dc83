#include "engine/reconstruct/reconstruction.h"

namespace streamscope::reconstruct {
namespace {

// A call that may return only after the copy: the copy can start before it returns.
bool may_wait_for_copy(const program::Program& program, const program::Operation& operation) {
  if (std::holds_alternative<program::op::BlockingCopy>(operation.work)) return true;
  const auto* copy = std::get_if<program::op::Copy>(&operation.work);
  return copy != nullptr && program.buffers[copy->range.buffer.value].host == program::HostMemory::pageable;
}

}  // namespace

bool takes_no_time(OperationKind kind) {
  return kind == OperationKind::record || kind == OperationKind::wait || kind == OperationKind::launch ||
         kind == OperationKind::malloc || kind == OperationKind::free;
}

bool is_host_work(const program::Operation& operation) { return !program::ordered_in(operation).has_value(); }

Nanoseconds Reconstruction::issued(OperationIndex i) const {
  const trace::Span& span = spans[i];
  if (operation(i).launch != kNoOperation) return span.host_begin;  // comes after its launch
  if (may_wait_for_copy(program, operation(i))) return span.host_begin;
  if (known(span.end) && known(span.host_end) && span.host_end > span.end) return span.host_begin;
  return span.host_end;
}

bool Reconstruction::end_unobserved(OperationIndex i) const {
  return operation(i).launch != kNoOperation && !takes_no_time(spans[i].kind) && !known(observed[i].end) &&
         known(launch_end(i));
}

}  // namespace streamscope::reconstruct

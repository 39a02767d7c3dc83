#include "engine/reconstruct/reconstruction.h"

namespace streamscope::reconstruct {
namespace {

// Copies of up to 24 KiB ran beside others on an H100 (2026).
constexpr std::uint64_t kSmallCopy = 32 << 10;

}  // namespace

bool takes_no_time(OperationKind kind) {
  return kind == OperationKind::record || kind == OperationKind::wait || kind == OperationKind::launch ||
         kind == OperationKind::malloc || kind == OperationKind::free;
}

bool is_host_work(const program::Operation& operation) { return !program::ordered_in(operation).has_value(); }

bool has_engine_to_itself(const program::Program& program, const program::Operation& operation) {
  const auto* copy = std::get_if<program::op::Copy>(&operation.work);
  return copy != nullptr && program::moved_bytes(copy->host) > kSmallCopy &&
         !program::call_waits_for_copy(program, operation.work);
}

Nanoseconds Reconstruction::issued(OperationIndex i) const {
  const trace::Span& span = spans[i];
  if (operation(i).launch != kNoOperation) return span.host_begin;  // comes after its launch
  // The copy can start before its call returns.
  if (program::call_waits_for_copy(program, operation(i).work)) return span.host_begin;
  if (span.kind == OperationKind::peer && reach[i] != Reach::direct)
    return span.host_begin;  // the host moves part of it
  if (known(span.end) && known(span.host_end) && span.host_end > span.end) return span.host_begin;
  return span.host_end;
}

bool Reconstruction::never_ran(OperationIndex i) const {
  const OperationIndex call = operation(i).launch == kNoOperation ? i : operation(i).launch;
  const CallResult result = observed[call].result;
  return spans[call].kind == OperationKind::launch && result != CallResult::success && result != CallResult::not_ready;
}

bool Reconstruction::end_unobserved(OperationIndex i) const {
  return operation(i).launch != kNoOperation && !takes_no_time(spans[i].kind) && !known(observed[i].end) &&
         known(launch_end(i));
}

}  // namespace streamscope::reconstruct

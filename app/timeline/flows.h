// What led to an operation and what it led to: the arrows between bars.
#pragma once

#include <span>
#include <vector>

#include "engine/trace/packed_spans.h"

namespace streamscope::timeline {

// Who waited for whom (analysis::wait_cause()), to be asked from the cause. Made once for each trace; only operations
// that waited for another take room (8 bytes).
struct Waiters {
  std::vector<OperationIndex> cause, waiter;  // sorted by cause, then by when the waiter started
};
Waiters waiters(const trace::Trace& trace);
std::span<const OperationIndex> waiting_for(const Waiters& waiters, OperationIndex cause);

enum class FlowKind : std::uint8_t {
  call,    // from the host's call to its execution
  engine,  // from the operation that had the engine to the one that got it next
  order,   // from what had to come before: in the stream, through an event, on the host
};
struct Flow {
  FlowKind kind = FlowKind::order;
  OperationIndex from = kNoOperation, to = kNoOperation;
  bool forward = false;  // it begins at the operation that was asked for
  friend bool operator==(const Flow&, const Flow&) = default;
};
inline constexpr std::size_t kMostForward = 64;  // of what waited for it the first are given
// `who`: null where only what led to it is wanted.
std::vector<Flow> flows(const trace::Trace& trace, const Waiters* who, OperationIndex operation);

}  // namespace streamscope::timeline

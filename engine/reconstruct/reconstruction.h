// A run that is being reconstructed (reconstruct.h): what was observed of it, its spans as far as they are known by
// now, and what all steps need to know of them.
#pragma once

#include <span>
#include <vector>

#include "engine/device/dispatch_latency.h"
#include "engine/device/observed.h"
#include "engine/program/order/order.h"
#include "engine/program/program.h"
#include "engine/trace/trace.h"

namespace streamscope::reconstruct {

// Of operations in a stream: malloc and free are the stream-ordered ones.
bool takes_no_time(OperationKind kind);
// Done by the host thread itself. A blocking copy is not: the device carries it out.
bool is_host_work(const program::Operation& operation);

struct Reconstruction {
  const program::Program& program;
  const program::Dependencies& dependencies;
  std::span<const device::Observed> observed;
  std::span<trace::Span> spans;
  device::DispatchLatency dispatch;
  Nanoseconds gate_opened;
  std::vector<OperationIndex> order;  // of issue

  OperationIndex count() const { return static_cast<OperationIndex>(spans.size()); }
  const program::Operation& operation(OperationIndex i) const { return program.operations[i]; }
  bool host_work(OperationIndex i) const { return is_host_work(operation(i)); }

  // When the device could know of it: a call submits its work just before it returns, unless it waits for the work.
  Nanoseconds issued(OperationIndex i) const;
  bool held_by_gate(OperationIndex i) const { return known(gate_opened) && issued(i) < gate_opened; }
  // A node of a graph whose own end was not observed, but the end of its launch was: its end can be estimated.
  bool end_unobserved(OperationIndex i) const;
  Nanoseconds launch_end(OperationIndex node) const { return observed[operation(node).launch].end; }
};

}  // namespace streamscope::reconstruct

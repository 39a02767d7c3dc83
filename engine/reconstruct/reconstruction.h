// A run whose operations' lives are being worked out (life.h): what was seen of it, its spans as far as they are known
// by now, and what all steps ask of them.
#pragma once

#include <span>
#include <vector>

#include "engine/device/dispatch_latency.h"
#include "engine/device/observed.h"
#include "engine/program/order/order.h"
#include "engine/program/program.h"
#include "engine/trace/trace.h"

namespace streamscope::reconstruct {

// Of what is done in a stream: malloc and free are the stream-ordered ones.
bool takes_no_time(OperationKind kind);
// Done by the host thread itself. A blocking copy is not: its copy has a life on the device too.
bool is_host_work(const program::Operation& operation);

struct Reconstruction {
  const program::Program& program;
  const program::Dependencies& dependencies;
  std::span<const device::Observed> observed;
  std::span<trace::Span> spans;
  device::Dispatch dispatch;
  Nanoseconds opened;                 // when the gate opened
  std::vector<OperationIndex> order;  // of issue

  OperationIndex count() const { return static_cast<OperationIndex>(spans.size()); }
  const program::Operation& operation(OperationIndex i) const { return program.operations[i]; }
  bool host_work(OperationIndex i) const { return is_host_work(operation(i)); }

  // When the device could know of it. The call hands its work over just before it returns, unless it holds the host.
  Nanoseconds issued(OperationIndex i) const;
  bool held_by_gate(OperationIndex i) const { return known(opened) && issued(i) < opened; }
  // A node of a graph whose end nothing tells; once all of its launch has ended something can be said of it.
  bool unseen(OperationIndex i) const;
  Nanoseconds whole_end(OperationIndex node) const { return observed[operation(node).launch].end; }
};

}  // namespace streamscope::reconstruct

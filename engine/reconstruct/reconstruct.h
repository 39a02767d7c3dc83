// From what was seen of a run to the life of each operation: when it was ready, when it started, why it waited.
//
// Pure: plain values in, spans out. An instrument that disturbs little sees little: kernels write their own start and
// end, a copy has one event at its end, a record or a wait has nothing. The rest follows from CUDA's rules:
//
//   - an operation is ready when it is issued and all it depends on has ended (engine/program/order/order.h);
//   - copies of one direction share one engine, which carries out one at a time (cuda-rules 11). In which order is not
//     assumed but seen by their ends: not always that of issue, nor that in which they were ready (of three copies that
//     are there an H200 takes the first, the third, the second). So a copy starts no sooner than it is ready and the
//     copy that ended before it has ended, as much later as the device usually takes to get from the one to the other,
//     and no later than its bytes take to be moved by its end (engine/device/dispatch_latency.h). Other operations
//     without a start of their own start as much after they are ready;
//   - what must come before a kernel ended no later than that kernel's first block began, and a stamp is more exact
//     than an event, so an event that fired a little late is set right by it;
//   - records, waits, stream-ordered allocations and launches take no time of their own;
//   - a copy or a memset in a graph is not seen at all: it ends after its bytes can have been moved, before what comes
//     after it starts and before its launch has ended, which an event behind the launch tells. Within these bounds its
//     end is put where a kernel that waited for it alone began, or where its bytes would usually be there; its
//     uncertainty reaches to the bounds. Among the copies of such a launch the order is assumed: as they were ready.
//
// Its steps, in their order: late_events.h, readiness.h with graph_nodes.h, starts.h, reasons.h.
#pragma once

#include <span>
#include <vector>

#include "engine/device/dispatch_latency.h"
#include "engine/device/observed.h"
#include "engine/program/order/order.h"
#include "engine/program/program.h"
#include "engine/trace/trace.h"

namespace streamscope::reconstruct {

// Completes spans (blank_spans() of the program, one an operation) from `observed`, one an operation too. Of a launch
// `observed` has the end of all its nodes.
// Also for a run that still goes on (settled.h).
// `issued`: the order in which the operations were issued, that of the dependencies; empty: the program's.
void reconstruct(const program::Program& program, const program::Dependencies& dependencies,
                 std::span<const device::Observed> observed, std::span<trace::Span> spans,
                 const device::Circumstances& circumstances = {}, std::span<const OperationIndex> issued = {});

// How far an event may lie behind what it marks, the clocks' uncertainty aside.
inline constexpr Nanoseconds kEventLag = 3'000;

}  // namespace streamscope::reconstruct

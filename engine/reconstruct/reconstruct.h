// From what was observed of a run to the times of each operation: when it was ready, when it started, why it waited.
//
// Pure: plain values in, spans out. An instrument that disturbs little observes little: kernels write their own start
// and end, a copy has one event at its end, a record or a wait has nothing. The rest follows from CUDA's rules:
//
//   - an operation is ready when it is issued and all it depends on has ended (engine/program/order/order.h);
//   - copies of one direction share one engine, which carries out one at a time (docs/cuda-rules.md 11). Their order is
//     not assumed but taken from their ends: it is not always the order of issue, nor that in which they were ready (of
//     three copies that are ready an H200 takes the first, the third, the second). So a copy starts when it is ready
//     and the copy that ended before it has ended, plus the time that the device usually takes from the one to the
//     other, but early enough to move its bytes by its end (engine/device/dispatch_latency.h). Other operations whose
//     start was not observed start the same time after they are ready;
//   - copies between devices take at least what the link, or both buses, needs for their bytes, and begin as early as
//     they are ready: whether two of one direction go one after the other is not assumed;
//   - what must come before a kernel ended no later than that kernel's first block began. A kernel's own stamp is more
//     exact than an event, so it corrects an event that fired a little late;
//   - records, waits, stream-ordered allocations and launches take no time of their own;
//   - a copy or a memset in a graph is not observed at all: it ends once its bytes can have been moved, before what
//     comes after it starts and before its launch ends, which is known from an event behind the launch. Within these
//     bounds its end is put where a kernel that waited for it alone began, or where its bytes would usually have been
//     moved; its uncertainty reaches to the bounds. The copies of such a launch are assumed to run in the order in
//     which they were ready.
//
// Its steps, in their order: end_bounds.cpp, ready_times.cpp with graph_node_times.cpp, start_times.cpp,
// late_sightings.cpp, wait_reasons.cpp.
#pragma once

#include <span>
#include <vector>

#include "engine/device/dispatch_latency.h"
#include "engine/device/observed.h"
#include "engine/program/order/order.h"
#include "engine/program/program.h"
#include "engine/reconstruct/event_lag.h"  // for those who compare its times with others
#include "engine/trace/trace.h"

namespace streamscope::reconstruct {

// Completes spans (blank_spans() of the program) from `observed`; both have one for each operation. What `observed` has
// as the end of a launch is when all its nodes had ended. Also for a run that still goes on (final_spans.h).
// `issued`: the order in which the operations were issued, that of the dependencies; empty: the program's.
void reconstruct(const program::Program& program, const program::Dependencies& dependencies,
                 std::span<const device::Observed> observed, std::span<trace::Span> spans,
                 const device::Circumstances& circumstances = {}, std::span<const OperationIndex> issued = {});

}  // namespace streamscope::reconstruct

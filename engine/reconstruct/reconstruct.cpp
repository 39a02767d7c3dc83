#include "engine/reconstruct/reconstruct.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "engine/reconstruct/graph_node_times.h"
#include "engine/reconstruct/reconstruction.h"

namespace streamscope::reconstruct {
namespace {

std::vector<OperationIndex> all_in_order(std::size_t count) {
  std::vector<OperationIndex> order(count);
  std::iota(order.begin(), order.end(), OperationIndex{0});
  return order;
}

void copy_observed(const Reconstruction& run) {
  for (OperationIndex i = 0; i < run.count(); ++i) {
    trace::Span& span = run.spans[i];
    const device::Observed& observed = run.observed[i];
    span.host_begin = observed.host_begin;
    span.host_end = observed.host_end;
    span.source = observed.source;
    span.uncertainty = observed.uncertainty;
    span.start_source = known(observed.start) ? observed.source : trace::Source::none;
    span.start_uncertainty = known(observed.start) ? observed.uncertainty : 0;
    span.ready_source = trace::Source::none;
    span.ready_uncertainty = 0;
    span.samples = observed.samples;
    span.spread = observed.spread;
    span.polls = observed.polls;
    span.result = observed.result;
    span.elapsed = observed.elapsed;
    span.reason = trace::WaitReason::none;
    span.waits_for = kNoOperation;
    span.ready = kAbsent;
    span.start = observed.start;
    span.end = observed.end;
    if (span.kind == OperationKind::launch) span.end = kAbsent;  // what was observed is when its last node ended
    if (run.host_work(i)) {
      span.ready = span.start = observed.host_begin;
      span.end = observed.host_end;
      span.ready_source = span.start_source = span.source = trace::Source::host;
      span.start_uncertainty = span.uncertainty = 0;
    }
  }
}

// Of copies between devices: whether peer access is on when they are issued. It is the main thread's to turn on and
// off: where another thread copies, it may be on if it ever is. Memory of a pool has access rights of its own.
std::vector<Reach> reach_of_copies(const program::Program& program) {
  std::vector<Reach> all(program.operations.size(), Reach::staged);
  std::set<std::pair<DeviceId, DeviceId>> reached, ever;
  for (const program::Operation& operation : program.operations) {
    const auto* access = std::get_if<program::op::PeerAccess>(&operation.work);
    if (access != nullptr && access->on) ever.insert(std::minmax(access->first, access->second));
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const program::Operation& operation = program.operations[i];
    if (const auto* access = std::get_if<program::op::PeerAccess>(&operation.work)) {
      const auto both = std::minmax(access->first, access->second);
      access->on ? void(reached.insert(both)) : void(reached.erase(both));
    }
    const auto* copy = std::get_if<program::op::PeerCopy>(&operation.work);
    if (copy == nullptr) continue;
    const auto both = std::minmax(copy->from_device, copy->to_device);
    const bool of_pool = program.buffers[copy->from.buffer.value].stream_ordered ||
                         program.buffers[copy->to.buffer.value].stream_ordered;
    const bool unsure = operation.thread != ThreadId{0} || of_pool;
    if (unsure) {
      all[i] = ever.contains(both) ? Reach::either : Reach::staged;
    } else {
      all[i] = reached.contains(both) ? Reach::direct : Reach::staged;
    }
  }
  return all;
}

void set_ready_times(Reconstruction& run, const EndBounds& bounds) {
  GraphNodeTimes nodes(run, bounds);
  for (const OperationIndex i : run.order) {
    if (run.host_work(i) || run.operation(i).launch != kNoOperation) continue;
    set_ready_time(run, bounds, i);
    if (run.spans[i].kind == OperationKind::launch) nodes.set_times(i);
  }
}

}  // namespace

void reconstruct(const program::Program& program, const program::Dependencies& dependencies,
                 std::span<const device::Observed> observed, std::span<trace::Span> spans,
                 const device::Circumstances& circumstances, std::span<const OperationIndex> issued) {
  Reconstruction run{program,
                     dependencies,
                     observed,
                     spans,
                     circumstances,
                     circumstances.opened,
                     circumstances.copy_engines == 1,
                     issued.empty() ? all_in_order(spans.size()) : std::vector(issued.begin(), issued.end()),
                     reach_of_copies(program)};
  copy_observed(run);
  const EndBounds bounds = correct_late_events(run);
  place_kernel_ends(run, bounds);
  set_ready_times(run, bounds);
  const std::vector<OperationIndex> before_on_engine = find_start_times(run);
  widen_late_sightings(run, bounds, before_on_engine);
  find_wait_reasons(run, before_on_engine);
}

}  // namespace streamscope::reconstruct

#include "engine/reconstruct/graph_node_times.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace streamscope::reconstruct {
namespace {

std::uint32_t to_uncertainty(Nanoseconds time) {
  return static_cast<std::uint32_t>(std::min<Nanoseconds>(time, 0xFFFFFFFF));
}

}  // namespace

// Nodes in the order in which they were ready: copies of one direction are assumed to run in that order.
void GraphNodeTimes::set_times(OperationIndex launch) {
  const GraphId graph = std::get<program::op::Launch>(run_.operation(launch).work).graph;
  const auto& nodes = run_.program.graphs[graph.value].nodes;
  const auto& after = followers(graph);
  std::vector<std::size_t> waits_for(nodes.size());
  using Ready = std::pair<Nanoseconds, std::uint32_t>;
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
  const auto offer = [&](std::uint32_t node) {
    set_ready_time(run_, bounds_, launch + 1 + node);
    ready.emplace(run_.spans[launch + 1 + node].ready, node);
  };
  for (std::uint32_t n = 0; n < nodes.size(); ++n) {
    waits_for[n] = nodes[n].after.size();
    if (waits_for[n] == 0) offer(n);
  }
  while (!ready.empty()) {
    const std::uint32_t node = ready.top().second;
    ready.pop();
    const OperationIndex i = launch + 1 + node;
    if (run_.end_unobserved(i) && known(run_.spans[i].ready)) estimate_end(i);
    for (const std::uint32_t next : after[node]) {
      if (--waits_for[next] == 0) offer(next);
    }
  }
  if (known(run_.observed[launch].end)) end_launch(launch, nodes.size());
}

// Whether the latest end of this node is the start of a kernel that, as far as is known, waited for nothing that ended
// later: then the node ended just before that start.
bool GraphNodeTimes::released_a_kernel(OperationIndex i) const {
  if (bounds_.set_by[i] == kNoOperation) return false;
  const auto before = run_.dependencies.of(bounds_.set_by[i]);
  return std::none_of(before.begin(), before.end(), [&](const program::Dependency& dependency) {
    const Nanoseconds end = run_.observed[dependency.on].end;
    return dependency.on != i && run_.spans[dependency.on].kind != OperationKind::launch && known(end) &&
           end > bounds_.latest[i] - 2 * run_.dispatch(i).after_dependency;
  });
}

// The end of all it depends on that was observed, not estimated; its launch's call where there is none.
Nanoseconds GraphNodeTimes::earliest(OperationIndex i) const {
  Nanoseconds time = run_.spans[i].host_begin;
  for (const program::Dependency& on : run_.dependencies.of(i)) {
    const trace::Span& before = run_.spans[on.on];
    if (!known(before.end)) continue;
    if (before.kind == OperationKind::launch) time = std::max(time, before.end - Nanoseconds{before.uncertainty});
    if (before.source != trace::Source::inferred) time = std::max(time, before.end);
  }
  return std::min(time, std::max(run_.spans[i].host_begin, bounds_.latest[i]));
}

void GraphNodeTimes::estimate_end(OperationIndex i) {
  trace::Span& span = run_.spans[i];
  const TransferTime transfer = transfer_time(run_, i, true);
  // Here too an observed time overrides an estimated one. What it comes after is more certain than how fast the bus was
  // when it was measured.
  const Nanoseconds earliest_ready = earliest(i), latest_ready = bounds_.latest[i] - transfer.shortest;
  span.ready = std::max(earliest_ready, std::min(span.ready, latest_ready));
  const Nanoseconds high = std::max(span.ready, bounds_.latest[i]);
  const Nanoseconds low = std::min(span.ready + transfer.shortest, high);
  Nanoseconds& free = engine_free_[number(trace::queue_of(span))];
  Nanoseconds start = span.ready + run_.dispatch(i).after_dependency;
  bool both_ways = false;
  if (span.engine == Engine::h2d || span.engine == Engine::d2h) {
    start = std::max(start, free + run_.dispatch(i).after_copy);
    const Engine opposite = span.engine == Engine::h2d ? Engine::d2h : Engine::h2d;
    both_ways = engine_free_[number({span.device, opposite})] > start;
  }
  Nanoseconds end = high;
  if (transfer.bounded()) end = start + transfer_time(run_, i, both_ways).usual;
  if (released_a_kernel(i)) end = high - run_.dispatch(i).after_dependency;
  span.end = std::clamp(end, low, high);
  free = std::max(free, span.end);
  span.source = trace::Source::inferred;
  // Bytes that were moved faster than they can be: one of these times is off by that.
  const Nanoseconds contradicted = std::max<Nanoseconds>(0, earliest_ready - latest_ready);
  const Nanoseconds uncertainty = std::max(span.end - low, high - span.end) + contradicted +
                                  std::max(run_.observed[run_.operation(i).launch].uncertainty, span.ready_uncertainty);
  span.uncertainty = to_uncertainty(uncertainty);
}

// The node that ends last ends when the launch does; certainly this one if no other could be the last.
void GraphNodeTimes::end_launch(OperationIndex launch, std::size_t nodes) {
  const device::Observed& whole = run_.observed[launch];
  OperationIndex latest = launch + 1;
  std::size_t could_be_last = 0;
  for (OperationIndex i = launch + 1; i <= launch + nodes; ++i) {
    if (!known(run_.spans[i].end)) return;
    if (run_.spans[i].end > run_.spans[latest].end) latest = i;
    could_be_last += run_.end_unobserved(i) && bounds_.latest[i] >= whole.end ? 1 : 0;
  }
  trace::Span& span = run_.spans[latest];
  if (!run_.end_unobserved(latest) || whole.end > bounds_.latest[latest] || whole.end < span.end) return;
  const Nanoseconds moved = whole.end - span.end;
  span.end = whole.end;
  if (could_be_last == 1) {
    span.source = whole.source;
    span.uncertainty = whole.uncertainty;
  } else {
    span.uncertainty = to_uncertainty(span.uncertainty + moved);
  }
}

const std::vector<std::vector<std::uint32_t>>& GraphNodeTimes::followers(GraphId graph) {
  followers_.resize(run_.program.graphs.size());
  auto& of = followers_[graph.value];
  const auto& nodes = run_.program.graphs[graph.value].nodes;
  if (!of.empty()) return of;
  of.resize(nodes.size());
  for (std::uint32_t n = 0; n < nodes.size(); ++n) {
    for (const std::uint32_t before : nodes[n].after) of[before].push_back(n);
  }
  return of;
}

}  // namespace streamscope::reconstruct

#include "engine/reconstruct/graph_nodes.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "engine/reconstruct/readiness.h"
#include "engine/reconstruct/transfer_time.h"

namespace streamscope::reconstruct {
namespace {

std::uint32_t to_uncertainty(Nanoseconds doubt) {
  return static_cast<std::uint32_t>(std::min<Nanoseconds>(doubt, 0xFFFFFFFF));
}

}  // namespace

// In the order in which they were ready: copies of one direction are assumed to take turns in that order.
void GraphNodes::go_through(OperationIndex launch) {
  const GraphId graph = std::get<program::op::Launch>(run_.operation(launch).work).graph;
  const auto& nodes = run_.program.graphs[graph.value].nodes;
  const auto& after = followers(graph);
  std::vector<std::size_t> waits_for(nodes.size());
  using Ready = std::pair<Nanoseconds, std::uint32_t>;
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
  const auto offer = [&](std::uint32_t node) {
    make_ready(run_, limits_, launch + 1 + node);
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
    if (run_.unseen(i) && known(run_.spans[i].ready)) infer_end(i);
    for (const std::uint32_t next : after[node]) {
      if (--waits_for[next] == 0) offer(next);
    }
  }
  if (known(run_.observed[launch].end)) end_launch(launch, nodes.size());
}

// Whether a kernel began at this node's limit that, as far as is known, waited for nothing that ended later.
bool GraphNodes::is_awaited(OperationIndex i) const {
  if (limits_.awaited_by[i] == kNoOperation) return false;
  const auto before = run_.dependencies.of(limits_.awaited_by[i]);
  return std::none_of(before.begin(), before.end(), [&](const program::Dependency& dependency) {
    const Nanoseconds end = run_.observed[dependency.on].end;
    return dependency.on != i && run_.spans[dependency.on].kind != OperationKind::launch && known(end) &&
           end > limits_.at[i] - 2 * run_.dispatch.after_dependency;
  });
}

void GraphNodes::infer_end(OperationIndex i) {
  trace::Span& span = run_.spans[i];
  const Moving moving = moving_time(run_, i, true);
  // What was seen is stronger here too.
  span.ready = std::max(span.host_begin, std::min(span.ready, limits_.at[i] - moving.shortest));
  const Nanoseconds low = span.ready + moving.shortest, high = std::max(low, limits_.at[i]);
  Nanoseconds& free = engine_free_[static_cast<std::size_t>(span.engine)];
  Nanoseconds start = span.ready + run_.dispatch.after_dependency;
  bool both = false;
  if (span.engine == Engine::h2d || span.engine == Engine::d2h) {
    start = std::max(start, free + run_.dispatch.after_copy);
    both = engine_free_[static_cast<std::size_t>(span.engine == Engine::h2d ? Engine::d2h : Engine::h2d)] > start;
  }
  Nanoseconds end = high;
  if (moving.bounded()) end = start + moving_time(run_, i, both).usual;
  if (is_awaited(i)) end = high - run_.dispatch.after_dependency;
  span.end = std::clamp(end, low, high);
  free = std::max(free, span.end);
  span.source = trace::Source::inferred;
  const Nanoseconds doubt = std::max(span.end - low, high - span.end) +
                            std::max(run_.observed[run_.operation(i).launch].uncertainty, span.ready_uncertainty);
  span.uncertainty = to_uncertainty(doubt);
}

// The last node of a launch to end ends with it: certainly so where no other could be the last.
void GraphNodes::end_launch(OperationIndex launch, std::size_t nodes) {
  const device::Observed& whole = run_.observed[launch];
  OperationIndex latest = launch + 1;
  std::size_t could_be_last = 0;
  for (OperationIndex i = launch + 1; i <= launch + nodes; ++i) {
    if (!known(run_.spans[i].end)) return;
    if (run_.spans[i].end > run_.spans[latest].end) latest = i;
    could_be_last += run_.unseen(i) && limits_.at[i] >= whole.end ? 1 : 0;
  }
  trace::Span& span = run_.spans[latest];
  if (!run_.unseen(latest) || whole.end > limits_.at[latest] || whole.end < span.end) return;
  const Nanoseconds moved = whole.end - span.end;
  span.end = whole.end;
  if (could_be_last == 1) {
    span.source = whole.source;
    span.uncertainty = whole.uncertainty;
  } else {
    span.uncertainty = to_uncertainty(span.uncertainty + moved);
  }
}

// By node: those that come right after it.
const std::vector<std::vector<std::uint32_t>>& GraphNodes::followers(GraphId graph) {
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

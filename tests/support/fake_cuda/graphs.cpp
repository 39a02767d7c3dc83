// Capture, and what launches of a captured graph put into the queue.
#include <algorithm>

#include "tests/support/fake_cuda/clock.h"
#include "tests/support/fake_cuda/queue.h"

namespace streamscope::fake_cuda {
namespace {

constexpr Nanoseconds kLaunchTakes = 1'500;

// Every node must come before what the origin ends with.
bool all_come_back(const CUgraph_st& graph, const std::vector<std::size_t>& at_end) {
  std::vector<bool> reached(graph.nodes.size(), false);
  std::vector<std::size_t> open = at_end;
  while (!open.empty()) {
    const std::size_t node = open.back();
    open.pop_back();
    if (reached[node]) continue;
    reached[node] = true;
    open.insert(open.end(), graph.nodes[node].after.begin(), graph.nodes[node].after.end());
  }
  return std::all_of(reached.begin(), reached.end(), [](bool one) { return one; });
}

}  // namespace

CUgraph_st* Queue::find(CUgraph_st* handle) { return graphs_.contains(handle) ? handle : nullptr; }
CUgraphExec_st* Queue::find(CUgraphExec_st* handle) { return executables_.contains(handle) ? handle : nullptr; }

bool Queue::begin_capture(CUstream_st* stream, CaptureMode mode) {
  if (stream->legacy || stream->capturing != nullptr) return false;
  auto made = std::make_unique<CUgraph_st>();
  made->id = ++captures_;
  made->by = std::this_thread::get_id();
  made->mode = mode;
  stream->capturing = made.get();
  stream->frontier.clear();
  graphs_.emplace(made.get(), std::move(made));
  return true;
}

CUgraph_st* Queue::end_capture(CUstream_st* stream) {
  CUgraph_st* const graph = stream->capturing;
  if (graph == nullptr) return nullptr;
  const bool whole = !graph->broken && all_come_back(*graph, stream->frontier);
  graph->by = {};
  const auto leave = [&](CUstream_st& one) {
    if (one.capturing != graph) return;
    one.capturing = nullptr;
    one.frontier.clear();
  };
  for (const auto& [handle, one] : streams_) leave(*one);
  for (const auto& [thread, one] : per_thread_) leave(*one);
  if (whole) return graph;
  for (const auto& [handle, event] : events_) {
    if (event->captured == graph) event->captured = nullptr;
  }
  graphs_.erase(graph);
  return nullptr;
}

bool Queue::breaks_captures(bool others) {
  bool any = false;
  for (const auto& [handle, graph] : graphs_) {
    if (graph->by == std::thread::id()) continue;
    const bool own = graph->by == std::this_thread::get_id();
    if (own ? graph->mode == CaptureMode::relaxed : !others || graph->mode != CaptureMode::global) continue;
    graph->broken = any = true;
  }
  return any;
}

CUgraphExec_st* Queue::instantiate(const CUgraph_st& graph) {
  auto made = std::make_unique<CUgraphExec_st>();
  made->nodes = graph.nodes;
  CUgraphExec_st* const handle = made.get();
  executables_.emplace(handle, std::move(made));
  return handle;
}

void Queue::launch(CUgraphExec_st* executable, CUstream_st* stream) {
  Work launches;
  launches.duration = kLaunchTakes;
  const WorkPtr begin = put(stream, std::move(launches));
  if (executable->last && !executable->last->ended) begin->after.push_back(executable->last);
  std::vector<WorkPtr> works;
  for (const CUgraph_st::Node& node : executable->nodes) {
    auto work = std::make_shared<Work>(node.make());
    work->issued = clock_.now();
    work->device = stream->device;
    work->after.push_back(begin);
    for (const std::size_t before : node.after) work->after.push_back(works[before]);
    if (node.waits != nullptr && events_.contains(node.waits) && node.waits->record && !node.waits->record->ended)
      work->after.push_back(node.waits->record);
    if (node.records != nullptr && events_.contains(node.records)) node.records->record = work;
    works.push_back(work);
    unfinished_.push_back(work);
  }
  executable->last = put(stream, Work{});
  executable->last->after.insert(executable->last->after.end(), works.begin(), works.end());
}

}  // namespace streamscope::fake_cuda

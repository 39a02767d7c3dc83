// Graphs: captured in the run, asked about, launched.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/translate.h"
#include "engine/program/check/operation_builder.h"

namespace streamscope::program {

bool OperationBuilder::alone_with(GraphId graph) {
  if (expansion_.program.threads.size() > 1) {
    const auto* other = expansion_.graph_launches[graph.value].unordered(expansion_.host_order, expansion_.thread);
    if (other != nullptr)
      return deny(name(0), tr("'{}' is used by {} (line {}) too, and nothing orders the two: an executable graph may "
                              "not be launched, or captured, by two threads at once; write `host: join {}` before it, "
                              "or capture a second graph",
                              expansion_.program.graphs[graph.value].name, thread_words(other->thread),
                              expansion_.program.operations[other->what].line, thread_name(other->thread)));
  }
  expansion_.graph_launches[graph.value].add(expansion_.host_order, expansion_.thread, next());
  return true;
}

OperationBuilder::Built OperationBuilder::launch() {
  const Symbol* symbol = use(name(0), SymbolKind::graph);
  if (!symbol) return std::nullopt;
  const GraphId graph{symbol->id};
  const Stream& origin = expansion_.program.streams[expansion_.program.graphs[graph.value].origin.value];
  if (device_ && origin.device != *device_)
    return refuse(name(0), tr("'{}' is captured from a stream of device {}; launch it into a stream of that device",
                              expansion_.program.graphs[graph.value].name, origin.device.value));
  if (!alone_with(graph)) return std::nullopt;
  return op::Launch{graph};
}

OperationBuilder::Built OperationBuilder::capture() {
  const Symbol* symbol = use(name(0), SymbolKind::graph);
  if (!symbol) return std::nullopt;
  const GraphId id{symbol->id};
  Graph& graph = expansion_.program.graphs[id.value];
  const LastUses<OperationIndex>& uses = expansion_.graph_launches[id.value];
  if (graph.captured_in_run)
    return refuse(name(0), tr("'{}' is captured twice; declare a graph for each capture, in a loop for example "
                              "`graph {}{{i}} on ...`",
                              graph.name, graph.name));
  if (uses.begin() != uses.end())
    return refuse(name(0), tr("'{}' is launched in line {}, before it is captured here; move this line above that one",
                              graph.name, expansion_.program.operations[uses.latest().what].line));
  if (!may_capture_here(graph) || !alone_with(id)) return std::nullopt;
  graph.captured_in_run = true;
  return op::Capture{id};
}

bool OperationBuilder::may_capture_here(const Graph& graph) {
  const auto& streams = expansion_.program.streams;
  const DeviceId device = streams[graph.origin.value].device;
  if (device != expansion_.device)
    return deny(name(0), tr("'{}' is captured from a stream of device {}; write `host: device {}` before this line",
                            graph.name, device.value, device.value));
  const auto of_other = std::find_if(graph.body.begin(), graph.body.end(), [&](const Operation& one) {
    return one.stream && streams[one.stream->value].per_thread.value_or(expansion_.thread) != expansion_.thread;
  });
  if (of_other == graph.body.end()) return true;
  return deny(name(0),
              tr("'{}' is captured from `per-thread` of {}, which is another stream than this thread's; capture "
                 "it there, or from a declared stream",
                 graph.name, thread_words(*streams[of_other->stream->value].per_thread)));
}

OperationBuilder::Built OperationBuilder::capture_info() {
  const Symbol* const stream = use(name(0), SymbolKind::stream);
  if (stream == nullptr) return std::nullopt;
  return op::CaptureInfo{StreamId{stream->id}};
}

}  // namespace streamscope::program

#include "engine/device/cuda/issue/graphs.h"

#include <fmt/format.h>

#include "engine/base/translate.h"
#include "engine/device/cuda/issue/issue.h"
#include "engine/device/cuda/runtime/cuda_error.h"

namespace streamscope::cuda {
namespace {

BodyTargets given_to(const program::Graph& graph, std::span<const Slots::Node> nodes, const NodeNotes& notes) {
  BodyTargets given;
  given.stamps.resize(graph.body.size());
  given.host_functions.resize(graph.body.size(), nullptr);
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const std::uint32_t body = graph.nodes[n].body;
    const program::Work& work = graph.body[body].work;
    if (program::kind(work) == OperationKind::kernel && notes.stamps != nullptr) {
      given.stamps[body] = {notes.stamps + nodes[n].first, notes.tickets + nodes[n].number};
    } else if (std::holds_alternative<program::op::HostFunction>(work)) {
      given.host_functions[body] = &notes.host_functions[nodes[n].number];
    }
  }
  return given;
}

// A capture that has begun is always ended, whatever fails in between.
Result<UniqueGraph> capture(const IssueTargets& to, const program::Graph& graph, const BodyTargets& given) {
  const auto doing = [&](std::uint32_t line) {
    return tr("while capturing graph {} (line {}){}", graph.name, graph.line,
              line == graph.line ? std::string() : tr(": its line {}", line));
  };
  const cudaStream_t origin = to.streams[graph.origin.value];
  CUDA_TRY(cudaStreamBeginCapture(origin, cudaStreamCaptureModeThreadLocal), doing(graph.line));
  const IssuedBody issued = issue_body(to, graph, given);
  cudaGraph_t made = nullptr;
  const cudaError_t ended = cudaStreamEndCapture(origin, &made);
  UniqueGraph captured(made);
  if (issued.code != cudaSuccess) {
    return fail(cuda_error(issued.code, issued.call, doing(graph.body[issued.failed].line)));
  }
  if (ended != cudaSuccess) return fail(cuda_error(ended, "cudaStreamEndCapture", doing(graph.line)));
  return captured;
}

}  // namespace

Result<ExecutableGraphs> ExecutableGraphs::make(const IssueTargets& targets, const Slots& slots, const NodeNotes& notes,
                                                cudaStream_t control) {
  ExecutableGraphs made;
  const program::Program& program = *targets.program;
  if (program.graphs.empty()) return made;
  std::vector<UniqueEvent> owned_events;
  std::vector<cudaEvent_t> events;
  for (std::size_t e = 0; e < program.events.size(); ++e) {
    auto event = TRY(make_event(false));
    events.push_back(event.get());
    owned_events.push_back(std::move(event));
  }
  IssueTargets under_capture = targets;
  under_capture.events = events;
  for (std::size_t g = 0; g < program.graphs.size(); ++g) {
    const program::Graph& graph = program.graphs[g];
    const std::string doing = tr("while making graph {} (line {}) ready", graph.name, graph.line);
    BodyTargets given = given_to(graph, slots.nodes[g], notes);
    std::vector<cudaGraphNode_t> of_body(notes.instantiated ? graph.body.size() : 0, nullptr);
    given.nodes = of_body;
    const auto captured = TRY(capture(under_capture, graph, given));
    cudaGraphExec_t executable = nullptr;
    CUDA_TRY(cudaGraphInstantiate(&executable, captured.get(), 0), doing);
    made.owned_.emplace_back(executable);
    made.views_.push_back(executable);
    if (notes.instantiated) {
      std::vector<cudaGraphNode_t> nodes;
      for (const auto& node : graph.nodes) nodes.push_back(of_body[node.body]);
      notes.instantiated(GraphId{static_cast<std::uint32_t>(g)}, nodes);
    }
    CUDA_TRY(cudaGraphUpload(executable, control), doing);
  }
  CUDA_TRY(cudaStreamSynchronize(control), tr("while making graphs ready"));
  return made;
}

}  // namespace streamscope::cuda

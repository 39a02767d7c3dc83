#include "engine/device/cuda/issue/graphs.h"

#include <fmt/format.h>

#include "engine/base/translate.h"
#include "engine/device/cuda/issue/capture_calls.h"
#include "engine/device/cuda/issue/issue.h"
#include "engine/device/cuda/runtime/cuda_error.h"

namespace streamscope::cuda {
namespace {

constexpr const char* kMakingReady = tr_later("while making graphs ready");

BodyTargets given_to(const program::Graph& graph, std::span<const Slots::Node> nodes, const NodeNotes& notes,
                     DeviceId device) {
  BodyTargets given;
  given.stamps.resize(graph.body.size());
  given.host_functions.resize(graph.body.size(), nullptr);
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const std::uint32_t body = graph.nodes[n].body;
    const program::Work& work = graph.body[body].work;
    if (program::kind(work) == OperationKind::kernel && !notes.stamps.empty()) {
      const NodeStamps& to = notes.stamps[device.value];
      given.stamps[body] = {to.stamps + nodes[n].first, to.tickets + nodes[n].number};
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
  CUDA_TRY(cudaStreamBeginCapture(origin, capture_mode(graph.mode)), doing(graph.line));
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
                                                std::span<const cudaStream_t> control) {
  ExecutableGraphs made;
  const program::Program& program = *targets.program;
  if (program.graphs.empty()) return made;
  for (const program::Event& declared : program.events) {
    CUDA_TRY(cudaSetDevice(targets.devices[declared.device.value].index), tr(kMakingReady));
    auto event = TRY(make_event(false));
    made.event_views_.push_back(event.get());
    made.events_.push_back(std::move(event));
  }
  for (std::size_t g = 0; g < program.graphs.size(); ++g) {
    const program::Graph& graph = program.graphs[g];
    const std::string doing = tr("while making graph {} (line {}) ready", graph.name, graph.line);
    const DeviceId device = program.streams[graph.origin.value].device;
    GraphTargets& to = made.graphs_.emplace_back();
    to.body = given_to(graph, slots.nodes[g], notes, device);
    to.body.events = made.event_views_;
    if (graph.captured_in_run) continue;
    CUDA_TRY(cudaSetDevice(targets.devices[device.value].index), doing);
    BodyTargets given = to.body;
    std::vector<cudaGraphNode_t> of_body(notes.instantiated ? graph.body.size() : 0, nullptr);
    given.nodes = of_body;
    const auto captured = TRY(capture(targets, graph, given));
    cudaGraphExec_t executable = nullptr;
    CUDA_TRY(cudaGraphInstantiate(&executable, captured.get(), 0), doing);
    to.executable.reset(executable);
    if (notes.instantiated) {
      std::vector<cudaGraphNode_t> nodes;
      for (const auto& node : graph.nodes) nodes.push_back(of_body[node.body]);
      notes.instantiated(GraphId{static_cast<std::uint32_t>(g)}, nodes);
    }
    CUDA_TRY(cudaGraphUpload(executable, control[device.value]), doing);
  }
  for (const cudaStream_t stream : control) CUDA_TRY(cudaStreamSynchronize(stream), tr(kMakingReady));
  CUDA_TRY(cudaSetDevice(targets.devices[0].index), tr(kMakingReady));
  return made;
}

void start_over(const program::Program& program, std::span<GraphTargets> graphs) {
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    if (!program.graphs[g].captured_in_run) continue;
    graphs[g].executable.reset();
    graphs[g].captured.reset();
  }
}

}  // namespace streamscope::cuda

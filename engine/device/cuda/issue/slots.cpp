#include "engine/device/cuda/issue/slots.h"

#include "kernels/own/wrap.h"

namespace streamscope::cuda {
namespace {

// Also one that fails, once it runs.
bool is_kernel(const program::Operation& operation) {
  const auto* fault = std::get_if<program::op::Fault>(&operation.work);
  return fault != nullptr ? fault->kind != program::FaultKind::launch_config
                          : program::kind(operation.work) == OperationKind::kernel;
}
bool is_host_function(const program::Operation& operation) {
  return std::holds_alternative<program::op::HostFunction>(operation.work);
}

}  // namespace

std::uint32_t stamps_of(const program::Program& program, const program::Operation& operation) {
  const kernels::Choice* const kernel = program::kernel_of(program, operation.work);
  if (kernel == nullptr || kernel->kernel->own() == nullptr || operation.launch != kNoOperation) return 1;
  return kernels::stamps_of_launch(kernel->kernel->shape(kernel->values, 0, 1).blocks);
}

Slots slots_of(const program::Program& program) {
  Slots slots;
  slots.launches.resize(program.graphs.size(), 0);
  for (const program::Operation& operation : program.operations) {
    if (const auto* launch = std::get_if<program::op::Launch>(&operation.work)) ++slots.launches[launch->graph.value];
  }
  const auto take = [&](const program::Operation& operation, std::uint32_t count) {
    std::size_t& row = is_kernel(operation) ? slots.stamps : slots.host_functions;
    const auto first = static_cast<std::uint32_t>(row);
    if (is_kernel(operation) || is_host_function(operation)) row += count;
    return first;
  };
  for (std::size_t g = 0; g < program.graphs.size(); ++g) {
    const program::Graph& graph = program.graphs[g];
    auto& nodes = slots.nodes.emplace_back(graph.nodes.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const program::Operation& operation = graph.body[graph.nodes[n].body];
      nodes[n].first = take(operation, slots.launches[g]);
      if (is_kernel(operation)) nodes[n].number = static_cast<std::uint32_t>(slots.kernel_nodes++);
      if (is_host_function(operation)) nodes[n].number = static_cast<std::uint32_t>(slots.host_function_nodes++);
    }
  }
  slots.of_operation.resize(program.operations.size(), 0);
  for (std::size_t i = 0; i < slots.of_operation.size(); ++i) {
    const program::Operation& operation = program.operations[i];
    if (!is_kernel(operation) && !is_host_function(operation)) continue;
    const auto index = static_cast<OperationIndex>(i);
    slots.of_operation[i] = operation.launch == kNoOperation
                                ? take(operation, stamps_of(program, operation))
                                : slots.nodes[graph_of(program, operation).value][node_of(operation, index)].first;
  }
  return slots;
}

}  // namespace streamscope::cuda

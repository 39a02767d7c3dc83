// Where the stamp of each kernel and the note of each host function is, in two arrays of slots.
//
// A graph repeats its nodes: a node has consecutive slots, one for each of the graph's launches, and the nth launch of
// a run writes the nth of them (StampTo, RepeatedHostFunction).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/program/program.h"

namespace streamscope::cuda {

struct Slots {
  // By operation; 0 where there is none. Of a graph's node: the first of its slots.
  std::vector<std::uint32_t> of_operation;
  std::size_t stamps = 0, host_functions = 0;

  struct Node {
    std::uint32_t first = 0;   // slot
    std::uint32_t number = 0;  // among the kernel nodes, or the host function nodes, of all graphs
  };
  std::vector<std::vector<Node>> nodes;  // by GraphId, by node
  std::vector<std::uint32_t> launches;   // by GraphId
  std::size_t kernel_nodes = 0, host_function_nodes = 0;
};

Slots slots_of(const program::Program& program);
// How many slots a kernel has, one after the other: one, but of the program's own (kernels::stamps_of_launch).
std::uint32_t stamps_of(const program::Program& program, const program::Operation& operation);

// Which node of its graph an operation with Operation::launch is.
inline std::uint32_t node_of(const program::Operation& operation, OperationIndex index) {
  return index - operation.launch - 1;
}
inline GraphId graph_of(const program::Program& program, const program::Operation& node) {
  return std::get<program::op::Launch>(program.operations[node.launch].work).graph;
}

}  // namespace streamscope::cuda

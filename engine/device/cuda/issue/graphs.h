// A program's graphs for CUDA: captured from its streams, instantiated and uploaded before any timed interval.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "engine/device/cuda/issue/issue_targets.h"
#include "engine/device/cuda/issue/slots.h"
#include "engine/device/cuda/runtime/handle.h"

namespace streamscope::cuda {

// Where kernel nodes write their stamps: memory of one device.
struct NodeStamps {
  kernels::Stamp* stamps = nullptr;       // by slot
  unsigned long long* tickets = nullptr;  // one for each kernel node
};

// What nodes write besides the program's data.
struct NodeNotes {
  std::span<const NodeStamps> stamps{};              // by DeviceId; empty: kernels write none
  std::span<RepeatedHostFunction> host_functions{};  // one for each host function node
  // Called for each graph once it is instantiated, as long as what was captured exists: its captured nodes, by node.
  std::function<void(GraphId, std::span<const cudaGraphNode_t>)> instantiated{};
};

class ExecutableGraphs {
 public:
  // `control`: by DeviceId a stream outside the program, for the upload. Errors name the graph and the line. The
  // program's streams must be idle. Capture uses events of its own, since an event that was recorded under capture
  // cannot be used outside the graph.
  static Result<ExecutableGraphs> make(const IssueTargets& targets, const Slots& slots, const NodeNotes& notes,
                                       std::span<const cudaStream_t> control);
  std::span<const cudaGraphExec_t> views() const { return views_; }  // by GraphId

 private:
  std::vector<UniqueGraphExec> owned_;
  std::vector<cudaGraphExec_t> views_;
};

}  // namespace streamscope::cuda

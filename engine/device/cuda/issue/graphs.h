// A program's graphs for CUDA: captured from its streams, instantiated and uploaded before any timed interval; but for
// those that the run captures, of which all is prepared that their calls write to.
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
  // program's streams must be idle.
  static Result<ExecutableGraphs> make(const IssueTargets& targets, const Slots& slots, const NodeNotes& notes,
                                       std::span<const cudaStream_t> control);
  std::span<GraphTargets> views() { return graphs_; }  // by GraphId

 private:
  std::vector<UniqueEvent> events_;
  std::vector<cudaEvent_t> event_views_;
  std::vector<GraphTargets> graphs_;
};

// Destroys those that a run has captured, so that another one may. With the device idle.
void start_over(const program::Program& program, std::span<GraphTargets> graphs);

}  // namespace streamscope::cuda

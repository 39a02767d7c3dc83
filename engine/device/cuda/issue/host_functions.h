// The arguments of a program's host functions: what they do, and where they note when they ran.
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "engine/device/cuda/issue/issue_targets.h"
#include "engine/device/cuda/issue/slots.h"

namespace streamscope::cuda {

// Called by cudaLaunchHostFunc, with a HostFunctionCall or, in a graph, a RepeatedHostFunction.
void CUDART_CB run_host_function(void* host_function_call);
void CUDART_CB repeat_host_function(void* repeated_host_function);
// Called by cudaStreamAddCallback.
void CUDART_CB run_callback(cudaStream_t stream, cudaError_t status, void* host_function_call);

class HostFunctions {
 public:
  HostFunctions() = default;
  // They end early once `abandoned` is set.
  HostFunctions(const program::Program& program, const Slots& slots, const std::atomic<bool>& abandoned,
                HostClock clock);

  std::span<HostFunctionCall> calls() { return calls_; }                                  // by slot
  std::span<RepeatedHostFunction> repeated() const { return {repeated_.get(), nodes_}; }  // of graphs' nodes

  // Before a run: none has run yet, and each graph node's executions are counted from 0 again.
  void start_over();
  // For those that have begun, 100 ms at most: behind an error that sticks no call of CUDA's waits for them.
  void wait_for_running() const;
  // The driver's thread for host functions goes to sleep after about 150 us without work and then takes some 250 us
  // longer (H200). Waking it before each pass keeps passes comparable.
  Result<void> wake_callbacks(cudaStream_t stream) const;

 private:
  std::vector<HostFunctionCall> calls_;
  std::unique_ptr<RepeatedHostFunction[]> repeated_;
  std::size_t nodes_ = 0;
};

}  // namespace streamscope::cuda

// What a program's host functions are given, and where they note when they ran.
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "engine/device/cuda/issue/issue_targets.h"
#include "engine/device/cuda/issue/slots.h"

namespace streamscope::cuda {

// What cudaLaunchHostFunc calls: with a HostFunctionCall, or in a graph with a RepeatedHostFunction.
void CUDART_CB run_host_function(void* host_function_call);
void CUDART_CB repeat_host_function(void* repeated_host_function);

class HostFunctions {
 public:
  HostFunctions() = default;
  // They end early once `abandoned` is set.
  HostFunctions(const program::Program& program, const Slots& slots, const std::atomic<bool>& abandoned,
                HostClock clock);

  std::span<HostFunctionCall> calls() { return calls_; }                                  // by slot
  std::span<RepeatedHostFunction> repeated() const { return {repeated_.get(), nodes_}; }  // of graphs' nodes

  // Before a run: each node's next time is its first.
  void start_over();
  // The driver's thread for host functions sleeps when it has had none for about 150 us, and takes some 250 us more
  // then (measured on an H200): whether it does would depend on how long ago the last pass was.
  Result<void> wake_callbacks(cudaStream_t stream) const;

 private:
  std::vector<HostFunctionCall> calls_;
  std::unique_ptr<RepeatedHostFunction[]> repeated_;
  std::size_t nodes_ = 0;
};

}  // namespace streamscope::cuda

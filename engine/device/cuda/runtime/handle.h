// Owners of CUDA streams, events and graphs. What uses them takes the plain cudaStream_t or cudaEvent_t: a view.
//
// A destructor's CUDA call can fail only after the context is lost, when there is nothing left to give back.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "engine/base/result.h"

namespace streamscope::cuda {

template <class Handle, cudaError_t (*destroy)(Handle)>
struct Deleter {
  using pointer = Handle;
  void operator()(Handle handle) const noexcept { destroy(handle); }
};
// With work pending it returns at once, and the work still completes (docs/cuda-rules.md 18).
using UniqueStream = std::unique_ptr<CUstream_st, Deleter<cudaStream_t, cudaStreamDestroy>>;
using UniqueEvent = std::unique_ptr<CUevent_st, Deleter<cudaEvent_t, cudaEventDestroy>>;
using UniqueGraph = std::unique_ptr<CUgraph_st, Deleter<cudaGraph_t, cudaGraphDestroy>>;
using UniqueGraphExec = std::unique_ptr<CUgraphExec_st, Deleter<cudaGraphExec_t, cudaGraphExecDestroy>>;

// flags: cudaStreamDefault or cudaStreamNonBlocking. The device clamps the priority.
Result<UniqueStream> make_stream(unsigned flags, int priority);
constexpr unsigned event_flags(bool timing, bool blocking_sync) {
  return (timing ? 0u : unsigned{cudaEventDisableTiming}) | (blocking_sync ? unsigned{cudaEventBlockingSync} : 0u);
}
Result<UniqueEvent> make_event(bool timing = true, bool blocking_sync = false);

}  // namespace streamscope::cuda

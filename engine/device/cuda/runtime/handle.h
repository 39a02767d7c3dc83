// Owners of CUDA streams, events and graphs. What uses them takes the plain cudaStream_t or cudaEvent_t: a view.
//
// A destructor's CUDA call can fail only after the context is lost, when there is nothing left to give back.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "engine/base/result.h"

namespace streamscope::cuda {

struct StreamDeleter {
  using pointer = cudaStream_t;
  // With work pending it returns at once, and the work still completes (cuda-rules 18).
  void operator()(cudaStream_t stream) const noexcept { cudaStreamDestroy(stream); }
};
using UniqueStream = std::unique_ptr<CUstream_st, StreamDeleter>;

struct EventDeleter {
  using pointer = cudaEvent_t;
  void operator()(cudaEvent_t event) const noexcept { cudaEventDestroy(event); }
};
using UniqueEvent = std::unique_ptr<CUevent_st, EventDeleter>;

struct GraphDeleter {
  using pointer = cudaGraph_t;
  void operator()(cudaGraph_t graph) const noexcept { cudaGraphDestroy(graph); }
};
using UniqueGraph = std::unique_ptr<CUgraph_st, GraphDeleter>;

struct GraphExecDeleter {
  using pointer = cudaGraphExec_t;
  void operator()(cudaGraphExec_t executable) const noexcept { cudaGraphExecDestroy(executable); }
};
using UniqueGraphExec = std::unique_ptr<CUgraphExec_st, GraphExecDeleter>;

// flags: cudaStreamDefault or cudaStreamNonBlocking. The device clamps the priority.
Result<UniqueStream> make_stream(unsigned flags, int priority);
Result<UniqueEvent> make_event(bool timing = true);

}  // namespace streamscope::cuda

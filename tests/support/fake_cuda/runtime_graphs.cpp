// Stream capture and graphs.
#include <cuda_runtime_api.h>

#include "tests/support/fake_cuda/machine.h"

using namespace streamscope::fake_cuda;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return call("cudaStreamBeginCapture", "", [&](Machine& machine) {
    CUstream_st* const found = machine.queue.find(stream);
    if (found != nullptr && machine.queue.begin_capture(found, static_cast<CaptureMode>(mode))) return cudaSuccess;
    return machine.misuse("a stream that cannot be captured", cudaErrorStreamCaptureUnsupported);
  });
}

// Ends the capture even where it fails.
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  const cudaError_t code = call(
      "cudaStreamEndCapture", "",
      [&](Machine& machine) {
        *graph = nullptr;
        CUstream_st* const found = machine.queue.find(stream);
        const bool broken = found != nullptr && found->capturing != nullptr && found->capturing->broken;
        if (found != nullptr) *graph = machine.queue.end_capture(found);
        if (*graph != nullptr) return cudaSuccess;
        return broken ? cudaErrorStreamCaptureInvalidated : cudaErrorStreamCaptureUnjoined;
      },
      Failing::releases_all_the_same);
  if (code != cudaSuccess && *graph != nullptr) {
    Machine& machine = the_machine();
    const std::lock_guard lock(machine.mutex);
    machine.queue.destroy(*graph);
    *graph = nullptr;
  }
  return code;
}

// Only CUPTI's instrument asks for nodes, and the fake has no CUPTI.
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t*, const cudaGraphNode_t** nodes, const cudaGraphEdgeData**,
                                     std::size_t* count) {
  return call("cudaStreamGetCaptureInfo", "", [&](Machine& machine) {
    const CUstream_st* const found = machine.queue.find(stream);
    if (found == nullptr) return machine.misuse("a dead stream is asked", cudaErrorInvalidResourceHandle);
    const CUgraph_st* const graph = found->capturing;
    *status = graph == nullptr ? cudaStreamCaptureStatusNone
              : graph->broken  ? cudaStreamCaptureStatusInvalidated
                               : cudaStreamCaptureStatusActive;
    if (graph != nullptr && id != nullptr) *id = graph->id;
    if (nodes != nullptr) *nodes = nullptr;
    if (count != nullptr) *count = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return call("cudaThreadExchangeStreamCaptureMode", "", [&](Machine&) {
    std::swap(*mode, capture_mode);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  return call("cudaGraphInstantiate", "", [&](Machine& machine) {
    if (graph == nullptr) return cudaErrorInvalidValue;  // of a capture that was broken
    CUgraph_st* const found = machine.queue.find(graph);
    if (found == nullptr) return machine.misuse("a dead graph is instantiated");
    *executable = machine.queue.instantiate(*found);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  return call("cudaGraphUpload", "", [&](Machine& machine) {
    if (machine.queue.find(executable) == nullptr || machine.queue.find(stream) == nullptr) {
      return machine.misuse("a dead graph, or a dead stream, in an upload");
    }
    return cudaSuccess;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return call("cudaGraphLaunch", "", [&](Machine& machine) {
    if (executable == nullptr) return cudaErrorInvalidValue;
    CUgraphExec_st* const found = machine.queue.find(executable);
    CUstream_st* const in = machine.queue.find(stream);
    if (found == nullptr || in == nullptr || in->capturing != nullptr) {
      return machine.misuse("a launch of a dead graph, in a dead stream or in one that is captured");
    }
    machine.queue.launch(found, in);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return call(
      "cudaGraphDestroy", "",
      [&](Machine& machine) {
        return machine.queue.destroy(graph) ? cudaSuccess : machine.misuse("a dead graph is destroyed");
      },
      Failing::releases_all_the_same);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return call(
      "cudaGraphExecDestroy", "",
      [&](Machine& machine) {
        return machine.queue.destroy(executable) ? cudaSuccess : machine.misuse("a dead executable graph is destroyed");
      },
      Failing::releases_all_the_same);
}

}  // extern "C"

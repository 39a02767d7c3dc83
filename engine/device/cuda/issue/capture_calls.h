// Calls about a stream's capture, as the CUDA versions have them.
#pragma once

#include <cuda_runtime_api.h>

#include "engine/program/program.h"
#include "engine/trace/answers.h"

namespace streamscope::cuda {

constexpr cudaStreamCaptureMode capture_mode(program::CaptureMode mode) {
  switch (mode) {
    case program::CaptureMode::global: return cudaStreamCaptureModeGlobal;
    case program::CaptureMode::thread_local_: return cudaStreamCaptureModeThreadLocal;
    case program::CaptureMode::relaxed: break;
  }
  return cudaStreamCaptureModeRelaxed;
}

constexpr trace::CaptureStatus status_of(cudaStreamCaptureStatus status) {
  return status == cudaStreamCaptureStatusNone     ? trace::CaptureStatus::none
         : status == cudaStreamCaptureStatusActive ? trace::CaptureStatus::active
                                                   : trace::CaptureStatus::invalidated;
}

struct CaptureInfo {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned long long id = 0;
  const cudaGraphNode_t* nodes = nullptr;  // that what comes next in the stream is after
  std::size_t count = 0;
};
inline cudaError_t capture_info(cudaStream_t stream, CaptureInfo& info) {
#if CUDART_VERSION >= 13000
  return cudaStreamGetCaptureInfo(stream, &info.status, &info.id, nullptr, &info.nodes, nullptr, &info.count);
#else
  return cudaStreamGetCaptureInfo_v2(stream, &info.status, &info.id, nullptr, &info.nodes, &info.count);
#endif
}

}  // namespace streamscope::cuda

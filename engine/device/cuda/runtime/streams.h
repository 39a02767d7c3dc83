// The CUDA streams and events of a program, each made on its device.
#pragma once

#include <vector>

#include "engine/device/cuda/runtime/gpus.h"
#include "engine/device/cuda/runtime/handle.h"
#include "engine/program/program.h"

namespace streamscope::cuda {

struct ProgramStreams {
  static Result<ProgramStreams> make(const Gpus& gpus, const program::Program& program);
  // What a run made and did not destroy.
  void destroy_what_the_run_made(const program::Program& program) noexcept;

  // By StreamId; null for a stream that exists only inside graphs, or that the run makes and has not made yet: no call
  // may use it (to CUDA null would be the default stream, for which cudaStreamLegacy stands here).
  std::vector<cudaStream_t> streams;
  // By DeviceId: those that exist on the calling thread, the default streams for whoever has that device current.
  std::vector<std::vector<cudaStream_t>> real;
  std::vector<cudaEvent_t> events;  // by EventId

  std::vector<UniqueStream> owned_streams;
  std::vector<UniqueEvent> owned_events;
};

}  // namespace streamscope::cuda

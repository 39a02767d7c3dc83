// A program's streams and events as CUDA's.
#pragma once

#include <vector>

#include "engine/device/cuda/runtime/handle.h"
#include "engine/program/program.h"

namespace streamscope::cuda {

struct ProgramStreams {
  static Result<ProgramStreams> make(const program::Program& program);

  std::vector<cudaStream_t> streams;  // by StreamId; null for a lane of a graph
  std::vector<cudaStream_t> real;     // those that are streams of this thread's
  std::vector<cudaEvent_t> events;    // by EventId

  std::vector<UniqueStream> owned_streams;
  std::vector<UniqueEvent> owned_events;
};

}  // namespace streamscope::cuda

#include "engine/device/cuda/runtime/handle.h"

#include "engine/base/translate.h"
#include "engine/device/cuda/runtime/cuda_error.h"

namespace streamscope::cuda {

Result<UniqueStream> make_stream(unsigned flags, int priority) {
  cudaStream_t stream = nullptr;
  CUDA_TRY(cudaStreamCreateWithPriority(&stream, flags, priority), tr("while making a stream"));
  return UniqueStream(stream);
}

Result<UniqueEvent> make_event(bool timing, bool blocking_sync) {
  cudaEvent_t event = nullptr;
  CUDA_TRY(cudaEventCreateWithFlags(&event, event_flags(timing, blocking_sync)), tr("while making an event"));
  return UniqueEvent(event);
}

}  // namespace streamscope::cuda

#include "engine/device/cuda/runtime/streams.h"

#include <utility>

namespace streamscope::cuda {

Result<ProgramStreams> ProgramStreams::make(const program::Program& program) {
  ProgramStreams all;
  all.streams = all.real = {cudaStreamLegacy, cudaStreamPerThread};
  for (std::size_t s = all.streams.size(); s < program.streams.size(); ++s) {
    const program::Stream& stream = program.streams[s];
    if (stream.per_thread || stream.of_graph) {
      // The per-thread handle means another stream in every thread; a stream only inside graphs does not exist.
      all.streams.push_back(stream.per_thread ? cudaStreamPerThread : nullptr);
      continue;
    }
    auto made = TRY(make_stream(stream.nonblocking ? cudaStreamNonBlocking : cudaStreamDefault, stream.priority));
    all.streams.push_back(made.get());
    all.real.push_back(made.get());
    all.owned_streams.push_back(std::move(made));
  }
  for (const program::Event& event : program.events) {
    auto made = TRY(make_event(event.timing, event.blocking_sync));
    all.events.push_back(made.get());
    all.owned_events.push_back(std::move(made));
  }
  return all;
}

}  // namespace streamscope::cuda

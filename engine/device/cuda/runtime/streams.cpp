#include "engine/device/cuda/runtime/streams.h"

#include <utility>

namespace streamscope::cuda {

Result<ProgramStreams> ProgramStreams::make(const Gpus& gpus, const program::Program& program) {
  ProgramStreams all;
  all.streams = {cudaStreamLegacy, cudaStreamPerThread};
  all.real.assign(gpus.size(), all.streams);
  for (std::size_t s = all.streams.size(); s < program.streams.size(); ++s) {
    const program::Stream& stream = program.streams[s];
    if (stream.legacy) {
      all.streams.push_back(cudaStreamLegacy);
      continue;
    }
    if (stream.per_thread || stream.of_graph || stream.made_in_run) {
      // The per-thread handle means another stream in every thread; a stream only inside graphs does not exist, one
      // that the run makes does not yet.
      all.streams.push_back(stream.per_thread ? cudaStreamPerThread : nullptr);
      continue;
    }
    TRY(gpus[stream.device].use());
    auto made = TRY(make_stream(stream.nonblocking ? cudaStreamNonBlocking : cudaStreamDefault, stream.priority));
    all.streams.push_back(made.get());
    all.real[stream.device.value].push_back(made.get());
    all.owned_streams.push_back(std::move(made));
  }
  for (const program::Event& event : program.events) {
    if (event.made_in_run) {
      all.events.push_back(nullptr);
      continue;
    }
    TRY(gpus[event.device].use());
    auto made = TRY(make_event(event.timing, event.blocking_sync));
    all.events.push_back(made.get());
    all.owned_events.push_back(std::move(made));
  }
  TRY(gpus.first().use());
  return all;
}

void ProgramStreams::destroy_what_the_run_made(const program::Program& program) noexcept {
  for (std::size_t s = 0; s < streams.size(); ++s) {
    if (program.streams[s].made_in_run && streams[s] != nullptr) cudaStreamDestroy(std::exchange(streams[s], nullptr));
  }
  for (std::size_t e = 0; e < events.size(); ++e) {
    if (program.events[e].made_in_run && events[e] != nullptr) cudaEventDestroy(std::exchange(events[e], nullptr));
  }
}

}  // namespace streamscope::cuda

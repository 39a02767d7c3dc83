// Sends spans while a long run is still going on.
//
// A second thread looks every 50 ms; a run that is over by then is not affected. What it sends is final: the map
// between the clocks is fixed before the run, a time once read is kept, and only spans that later observations cannot
// change are sent (see final_spans.h). Each look costs the run a few microseconds of the driver's time and a small copy
// to the host, on an engine that the run may be using: so a measurement looks at its warm-up and at no pass that it
// times (engine/measure/repeat.h). The handshake after the run measures how good the map was and changes no time.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/device/cuda/instrument/instrument.h"
#include "engine/device/device.h"

namespace streamscope::cuda {

class LiveSpans final : public LiveView {
 public:
  // Both must outlive this. For a program with several host threads nothing is sent: the dependencies follow from the
  // order in which the threads issued, which is known only at the end.
  LiveSpans(Instruments& instruments, const device::SpanSink& sink);
  ~LiveSpans() override;
  LiveSpans(const LiveSpans&) = delete;
  LiveSpans& operator=(const LiveSpans&) = delete;

 private:
  void run(const std::stop_token& over);
  // False if looking again is pointless.
  bool look_and_send();

  Instruments& instruments_;
  const device::SpanSink& sink_;
  std::vector<std::uint8_t> sent_;
  std::vector<trace::Span> batch_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;  // the last, so that it ends first
};

}  // namespace streamscope::cuda

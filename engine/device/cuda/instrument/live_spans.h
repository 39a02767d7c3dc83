// Hands out spans while a long run still goes on.
//
// A thread beside the one that issues looks every 50 ms; a run that is over by the first look never meets it. What it
// sends is final: the map between the clocks is fixed before the run, a time once read is kept, and only spans that
// nothing to come can change are sent (see reconstruct()). Each look costs the run a few microseconds of the driver's
// time and one small copy to the host; the handshake after the run tells how good the map was and changes no time.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/device/cuda/instrument/instrument.h"
#include "engine/device/device.h"

namespace streamscope::cuda {

class LiveSpans {
 public:
  // Both must outlive this. Of a program with several host threads nothing is sent ahead: what comes after what depends
  // on the order in which they issued, which is known when all have.
  LiveSpans(Instruments& instruments, const device::SpanSink& sink);
  ~LiveSpans() { finish(); }
  LiveSpans(const LiveSpans&) = delete;
  LiveSpans& operator=(const LiveSpans&) = delete;

  // From then on nobody looks and nothing is sent.
  void finish();

 private:
  void run(const std::stop_token& over);
  // False where it makes no sense to look again.
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

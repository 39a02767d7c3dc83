#include "engine/device/cuda/instrument/live_spans.h"

#include <algorithm>
#include <chrono>
#include <system_error>

#include "engine/reconstruct/final_spans.h"

namespace streamscope::cuda {
namespace {

constexpr std::chrono::milliseconds kBetweenBatches{50};
constexpr std::size_t kLargestBatch = 4096;

}  // namespace

LiveSpans::LiveSpans(Instruments& instruments, const device::SpanSink& sink) : instruments_(instruments), sink_(sink) {
  if (!sink_ || instruments.program().threads.size() > 1) return;
  // To ask a stream that is just being captured would break the capture.
  if (std::ranges::any_of(instruments.program().graphs, &program::Graph::captured_in_run)) return;
  try {
    thread_ = std::jthread([this](const std::stop_token& over) { run(over); });
  } catch (const std::system_error&) {  // no thread available: the spans come when the run is over
  }
}

LiveSpans::~LiveSpans() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

void LiveSpans::run(const std::stop_token& over) {
  if (!instruments_.use()) return;
  std::chrono::nanoseconds pause = kBetweenBatches;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, over, pause, [] { return false; });
    }
    if (over.stop_requested()) return;
    const Nanoseconds began = host_now();
    // A fault shows itself to the thread that runs the program, which reports it.
    try {
      if (!look_and_send()) return;
    } catch (...) {
      return;
    }
    // A program of very many operations is looked at less often, so that looking stays a small part.
    pause = std::max<std::chrono::nanoseconds>(kBetweenBatches, std::chrono::nanoseconds(10 * (host_now() - began)));
  }
}

bool LiveSpans::look_and_send() {
  const std::size_t issued = instruments_.issued();
  // Operations held by a gate become ready when it opens, a time that is not known yet.
  if (issued == 0 || instruments_.held()) return true;
  const Nanoseconds now = instruments_.seen_until() - instruments_.zero();
  if (!instruments_.look(issued, false)) return false;
  const std::span<const trace::Span> spans = instruments_.spans();
  if (sent_.empty()) sent_.resize(spans.size(), 0);
  const std::vector<bool> final =
      reconstruct::final_spans(instruments_.program(), instruments_.dependencies(), spans, issued, now);
  for (std::size_t i = 0; i < issued; ++i) {
    if (sent_[i] || !final[i]) continue;
    sent_[i] = 1;
    batch_.push_back(spans[i]);
    if (batch_.size() == kLargestBatch) {
      sink_(batch_);
      batch_.clear();
    }
  }
  if (!batch_.empty()) sink_(batch_);
  batch_.clear();
  return true;
}

}  // namespace streamscope::cuda

#include "engine/device/cuda/instrument/event_watcher.h"

#include <fmt/format.h>

#include <map>
#include <system_error>
#include <utility>

#include "engine/base/translate.h"

namespace streamscope::cuda {
namespace {

// How long after an operation's end the host can see its event, in round trips of the handshake (device_clock.h): for
// work within the device a little more than the way to the host, half a round trip; a copy over the bus ends only when
// its last bytes are acknowledged. Chosen so that the median error against CUPTI's records on an H200 (2026) is 0; on
// another GPU it may be otherwise, so the stated uncertainty reaches from no delay at all to twice this one.
constexpr double kDelayFromDevice = 0.7, kDelayFromBus = 1.3;

}  // namespace

SeenEnd seen_end(Nanoseconds not_before, Nanoseconds after, Nanoseconds exchange, bool over_bus) {
  const auto delay =
      static_cast<Nanoseconds>((over_bus ? kDelayFromBus : kDelayFromDevice) * static_cast<double>(exchange));
  const Nanoseconds window = after - not_before;
  return {not_before + window / 2 - delay, (window + 1) / 2 + delay};
}

EventWatcher::EventWatcher(int device, HostClock host_clock, const program::Program& program,
                           std::span<const cudaEvent_t> events, const IssueProgress& issued)
    : device_(device),
      host_clock_(host_clock),
      events_(events),
      issued_(issued),
      before_(events.size(), kAbsent),
      after_(std::make_unique<std::atomic<Nanoseconds>[]>(events.size())) {
  std::map<std::pair<StreamId, ThreadId>, Lane> lanes;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const program::Operation& operation = program.operations[i];
    const auto stream = program::ordered_in(operation);
    if (events[i] == nullptr || !stream) continue;
    lanes[{*stream, operation.thread}].operations.push_back(static_cast<std::uint32_t>(i));
  }
  for (auto& [of, lane] : lanes) {
    lane.thread = of.second;
    lanes_.push_back(std::move(lane));
  }
}

Result<void> EventWatcher::start() {
  finish();
  for (Lane& lane : lanes_) {
    lane.next = 0;
    lane.asked = kAbsent;
  }
  for (std::size_t i = 0; i < events_.size(); ++i) {
    before_[i] = kAbsent;
    after_[i].store(kAbsent, std::memory_order_relaxed);
  }
  seen_until_ = 0;
  asking_ = false;
  over_ = false;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error& error) {
    return fail(ErrorKind::device_failed,
                tr("No thread could be started to watch the run: {}; end other programs.", error.what()));
  }
  asking_.wait(false);
  return {};
}

void EventWatcher::finish() noexcept {
  if (!thread_.joinable()) return;
  over_ = true;
  thread_.join();
}

Sighting EventWatcher::seen(std::size_t operation) const {
  const Nanoseconds after = after_[operation].load(std::memory_order_acquire);
  return known(after) ? Sighting{before_[operation], after} : Sighting{};
}

void EventWatcher::run() {
  // Its questions break no capture that the program has under way.
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  const bool usable =
      cudaSetDevice(device_) == cudaSuccess && cudaThreadExchangeStreamCaptureMode(&mode) == cudaSuccess;
  asking_ = true;
  asking_.notify_all();
  // A call that fails here fails in the thread that runs the program too, and that one reports it.
  while (usable) {
    const bool last = over_;
    const Nanoseconds began = host_clock_();
    for (Lane& lane : lanes_) {
      if (!ask(lane)) return;
    }
    seen_until_.store(began, std::memory_order_release);
    if (last) return;
  }
}

bool EventWatcher::ask(Lane& lane) {
  const std::size_t issued = issued_.below(lane.thread);
  for (; lane.next < lane.operations.size() && lane.operations[lane.next] < issued; ++lane.next) {
    const std::size_t operation = lane.operations[lane.next];
    const Nanoseconds asked = host_clock_();
    const cudaError_t code = cudaEventQuery(events_[operation]);
    if (code == cudaErrorNotReady) {
      lane.asked = asked;
      return true;
    }
    if (code != cudaSuccess) return false;
    before_[operation] = lane.asked;
    after_[operation].store(host_clock_(), std::memory_order_release);
  }
  return true;
}

}  // namespace streamscope::cuda

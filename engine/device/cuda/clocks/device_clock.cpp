#include "engine/device/cuda/clocks/device_clock.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "engine/base/translate.h"
#include "engine/device/cuda/runtime/cuda_error.h"
#include "kernels/launch.h"

namespace streamscope::cuda {
namespace {

constexpr std::uint32_t kExchanges = 64;
constexpr std::uint64_t kPatience = 20'000'000;  // ns, for one exchange, on either side
constexpr int kPairs = 8;

struct Shared {
  alignas(128) std::uint32_t ask;
  alignas(128) std::uint64_t answers[kExchanges];
};

Result<Nanoseconds> elapsed(cudaEvent_t from, cudaEvent_t to) {
  float milliseconds = 0;
  CUDA_TRY(cudaEventElapsedTime(&milliseconds, from, to), tr("while reading the times of events"));
  return static_cast<Nanoseconds>(std::llround(static_cast<double>(milliseconds) * 1e6));
}

}  // namespace

Result<EventClock> EventClock::tie(cudaStream_t stream, cudaEvent_t base, cudaEvent_t before, cudaEvent_t after,
                                   std::uint64_t* stamp) {
  constexpr const char* kDoing = tr_later("while tying the events' clock to %globaltimer");
  // Base time plus an event's distance must lie at or below the stamp before it, at or above the stamp after it.
  Nanoseconds low = std::numeric_limits<Nanoseconds>::min(), high = std::numeric_limits<Nanoseconds>::max();
  Nanoseconds narrowest_low = low, narrowest_high = high, narrowest = high;
  for (int pair = 0; pair < kPairs; ++pair) {
    CUDA_TRY(cudaEventRecord(before, stream), tr(kDoing));
    CUDA_TRY(kernels::stamp(stamp, stream), tr(kDoing));
    CUDA_TRY(cudaEventRecord(after, stream), tr(kDoing));
    CUDA_TRY(cudaStreamSynchronize(stream), tr(kDoing));
    std::uint64_t stamped = 0;
    CUDA_TRY(cudaMemcpyAsync(&stamped, stamp, sizeof stamped, cudaMemcpyDeviceToHost, stream), tr(kDoing));
    CUDA_TRY(cudaStreamSynchronize(stream), tr(kDoing));
    const auto to_before = TRY(elapsed(base, before));
    const auto to_after = TRY(elapsed(base, after));
    const auto time = static_cast<Nanoseconds>(stamped);
    low = std::max(low, time - to_after);
    high = std::min(high, time - to_before);
    if (to_after - to_before < narrowest) {
      narrowest = to_after - to_before;
      narrowest_low = time - to_after;
      narrowest_high = time - to_before;
    }
  }
  if (low > high) {
    // Rounding can make windows miss each other by some nanoseconds; then the narrowest one is used.
    low = narrowest_low;
    high = narrowest_high;
  }
  EventClock clock;
  clock.reference_ = base;
  clock.reference_time_ = low + (high - low) / 2;
  clock.uncertainty_ = (high - low + 1) / 2;
  return clock;
}

Result<Nanoseconds> EventClock::time(cudaEvent_t event) {
  const auto distance = TRY(elapsed(reference_, event));
  const Nanoseconds time = reference_time_ + distance;
  if (distance > kLongestReach) {
    reference_ = event;
    reference_time_ = time;
  }
  return time;
}

Result<DeviceClock> DeviceClock::open(MemoryPool& pool, cudaStream_t stream, HostClock host_clock) {
  DeviceClock clock;
  clock.host_clock_ = host_clock;
  clock.stream_ = stream;
  clock.shared_ = TRY(pool.take(MemoryKind::pinned, sizeof(Shared), tr("to talk with the device")));
  // Not counted: the first launch of a kernel takes longer.
  TRY(clock.ask());
  clock.first_ = TRY(clock.ask());
  return clock;
}

Result<reconstruct::ClockWindow> DeviceClock::ask() {
  constexpr const char* kDoing = tr_later("while tying the device's clock to the host's");
  Shared& shared = *shared_.as<Shared>();
  auto* const on_device = reinterpret_cast<Shared*>(TRY(device_view(&shared, tr(kDoing))));

  std::array<reconstruct::Exchange, kExchanges> exchanges;
  std::size_t answered = 0;
  for (int attempt = 0; attempt < 3 && answered == 0; ++attempt) {
    std::memset(&shared, 0, sizeof shared);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    CUDA_TRY(kernels::handshake(&on_device->ask, on_device->answers, kExchanges, kPatience, stream_), tr(kDoing));
    for (; answered < kExchanges; ++answered) {
      const std::atomic_ref<std::uint64_t> answer(shared.answers[answered]);
      reconstruct::Exchange& exchange = exchanges[answered];
      exchange.asked = host_clock_();
      std::atomic_ref(shared.ask).store(static_cast<std::uint32_t>(answered + 1), std::memory_order_release);
      std::uint64_t time = 0;
      do {
        time = answer.load(std::memory_order_acquire);
        exchange.answered = host_clock_();
      } while (time == 0 && exchange.answered - exchange.asked < static_cast<Nanoseconds>(kPatience));
      if (time == 0) break;
      exchange.device = static_cast<Nanoseconds>(time);
    }
    // If an answer did not come, the kernel gives up by itself.
    CUDA_TRY(cudaStreamSynchronize(stream_), tr(kDoing));
  }
  step_ = 0;
  for (std::size_t i = 1; i < answered; ++i) {
    // Stamps are multiples of the step from some origin: the greatest common divisor of their distances, at the most.
    const Nanoseconds apart = exchanges[i].device - exchanges[i - 1].device;
    if (apart > 0) step_ = std::gcd(step_, apart);
  }
  // It did not move in all that time.
  if (step_ == 0 && answered > 0) step_ = exchanges[answered - 1].answered - exchanges[0].asked;
  const auto window = reconstruct::window_of(std::span(exchanges).first(answered), step_);
  if (!window) {
    return fail(ErrorKind::device_failed,
                tr("The device did not answer when it was asked for its time; is it busy with another program?"));
  }
  narrowest_ = exchanges[0].answered - exchanges[0].asked;
  for (const reconstruct::Exchange& one : std::span(exchanges).first(answered))
    narrowest_ = std::min(narrowest_, one.answered - one.asked);
  return *window;
}

Result<reconstruct::ClockMap> DeviceClock::map() {
  const auto now = TRY(ask());
  return reconstruct::ClockMap(now, first_);
}

}  // namespace streamscope::cuda

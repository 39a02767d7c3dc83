// Observes when events fire, by polling them from a thread beside the run.
//
// An event with a time stamp delays its stream by microseconds: two of them per chunk made 1 MiB chunks 19 % slower on
// an H200. An event without (cudaEventDisableTiming) costs nothing measurable, whether it is polled or not (1.00 for
// chunks from 256 KiB to 16 MiB). So the time is read from the host's clock, with bounds: the last poll before which it
// had not fired, and the first after which it had.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "engine/base/time.h"
#include "engine/device/cuda/issue/issue_targets.h"
#include "engine/device/cuda/runtime/handle.h"
#include "engine/program/program.h"

namespace streamscope::cuda {

// Host clock. `before`: the last poll at which the event, or one ahead of it in its stream, had not fired; kAbsent if
// there was none. `after`: the end of the poll at which it had fired.
struct Sighting {
  Nanoseconds before = kAbsent, after = kAbsent;
};

// When an operation ended whose event was seen between these times, by the same clock, and how far off that can be.
// `exchange`: the shortest round trip of the handshake; `over_bus`: it ends at the other end of the bus.
struct SeenEnd {
  Nanoseconds end = 0, uncertainty = 0;
};
SeenEnd seen_end(Nanoseconds not_before, Nanoseconds after, Nanoseconds exchange, bool over_bus);

class EventWatcher {
 public:
  // `events` by operation, null where there is none, each recorded in its operation's stream; `issued`: which of them
  // have been recorded so far. All must outlive this.
  EventWatcher(int device, HostClock host_clock, const program::Program& program, std::span<const cudaEvent_t> events,
               const IssueProgress& issued);
  ~EventWatcher() { finish(); }
  EventWatcher(const EventWatcher&) = delete;
  EventWatcher& operator=(const EventWatcher&) = delete;

  // Forgets what it saw; returns once it polls.
  Result<void> start();
  // Polls everything once more and stops. If the device is idle, all that was issued has been seen then.
  void finish() noexcept;
  // Both absent: not seen yet. From any thread.
  Sighting seen(std::size_t operation) const;
  // Host clock: of the events recorded before this time, all that had fired are seen. May be long ago if the thread was
  // not scheduled. From any thread.
  Nanoseconds seen_until() const { return seen_until_.load(std::memory_order_acquire); }

 private:
  // The events that one host thread records in one stream: they fire in the order of their operations.
  struct Lane {
    ThreadId thread;
    std::vector<std::uint32_t> operations;
    std::size_t next = 0;
    Nanoseconds asked = kAbsent;  // the last poll at which the next event had not fired
  };
  void run();
  bool ask(Lane& lane);  // false: a call failed

  const int device_;
  const HostClock host_clock_;
  const std::span<const cudaEvent_t> events_;
  const IssueProgress& issued_;
  std::vector<Lane> lanes_;
  std::vector<Nanoseconds> before_;
  std::unique_ptr<std::atomic<Nanoseconds>[]> after_;
  std::atomic<Nanoseconds> seen_until_ = 0;
  std::atomic<bool> asking_ = false, over_ = false;
  std::thread thread_;
};

}  // namespace streamscope::cuda

// Sees events fire, from a thread beside the run that asks again and again.
//
// An event that carries a time holds its stream up for microseconds: two a chunk made 1 MiB chunks 19 % slower on an
// H200. One made without (cudaEventDisableTiming) costs nothing that could be measured, asked from the host all the
// while or not (1.00 at chunks from 256 KiB to 16 MiB). So the host's clock tells when it fired, and the bound comes
// with it: not yet when asked, and then it had.
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

// Host clock. `before`: it was asked then, or something ahead of it in its stream was, and had not fired; kAbsent where
// it was never asked in vain. `after`: the answer was there that it had.
struct Sighting {
  Nanoseconds before = kAbsent, after = kAbsent;
};

class Watcher {
 public:
  // `events` by operation, null where there is none, each recorded in its operation's stream; `issued` tells which
  // operations' events have been recorded. All must outlive this.
  Watcher(int device, HostClock host_clock, const program::Program& program, std::span<const cudaEvent_t> events,
          const IssuedSoFar& issued);
  ~Watcher() { finish(); }
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  // Forgets what it saw; returns once it is asking.
  Result<void> start();
  // Looks once more at everything and stops. With the device idle all that was issued is seen then.
  void finish() noexcept;
  // Nothing yet: both absent. From any thread.
  Sighting seen(std::size_t operation) const;
  // Whatever fired before this time, of what had been issued by then, is seen; host clock. Long ago where the watcher
  // got no processor for long. From any thread.
  Nanoseconds seen_until() const { return seen_until_.load(std::memory_order_acquire); }

 private:
  // The events that one host thread records in one stream: they fire in the order of their operations.
  struct Lane {
    ThreadId thread;
    std::vector<std::uint32_t> operations;
    std::size_t next = 0;
    Nanoseconds asked = kAbsent;  // in vain, for the last time
  };
  void run();
  bool ask(Lane& lane);  // false: a call failed

  const int device_;
  const HostClock host_clock_;
  const std::span<const cudaEvent_t> events_;
  const IssuedSoFar& issued_;
  std::vector<Lane> lanes_;
  std::vector<Nanoseconds> before_;
  std::unique_ptr<std::atomic<Nanoseconds>[]> after_;
  std::atomic<Nanoseconds> seen_until_ = 0;
  std::atomic<bool> asking_ = false, over_ = false;
  std::thread thread_;
};

}  // namespace streamscope::cuda

// The time of the fake: the host's clock, which is what host_clock() returns, and the device's, which runs beside it
// with an offset, a little faster, and in steps.
//
// Host time passes by a fixed amount with every call and every look at the clock of the thread that called reset(), and
// jumps where a call waits. Threads that look on find it as it stands: what they do, and how often, changes no run.
#pragma once

#include <cstdint>

#include "engine/base/time.h"

namespace streamscope::fake_cuda {

class Clock {
 public:
  Nanoseconds now() const { return now_; }
  void pass(Nanoseconds by) { now_ += by; }
  void pass_until(Nanoseconds time) { now_ = time > now_ ? time : now_; }

  // %globaltimer at a host time.
  static std::uint64_t globaltimer(Nanoseconds host);
  // The clock behind events: the same oscillator, finer.
  static double event_nanoseconds(Nanoseconds host);

  static constexpr Nanoseconds kLook = 100;  // what one look at the host's clock costs

 private:
  Nanoseconds now_ = 5'000'000'000;
};

// While it lives, host_clock() on this thread is a clock of its own that begins at `start`: for a host function, which
// runs beside the thread that issues.
class OwnClock {
 public:
  explicit OwnClock(Nanoseconds start);
  ~OwnClock();
  OwnClock(const OwnClock&) = delete;
  OwnClock& operator=(const OwnClock&) = delete;
  Nanoseconds now() const { return now_; }
  Nanoseconds look() { return now_ += Clock::kLook; }

 private:
  Nanoseconds now_;
};

}  // namespace streamscope::fake_cuda

// Why each engine did nothing while the run's device work went on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/verdict/history.h"

namespace streamscope::verdict {

// The first that is true at an instant, in this order.
enum class IdleCause : std::uint8_t {
  // Something is ready for it
  hand_over,  // and starts when the hand-over is over
  queue,      // but behind an operation in a hardware queue that both go through
  // Something is issued for it that waits, as WaitCause has it
  stream,
  event,
  legacy,
  graph,
  pool,
  gate,
  unexplained,
  // Nothing is issued for it, since the host thread that will issue the next
  host_wait,      // waits for the device or another thread
  host_call,      // is in a call
  host_work,      // computes
  between_calls,  // is in none
  // Nothing is issued for it, and when the next one was is not known
  fill,
  // Nothing will be
  drain,
};
inline constexpr std::size_t kIdleCauses = 15;

std::string in_words(IdleCause cause);  // for people: "no work: host in a call"

struct IdleTime {
  IdleCause cause = IdleCause::drain;
  Nanoseconds time = 0;
  friend bool operator==(const IdleTime&, const IdleTime&) = default;
};

struct EngineIdle {
  DeviceEngine engine;
  Nanoseconds busy = 0, idle = 0;  // together the makespan
  std::vector<IdleTime> causes;    // the longest first; their sum is `idle`
};

// h2d, d2h and compute of each device, those that had work. Operations that keep it idle at one instant share the
// instant in equal parts by cause; what does not divide goes to the cause that is named first above. O(n log n).
std::vector<EngineIdle> idle_times(const History& history);

}  // namespace streamscope::verdict

template <>
inline constexpr streamscope::NameTable<15> streamscope::kNames<streamscope::verdict::IdleCause>{
    "hand-over",   "queue",     "stream",    "event",     "legacy",        "graph", "pool", "gate",
    "unexplained", "host-wait", "host-call", "host-work", "between-calls", "fill",  "drain"};

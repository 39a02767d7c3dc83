// What no schedule of these operations could beat.
#pragma once

#include <string>
#include <vector>

#include "engine/verdict/history.h"

namespace streamscope::verdict {

enum class BoundKind : std::uint8_t {
  engine,  // its work without a pause, and the shortest ways to its first operation and from its last
  bus,     // the copies of both directions, which slow each other where they go side by side
  order,   // the longest way through what must come after what
  host,    // the calls and the work of the host thread that has most of them: of the wall time
};

struct Bound {
  BoundKind kind = BoundKind::order;
  DeviceEngine engine;          // of kind engine; of kind bus its device
  Nanoseconds time = 0;         // no run takes less, but for the uncertainty
  Nanoseconds uncertainty = 0;  // of the durations that it is made of
  Nanoseconds work = 0;         // what is done in it without a pause: of kind engine and bus
  friend bool operator==(const Bound&, const Bound&) = default;
};
// "engine:d2h", "engine:1:h2d", "bus", "bus:1", "order", "host"
std::string name(const Bound& bound);

// How long an operation takes with nothing beside it.
struct Isolated {
  Nanoseconds duration = kAbsent;
  Nanoseconds uncertainty = 0;
  bool alone = false;  // whether one of its class ran alone; else all may have been slowed
};
// By operation the shortest of its class, in this run or in those that ran it alone (trace::Run::alone). Of what is no
// device work absent.
std::vector<Isolated> isolated_durations(const History& history, const std::vector<trace::IsolatedTime>& alone = {});

// Engines whose work is known, in the order of devices and engines, then order, then host.
std::vector<Bound> bounds(const History& history, const std::vector<Isolated>& isolated);

}  // namespace streamscope::verdict

template <>
inline constexpr streamscope::NameTable<4> streamscope::kNames<streamscope::verdict::BoundKind>{"engine", "bus",
                                                                                                "order", "host"};

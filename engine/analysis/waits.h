// What operations waited for, and for how long.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/trace/interval.h"
#include "engine/trace/span.h"

namespace streamscope::analysis {

// An operation waits twice: from its issue until it is ready, for what must come before it or for the gate; and then
// until it starts, for the engine that carries it out. kAbsent where a time is not known.
struct Waits {
  Nanoseconds issue_to_ready = kAbsent;
  Nanoseconds ready_to_start = kAbsent;
};
Waits waits(const trace::Span& span);

// A call that comes back when what it waits for is done. cudaMalloc and cudaFree are such calls where they had to wait.
bool host_waits(const trace::Span& span);
// Whether the reason kept the operation from being ready; else it kept a ready one from starting.
bool keeps_from_ready(trace::WaitReason reason);

// The wait that a span's reason stands for: one of its two, or the call in which the host waits. Nothing where it has
// no reason, where a time is not known or it took none, and where the host issued it late: then it was the host that
// waited, in a span of its own.
struct Wait {
  trace::WaitReason reason = trace::WaitReason::none;  // of a call in which the host waits: host
  trace::Interval time;
};
std::optional<Wait> wait_of(const trace::Span& span);

// All waits for one reason.
struct WaitSum {
  trace::WaitReason reason = trace::WaitReason::none;
  Nanoseconds time = 0;
  std::uint32_t operations = 0;
  OperationIndex longest = kNoOperation;  // the operation that waited longest; of several the first
  Nanoseconds longest_time = 0;
  friend bool operator==(const WaitSum&, const WaitSum&) = default;
};

// Takes spans one after the other: device work and calls in which the host waits. Records and waits for events take no
// time themselves; what they hold back counts where it is held.
class WaitSums {
 public:
  void add(const trace::Span& span, const trace::Interval& range);  // the part of its wait that lies in the range
  std::vector<WaitSum> found() const;                               // the reason with the most time first

 private:
  std::array<WaitSum, kNames<trace::WaitReason>.size()> by_reason_;
};

}  // namespace streamscope::analysis

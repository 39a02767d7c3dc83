// What a kernel that failed has left: an error that each later call of the process returns.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/trace/trace.h"

namespace streamscope::trace {

struct StickyError {
  CallResult error = CallResult::success;  // that calls return; where a reset came before it, that there is no device
  OperationIndex fault = kNoOperation;     // the kernel that failed, as far as it is known: the first that started
  Nanoseconds failed = kAbsent;  // from then on nothing on any device went on for the host to see: that one's start
  Nanoseconds told = kAbsent;    // the first call that returned it, at its return
  Nanoseconds until = kAbsent;   // the last call's return
  std::uint64_t calls = 0;       // that returned it, or that there is no device
  Nanoseconds reset = kAbsent;   // the return of the first reset behind it: since then there is no device
  friend bool operator==(const StickyError&, const StickyError&) = default;
};
// Nothing where no call returned one, nor a kernel failed behind which a call found no device.
std::optional<StickyError> sticky_error(const Trace& trace);

}  // namespace streamscope::trace

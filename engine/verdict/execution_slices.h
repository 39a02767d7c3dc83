// Why an operation took as long as it did: what it takes alone, and what slowed it.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/verdict/judgement.h"

namespace streamscope::verdict {

enum class SlowCause : std::uint8_t {
  alone,            // what such an operation takes with nothing beside it
  bus,              // copies of the other direction, and kernels on memory behind the bus
  multiprocessors,  // kernels beside it
  memory,           // copies and fills within the device
  migration,        // managed pages that came to it
  unexplained,      // longer than alone, for no reason that is known
};

// A part of an execution; what slows does so all along, so parts have no place in it.
struct ExecutionPart {
  Nanoseconds time = 0;
  SlowCause cause = SlowCause::alone;
  OperationIndex by = kNoOperation;  // that was beside it longest
  bool certain = true;               // else its class never ran alone, or several things slowed it and share the time
  friend bool operator==(const ExecutionPart&, const ExecutionPart&) = default;
};

// They sum to its duration. What it takes longer than alone, beyond both doubts, is shared by what was beside it, by
// how long that was. Empty for what is not executed. O(log n) and what was beside it, of which the latest
// kMostOccupants count.
std::vector<ExecutionPart> execution_parts(const Judgement& judgement, OperationIndex i);

}  // namespace streamscope::verdict

template <>
inline constexpr streamscope::NameTable<6> streamscope::kNames<streamscope::verdict::SlowCause>{
    "alone", "bus", "multiprocessors", "memory", "migration", "unexplained"};

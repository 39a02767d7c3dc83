// What a run's verdict says of one of its operations: what held it, what slowed it, what held its call, and by how much
// later it could have ended.
#pragma once

#include <string>
#include <vector>

#include "app/window/state/run_verdict.h"

namespace streamscope::window {

// A part of a time and what it is charged to.
struct Charge {
  std::string what;
  Nanoseconds time = 0;
  OperationIndex by = kNoOperation;  // the operation behind it, as the trace names it
  bool certain = true;               // else put down to it because nothing else is known
  friend bool operator==(const Charge&, const Charge&) = default;
};

struct OperationVerdict {
  std::vector<Charge> waited;  // from its issue to its start, in order of time; empty: it did not wait
  std::vector<Charge> slowed;  // its execution; empty where it took what it takes alone
  std::vector<Charge> called;  // its host call; empty where that took what such a call takes
  Nanoseconds slack = kAbsent;
};
OperationVerdict operation_verdict(const RunVerdict& verdict, OperationIndex operation);

}  // namespace streamscope::window

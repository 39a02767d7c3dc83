// Streams and events that two host threads use without an order between them: which comes first differs from run to
// run.
#pragma once

#include <vector>

#include "engine/program/program.h"

namespace streamscope::program {

struct Race {
  OperationIndex first, second;    // in two threads
  std::optional<StreamId> stream;  // both issue work to it; else both use `event`, one of them recording it
  EventId event;
};

// One for each stream and event that has any, in order of `second`.
std::vector<Race> find_races(const Program& program);

}  // namespace streamscope::program

// Streams and events that two host threads use with nothing between them that orders the two: which comes first differs
// from run to run.
#pragma once

#include <vector>

#include "engine/program/program.h"

namespace streamscope::program {

struct Race {
  OperationIndex first, second;    // in two threads
  std::optional<StreamId> stream;  // both give work to it; else the event that both use, one of them recording it
  EventId event;
};

// One for each stream and event that has any, in order of `second`.
std::vector<Race> find_races(const Program& program);

}  // namespace streamscope::program

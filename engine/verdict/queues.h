// Through which hardware queues operations went, by the rule of engine/trace/channels.h and the device's facts.
#pragma once

#include <vector>

#include "engine/base/id.h"
#include "engine/base/kind.h"

namespace streamscope::verdict {

class History;

struct QueuePlace {
  Engine unit = Engine::none;  // that carries it out; of a record, a wait or a launch that of the work before it
  bool in_commands = false;    // a copy that travels with the commands and so uses no copy engine
  bool takes_engine = false;   // a record whose time a copy engine writes
  OperationIndex ahead = kNoOperation;  // an operation of another stream, right ahead of it in a queue that both share
};

// One for each operation; of `history` all is read that its order needs, and no more. Empty without a program, and where
// the trace does not say of each device how many queues it has.
std::vector<QueuePlace> queue_places(const History& history);

}  // namespace streamscope::verdict

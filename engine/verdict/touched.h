// The memory on the host's side of the bus that operations work on or go through.
#pragma once

#include <set>

#include "engine/verdict/history.h"

namespace streamscope::verdict {

struct Touched {
  bool pageable = false, mapped = false, managed = false;
};
Touched touched(const History& history, OperationIndex i);  // nothing where there is no program

// Copies between devices that were issued while these could not reach each other's memory: they go through the host's.
// None where there is no program.
std::set<OperationIndex> staged_peer_copies(const program::Program* program);

}  // namespace streamscope::verdict

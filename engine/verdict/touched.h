// The memory on the host's side of the bus that an operation works on.
#pragma once

#include "engine/verdict/history.h"

namespace streamscope::verdict {

struct Touched {
  bool pageable = false, mapped = false, managed = false;
};
Touched touched(const History& history, OperationIndex i);  // nothing where there is no program

}  // namespace streamscope::verdict

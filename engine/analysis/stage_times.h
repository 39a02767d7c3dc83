// How blocks spent their time, from the stages that they recorded.
#pragma once

#include <optional>

#include "engine/trace/stages.h"

namespace streamscope::analysis {

// Of a block, ns. A block keeps a record of its last tiles only; where it has them all, the two add up to the time from
// its begin to the end of its last work.
struct BlockTime {
  Nanoseconds working = 0;  // wait_over..compute_over of each tile
  Nanoseconds waiting = 0;  // the rest: it had nothing to work on
};
BlockTime block_time(const trace::StageBlock& block);

// The part of all blocks' time that was waiting; nothing where no time is known. Of one operation, or of all.
std::optional<double> share_waited(const trace::Stages& stages, OperationIndex operation = kNoOperation);

}  // namespace streamscope::analysis

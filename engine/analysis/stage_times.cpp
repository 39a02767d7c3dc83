#include "engine/analysis/stage_times.h"

#include <algorithm>
#include <limits>

namespace streamscope::analysis {
namespace {

// Of times that a file made up, the second may come before the first, and their sum be out of range.
void add(Nanoseconds& to, Nanoseconds from, Nanoseconds until) {
  if (__builtin_add_overflow(to, std::max<Nanoseconds>(until - from, 0), &to))
    to = std::numeric_limits<Nanoseconds>::max();
}

}  // namespace

BlockTime block_time(const trace::StageBlock& block) {
  BlockTime time;
  if (block.stages.empty()) return time;
  const bool all = block.stages.size() == block.tiles;
  // Of older tiles nothing is known, nor when the work on the last of them ended.
  Nanoseconds from = all ? block.begin : block.stages.front().wait_begun;
  for (const trace::Stage& stage : block.stages) {
    add(time.waiting, from, stage.wait_over);
    add(time.working, stage.wait_over, stage.compute_over);
    from = stage.compute_over;
  }
  return time;
}

std::optional<double> share_waited(const trace::Stages& stages, OperationIndex operation) {
  double working = 0, waiting = 0;
  for (const trace::StageBlock& block : stages.blocks) {
    if (operation != kNoOperation && block.operation != operation) continue;
    const BlockTime one = block_time(block);
    working += static_cast<double>(one.working);
    waiting += static_cast<double>(one.waiting);
  }
  if (working + waiting <= 0) return std::nullopt;
  return waiting / (working + waiting);
}

}  // namespace streamscope::analysis

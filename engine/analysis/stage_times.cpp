#include "engine/analysis/stage_times.h"

namespace streamscope::analysis {

BlockTime block_time(const trace::StageBlock& block) {
  BlockTime time;
  if (block.stages.empty()) return time;
  const bool all = block.stages.size() == block.tiles;
  // Of older tiles nothing is known, nor when the work on the last of them ended.
  Nanoseconds from = all ? block.begin : block.stages.front().wait_begun;
  for (const trace::Stage& stage : block.stages) {
    time.waiting += stage.wait_over - from;
    time.working += stage.compute_over - stage.wait_over;
    from = stage.compute_over;
  }
  return time;
}

std::optional<double> share_waited(const trace::Stages& stages, OperationIndex operation) {
  BlockTime all;
  for (const trace::StageBlock& block : stages.blocks) {
    if (operation != kNoOperation && block.operation != operation) continue;
    const BlockTime one = block_time(block);
    all.working += one.working;
    all.waiting += one.waiting;
  }
  const Nanoseconds sum = all.working + all.waiting;
  if (sum <= 0) return std::nullopt;
  return static_cast<double>(all.waiting) / static_cast<double>(sum);
}

}  // namespace streamscope::analysis

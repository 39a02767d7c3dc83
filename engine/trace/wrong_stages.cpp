#include "engine/trace/wrong_stages.h"

#include <algorithm>

#include "engine/base/translate.h"

namespace streamscope::trace {

std::optional<std::string> wrong_stages(const Trace& trace) {
  constexpr Nanoseconds kFarthest = Nanoseconds{1} << 60;
  const auto wrong = [](Nanoseconds time) { return !known(time) || time < -kFarthest || time > kFarthest; };
  for (const StageBlock& block : trace.stages.blocks) {
    const auto wrong_stage = [&](const Stage& stage) {
      return wrong(stage.load_issued) || wrong(stage.wait_begun) || wrong(stage.wait_over) || wrong(stage.compute_over);
    };
    if (wrong(block.begin) || wrong(block.end) || std::any_of(block.stages.begin(), block.stages.end(), wrong_stage))
      return tr("a time inside operation {}, block {}, is missing or beyond all measure", block.operation, block.block);
  }
  return std::nullopt;
}

}  // namespace streamscope::trace

#include "engine/reconstruct/final_spans.h"

#include <algorithm>

#include "engine/reconstruct/reconstruction.h"

namespace streamscope::reconstruct {

std::vector<bool> final_spans(const program::Program& program, const program::Dependencies& dependencies,
                              std::span<const trace::Span> spans, std::size_t issued, Nanoseconds now) {
  Nanoseconds horizon = now - kFinalAfter;
  // The work of a call that has not returned yet may have been running since the call began.
  if (issued > 0 && issued < spans.size() && !is_host_work(program.operations[issued])) {
    horizon = std::min(horizon, spans[issued - 1].host_end);
  }
  // A kernel that began and has no end may still run, and what began later may have waited for it. Of a launch that
  // has not ended it is not even known which of its nodes began.
  for (const trace::Span& span : spans) {
    if (span.launch != kNoOperation && span.launch < issued && !known(span.end)) {
      horizon = std::min(horizon, spans[span.launch].host_begin);
    }
    if (span.kind == OperationKind::kernel && known(span.start) && !known(span.end)) {
      horizon = std::min(horizon, span.start);
    }
  }
  std::vector<bool> result(spans.size(), false);
  for (std::size_t i = 0; i < issued; ++i) {
    const auto before = dependencies.of(static_cast<OperationIndex>(i));
    result[i] = known(spans[i].end) && spans[i].end < horizon &&
                std::all_of(before.begin(), before.end(),
                            [&](const program::Dependency& dependency) { return known(spans[dependency.on].end); });
  }
  return result;
}

}  // namespace streamscope::reconstruct

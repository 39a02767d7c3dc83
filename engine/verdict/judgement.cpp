#include "engine/verdict/judgement.h"

#include <algorithm>

namespace streamscope::verdict {

Judgement judge(const trace::Trace& trace, const program::Program* program,
                const std::vector<trace::IsolatedTime>& alone) {
  Judgement out{
      .history = History(trace, program), .path = {}, .wall_path = {}, .idle = {}, .isolated = {}, .bounds = {}};
  out.path = critical_path(out.history);
  if (!out.path.pieces.empty()) out.makespan = out.path.pieces.back().to - out.path.pieces.front().from;
  out.wall_path = wall_path(out.history);
  if (!out.wall_path.pieces.empty()) out.wall = out.wall_path.pieces.back().to;
  out.idle = idle_times(out.history);
  out.isolated = isolated_durations(out.history, alone);
  out.bounds = bounds(out.history, out.isolated);
  return out;
}

const Bound* binding(const Judgement& judgement) {
  const Bound* greatest = nullptr;
  if (!known(judgement.makespan)) return nullptr;
  for (const Bound& each : judgement.bounds) {
    if (each.kind == BoundKind::host || each.time <= 0) continue;
    // Of an engine that idles most of its bound, the order is what binds.
    const bool idles = each.kind != BoundKind::order && each.work < each.time / 2;
    if (idles) continue;
    if (greatest == nullptr || each.time > greatest->time) greatest = &each;
  }
  return greatest;
}

double over_bound(const Judgement& judgement) {
  const Bound* const bound = binding(judgement);
  return bound == nullptr ? 0 : static_cast<double>(judgement.makespan) / static_cast<double>(bound->time);
}

}  // namespace streamscope::verdict

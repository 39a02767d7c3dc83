// All that the verdict finds out about a run.
#pragma once

#include <vector>

#include "engine/verdict/bounds.h"
#include "engine/verdict/critical_path.h"
#include "engine/verdict/history.h"
#include "engine/verdict/idle.h"

namespace streamscope::verdict {

struct Judgement {
  History history;
  Nanoseconds makespan = kAbsent, wall = kAbsent;
  Path path, wall_path;
  std::vector<EngineIdle> idle;
  std::vector<Isolated> isolated;  // by operation
  std::vector<Bound> bounds;
};

// Trace and program must outlive it; the program may be null, for traces of other tools. `alone` as Run::alone has it.
// O(n log n).
Judgement judge(const trace::Trace& trace, const program::Program* program,
                const std::vector<trace::IsolatedTime>& alone = {});

// The greatest bound of the makespan; null where none is known or there is no device work.
const Bound* binding(const Judgement& judgement);
// The makespan over that; 0 where there is none.
double over_bound(const Judgement& judgement);

}  // namespace streamscope::verdict

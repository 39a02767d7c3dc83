// Rulers: what no schedule could beat, as lines on the timeline, each with its name, its time and its doubt.
#pragma once

#include <string>
#include <vector>

#include "app/timeline/theme.h"
#include "engine/verdict/judgement.h"

namespace streamscope::timeline {

struct Ruler {
  Nanoseconds at = 0;           // where a run that takes no longer than the bound would end
  Nanoseconds uncertainty = 0;  // plus or minus
  std::string name;             // "D2H engine 5.1 ms"
  Colour colour;                // of what binds: an engine's copies, its kernels, the host; else of no kind
  bool has_colour = false;
  bool binds = false;  // it is the greatest, by which the run is judged
  friend bool operator==(const Ruler&, const Ruler&) = default;
};

// "D2H engine, device 1"
std::string bound_name(const verdict::Judgement& judgement, const verdict::Bound& bound);
// In the order of time. Bounds of the makespan are counted from the first start, that of the wall time from time 0.
std::vector<Ruler> rulers(const verdict::Judgement& judgement);

}  // namespace streamscope::timeline

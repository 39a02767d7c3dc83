// A verdict in words. Internal to this room.
#pragma once

#include <string>

#include "engine/remedy/explain.h"
#include "engine/trace/sticky_error.h"

namespace streamscope::remedy {

inline constexpr double kNearBound = 1.1;  // times the bound: no more is to be gained
inline constexpr double kNearlyAll = 0.9;  // of the makespan
// Whether one operation runs for nearly all of it.
bool takes_all(const verdict::Judgement& judgement);
// Of the makespan: how long the engine works that works longest.
double busiest_share(const verdict::Judgement& judgement);
// The same with the time in which an engine had something ready that had not begun: where starts are not seen, as of
// copies in both directions, that is mostly their doubt.
double occupied_share(const verdict::Judgement& judgement);

// What an entry's cost was taken from. The cost may be less: then that much of it is said at least.
struct CostFrom {
  Nanoseconds time = 0;
  bool on_path = false;  // the cause's time on the critical path; else what a run without it would save
};
// What a cause did to the run: a sentence, without the change that would help.
std::string sentence(const verdict::Judgement& judgement, const Entry& entry, Nanoseconds makespan, CostFrom from);
// What became of a run of which a kernel failed.
std::string sentence(const trace::StickyError& error, const verdict::Judgement& judgement);

}  // namespace streamscope::remedy

// What the referee found of a run (engine/referee), in the words that the terminal and the window share.
#pragma once

#include <string>

#include "engine/trace/trace.h"

namespace streamscope::analysis {

struct SecondOpinion {
  std::string verdict;  // "agrees with 48 bars", "contradicts 2 of 48: their doubt is widened", "none: CUPTI was …"
  std::string detail;   // a sentence: what it rests on, or what its absence costs
  bool contradicts = false;
};
SecondOpinion second_opinion(const trace::Referee& referee);

}  // namespace streamscope::analysis

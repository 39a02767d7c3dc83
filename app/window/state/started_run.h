// A run that was asked for: what for, and what is known of it before it comes back.
#pragma once

#include <cstdint>
#include <string>

#include "engine/base/time.h"

namespace streamscope::window {

// What an observer effect belongs to (observer_effect.h). 0: none.
using Subject = std::uint64_t;

// What a run is made for.
enum class RunFor : std::uint8_t {
  figures,  // Run was pressed: repeated, with bare runs between them, the data checked
  picture,  // a control was changed, or live mode: once, so that it is on screen soon
  pairs,    // the observer effect of the run in view; it is not shown itself
};

// A run that was asked for and has not come back.
struct StartedRun {
  std::string label;
  Nanoseconds asked = kAbsent;  // what led to it
  Nanoseconds begun = kAbsent;  // handed to the session
  RunFor purpose = RunFor::figures;
  Subject subject = 0;
};

}  // namespace streamscope::window

// Who waits for whom at an instant, why, and for how long so far, as text.
#pragma once

#include <string>

#include "app/timeline/instant.h"

namespace streamscope::timeline {

// "waits for S0: H2D #9 (H2D engine busy)"; the operation that waits is named next to it.
std::string reason_text(const trace::Trace& trace, const Wait& wait);
// "S1: axpb #12 waits for S0: H2D #9 (H2D engine busy), 132 us so far"
std::string wait_text(const trace::Trace& trace, const Wait& wait, Nanoseconds time);

}  // namespace streamscope::timeline

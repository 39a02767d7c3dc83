// Which spans of a run that still goes on are final: as they will be when the whole run is known.
#pragma once

#include <span>
#include <vector>

#include "engine/program/order/order.h"
#include "engine/program/program.h"
#include "engine/trace/trace.h"

namespace streamscope::reconstruct {

// A span is final this long after its end: nothing that is still to come can change it.
inline constexpr Nanoseconds kFinalAfter = 1'000'000;

// By operation. `spans` were completed by reconstruct() from all that had happened by `now`, on the trace's axis,
// except for the ends of kernels that nothing proves yet; the calls of the first `issued` operations had returned.
std::vector<bool> final_spans(const program::Program& program, const program::Dependencies& dependencies,
                              std::span<const trace::Span> spans, std::size_t issued, Nanoseconds now);

}  // namespace streamscope::reconstruct

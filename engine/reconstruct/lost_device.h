// What remains unknown of a run that lost its device, by a fault or a reset.
//
// After a fault no event is seen any more and nothing that is queued starts. A kernel which had started and noted no
// end is taken to have ended with the failure, and has not ended later than the first call that returned the error:
// that is its doubt. What has no time at all did not run, as far as anybody knows. A reset of a device that lives waits
// for what is there: what was not seen to end has ended when the reset, or a later wait, returned.
#pragma once

#include <cstdint>
#include <span>

#include "engine/program/order/order.h"
#include "engine/program/program.h"
#include "engine/trace/trace.h"

namespace streamscope::reconstruct {

// Behind reconstruct(). `may_go_on`: by operation, whether it is a kernel whose other blocks may end after the end that
// is known.
void settle_lost_device(const program::Program& program, const program::Dependencies& dependencies,
                        std::span<const std::uint8_t> may_go_on, std::span<trace::Span> spans);

}  // namespace streamscope::reconstruct

// What an operation waited for, and how operations are called in all texts.
#pragma once

#include <string>
#include <string_view>

#include "engine/trace/trace.h"

namespace streamscope::analysis {

std::string_view span_name(const trace::Trace& trace, const trace::Span& span);  // "axpb"
std::string operation_text(const trace::Trace& trace, const trace::Span& span);  // "axpb #12"

inline constexpr int kMostMarkers = 64;  // that are followed; of more the last of them is the cause

struct CauseOfWait {
  OperationIndex operation = kNoOperation;
  trace::WaitReason reason = trace::WaitReason::none;
};
// What the span says it waited for; where that is a record, a wait or a graph's launch, which do no work themselves,
// the work behind it: a kernel that stands behind a wait waited for what was recorded, through an event. O(log n) for
// each of at most kMostMarkers.
CauseOfWait wait_cause(const trace::Trace& trace, const trace::Span& span);

}  // namespace streamscope::analysis

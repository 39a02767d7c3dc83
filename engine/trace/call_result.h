// What the result of a span is: of its call, or the status that a callback was given when it was called.
#pragma once

#include "engine/trace/span.h"

namespace streamscope::trace {

// Of a host function that ran: the result of its call was cudaSuccess.
constexpr bool is_status(const Span& span) { return span.kind == OperationKind::hostfn && known(span.start); }
// Whether files have it: what has_result(), and of a callback that ran cudaSuccess, too.
constexpr bool is_told(const Span& span) { return has_result(span) || (span.callback && is_status(span)); }
constexpr bool call_failed(const Span& span) { return span.result != CallResult::success && !is_status(span); }

}  // namespace streamscope::trace

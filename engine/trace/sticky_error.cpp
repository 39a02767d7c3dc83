#include "engine/trace/sticky_error.h"

#include <algorithm>

#include "engine/trace/call_result.h"

namespace streamscope::trace {

std::optional<StickyError> sticky_error(const Trace& trace) {
  StickyError out;
  for (const Span& span : trace.spans) {
    if (known(span.host_end)) out.until = std::max(out.until, span.host_end);
    const bool sticking = sticks(span.result);
    if ((!sticking && span.result != CallResult::devices_unavailable) || !call_failed(span)) continue;
    ++out.calls;
    const bool says_more = sticking && !sticks(out.error);
    if (!known(out.told) || says_more || (sticking == sticks(out.error) && span.host_end < out.told)) {
      out.told = span.host_end;
      out.error = span.result;
    }
  }
  if (out.error == CallResult::success) return std::nullopt;
  for (std::size_t i = 0; i < trace.spans.size(); ++i) {
    const Span& span = trace.spans[i];
    if (span.kind == OperationKind::fault && known(span.start) && (!known(out.failed) || span.start < out.failed)) {
      out.failed = span.start;
      out.fault = static_cast<OperationIndex>(i);
    }
  }
  // A reset right behind the fault tells nothing: that no device is left afterwards does.
  if (!sticks(out.error) && out.fault == kNoOperation) return std::nullopt;
  const Nanoseconds since = sticks(out.error) ? out.told : out.failed;
  for (const Span& span : trace.spans) {
    const bool is_first = !known(out.reset) || span.host_end < out.reset;
    if (span.kind == OperationKind::reset && span.host_end > since && is_first) out.reset = span.host_end;
  }
  return out;
}

}  // namespace streamscope::trace

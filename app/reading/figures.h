// The figures of one operation that a search, a table and a histogram all look at. kAbsent where not known.
#pragma once

#include <optional>

#include "engine/trace/trace.h"

namespace streamscope::reading {

Nanoseconds duration_of(const trace::Span& span);   // of its execution
Nanoseconds waiting_of(const trace::Span& span);    // from ready to start
Nanoseconds host_call_of(const trace::Span& span);  // how long its own host call took
Nanoseconds start_of(const trace::Span& span);      // of its execution, else of its host call
bool only_waits(OperationKind kind);      // a sum of work leaves it out: its time is that of the work it waits for
double rate_of(const trace::Span& span);  // bytes a second of a copy or a memset; 0: not known, or it has none
// Whose stream it is in, of a run on several.
std::optional<std::uint32_t> device_of(const trace::Trace& trace, const trace::Span& span);

}  // namespace streamscope::reading

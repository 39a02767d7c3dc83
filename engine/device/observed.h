// What an instrument observed of one operation in one run, before reconstruct() derives the rest.
#pragma once

#include <cstdint>

#include "engine/trace/span.h"

namespace streamscope::device {

// In nanoseconds on the trace's axis; kAbsent for what was not seen (yet).
struct Observed {
  Nanoseconds host_begin = kAbsent, host_end = kAbsent;
  Nanoseconds start = kAbsent;  // a kernel's first block, a host function's begin
  Nanoseconds end = kAbsent;
  trace::Source source = trace::Source::none;  // of `end`, and of `start` where there is one
  std::uint32_t uncertainty = 0;               // plus or minus
  std::uint32_t polls = 0;
  CallResult result = CallResult::success;
  Nanoseconds elapsed = kAbsent;  // see Span
  std::uint32_t samples = 1, spread = 0;  // see Span
};

}  // namespace streamscope::device

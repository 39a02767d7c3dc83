// An instant in words: who waits for whom, why, and for how long so far.
#pragma once

#include <string>

#include "app/timeline/instant.h"

namespace streamscope::timeline {

std::string operation_words(const trace::Trace& trace, const trace::Span& span);  // "axpb #12"
std::string placed_words(const trace::Trace& trace,
                         const trace::Span& span);  // "S0: axpb #12"; of the host "main: sync #48"
std::string engine_words(Engine engine);            // "H2D engine", "compute"

// "waits for S0: H2D #9 (H2D engine busy)": of an operation that is named beside it.
std::string reason_words(const trace::Trace& trace, const Wait& wait);
// "S1: axpb #12 waits for S0: H2D #9 (H2D engine busy), 132 us so far"
std::string wait_words(const trace::Trace& trace, const Wait& wait, Nanoseconds time);

}  // namespace streamscope::timeline

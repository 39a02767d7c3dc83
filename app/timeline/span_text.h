// How operations, engines and lines of a program are named in texts.
#pragma once

#include <string>
#include <string_view>

#include "engine/trace/packed_spans.h"

namespace streamscope::timeline {

std::string_view span_name(const trace::Trace& trace, const trace::Span& span);  // "axpb"
std::string operation_text(const trace::Trace& trace, const trace::Span& span);  // "axpb #12"
std::string placed_text(const trace::Trace& trace, const trace::Span& span);     // "S0: axpb #12"; "main: sync #48"
std::string engine_text(Engine engine);                                          // "H2D engine", "compute"

}  // namespace streamscope::timeline

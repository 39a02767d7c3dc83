// How operations and waits are named in texts, and how texts are put together.
#pragma once

#include <string>
#include <string_view>

#include "app/timeline/instant.h"
#include "engine/analysis/wait_cause.h"

namespace streamscope::timeline {

void add_part(std::string& text, std::string_view part);  // behind a dot, where something stands before it
std::string lower(std::string_view text);                 // letters of ASCII

std::string thread_name(const trace::Trace& trace, std::uint32_t thread);  // "main"; "thread 3" where it has none
// "GPU 1 · NVIDIA H200": over what is of that device, of a run on several.
std::string device_text(const trace::Trace& trace, std::uint32_t device);
std::string stream_name(const trace::Trace& trace, std::uint32_t stream);
using analysis::operation_text;  // "axpb #12"
using analysis::span_name;       // "axpb"
// What its call is named: CUDA's name, "cudaMemcpyAsync", or in a trace of another tool what stands there.
std::string_view call_text(const trace::Trace& trace, const trace::Span& span);
std::string placed_text(const trace::Trace& trace, const trace::Span& span);  // "S0: axpb #12"; "main: sync #48"

// Who waits for whom at an instant, why, and for how long so far.
// "waits for S0: H2D #9 (H2D engine busy)"; the operation that waits is named next to it.
std::string reason_text(const trace::Trace& trace, const Wait& wait);
// "S1: axpb #12 waits for S0: H2D #9 (H2D engine busy), 132 us so far"
std::string wait_text(const trace::Trace& trace, const Wait& wait, Nanoseconds time);

}  // namespace streamscope::timeline

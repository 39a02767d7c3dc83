// Chrome's trace events. Format: "Trace Event Format" of the Chromium project; device work as PyTorch's profiler
// writes it: categories kernel, gpu_memcpy and gpu_memset, device, stream, correlation and bytes among the arguments.
//
// Events are read one by one and in any order. What is not drawn (flows, counters, samples, memory) is counted for a
// note; so is what cannot be drawn: an event without a time, an end without a beginning.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/input/read_control.h"
#include "engine/trace/trace.h"

namespace streamscope::input {

// A file that to_chrome_trace() wrote has our own run beside its events, as the member "streamscope": the run is read
// then, and not the events. That member mostly comes behind the events.
Result<trace::Run> read_chrome_trace(std::string_view text, const std::string& file, const ReadControl& control);

}  // namespace streamscope::input

// The part of a trace that is known before the program has run.
#pragma once

#include <vector>

#include "engine/device/device_info.h"
#include "engine/program/program.h"
#include "engine/trace/trace.h"

namespace streamscope::device {

// The part of a frame that every device fills alike, and the part of a span that does not depend on the run
// (operation, line, name, stream, kind, engine, thread, bytes).
trace::Trace frame_of(const program::Program& program, trace::Provenance provenance);
std::vector<trace::Span> blank_spans(const program::Program& program, const trace::Trace& frame);

// Priorities of streams that the device does not have become the nearest that it has, as in
// cudaStreamCreateWithPriority. What to say of it, once for each of them.
trace::Notes clamp_priorities(std::vector<trace::StreamInfo>& streams, const DeviceInfo& device);

}  // namespace streamscope::device

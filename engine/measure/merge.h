// From the merged readings of many passes (sampling.h) to the spans of one trace, free of contradictions where the
// noise explains them. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/measure/sampling.h"
#include "engine/program/order/order.h"
#include "engine/reconstruct/contradictions.h"
#include "engine/trace/trace.h"

namespace streamscope::measure {

// The spans of a merged trace and what its reader must know.
struct Merged {
  std::vector<trace::Span> spans;
  trace::Notes notes;
  std::size_t mended = 0;                                       // contradictions within the noise, set right
  std::vector<reconstruct::Contradiction> contradictions = {};  // larger than that, left as they are
};

// Readings of different passes can contradict each other: an operation seems to start before what it depends on has
// ended, or two copies to overlap on one engine. Where the gap is within what the two times may be off together
// (uncertainty and spread of both, and kEventLag for an event), the less sure of the two moves to meet the other: an
// end back, where it is the less sure or as sure, else what depends on it forward. An operation seen fewer than four
// times counts as no surer than the run's typical spread. reconstruct() (reconstruct.h) then completes the spans.
// Larger contradictions stay. `of` is the share's: with fewer passes than that some operations were never seen, which
// is noted.
Merged merge(const program::Program& program, const program::Dependencies& dependencies, const trace::Trace& frame,
             const Sampling& sampling, std::uint32_t of, const device::Circumstances& circumstances = {});

}  // namespace streamscope::measure

// How far off figures can be, by what is known of the times they follow from.
//
// Each time of the device's clock is uncertain by the offset between the two clocks (Provenance::uncertainty), which
// shifts all of them alike and cancels in the time between two of them, of one device; what the host saw has no part in it. What is
// left (an event's lag, a stamp's resolution, the spread of sampled runs) is each time's own and taken as independent:
// their noises add as squares. All in nanoseconds, plus or minus; 0 where nothing is uncertain, as of a model.
#pragma once

#include <string>

#include "engine/analysis/analysis.h"
#include "engine/trace/trace.h"

namespace streamscope::analysis {

Nanoseconds execution_noise(const trace::Trace& trace, const trace::Span& span);  // of end - start
Nanoseconds waiting_noise(const trace::Trace& trace, const trace::Span& span);    // of start - ready
// From the end of one to the start of the other.
Nanoseconds gap_noise(const trace::Trace& trace, const trace::Span& before, const trace::Span& span);

// "±2.9 us": a noise has two digits, more of them would be noise themselves.
std::string noise_text(Nanoseconds noise);

struct FigureNoise {
  Nanoseconds makespan = 0;  // with the spread over the runs, where that is known
  double speed_up = 0;
  double overlap = 0;
  Nanoseconds waiting = 0;
};
FigureNoise figure_noise(const trace::Run& run, const Analysis& analysis);
// Of the figures of a range, analyse(trace, range): the ends of the range are exact.
FigureNoise figure_noise(const trace::Run& run, const Analysis& analysis, const trace::Interval& range);

}  // namespace streamscope::analysis

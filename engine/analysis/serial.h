// What a run's device work takes one after the other, nothing beside anything: what a speed-up is measured against.
#pragma once

#include "engine/trace/trace.h"

namespace streamscope::analysis {

enum class SerialSource : std::uint8_t {
  unknown,
  measured,   // the same operations ran in one stream (trace::Run::serial)
  simulated,  // the same of a model
  durations,  // nothing ran so: the sum of isolated durations
};

struct Serial {
  Nanoseconds time = kAbsent;
  SerialSource source = SerialSource::unknown;
  // Of durations: so many operations are of a sort of which none ran alone. The shortest of the sort counts for them,
  // and may itself have been slowed.
  std::size_t never_alone = 0;
};

// The measured one where there is one, else the sum of isolated durations.
Serial serial_of(const trace::Run& run);

// Each operation counts with the shortest duration of its sort (trace::OperationClass; copies and memsets of any line)
// among those beside which no other device work ran. O(n log n).
Serial sum_of_isolated(const trace::Trace& trace);

}  // namespace streamscope::analysis

template <>
inline constexpr streamscope::NameTable<4> streamscope::kNames<streamscope::analysis::SerialSource>{
    "unknown", "measured", "simulated", "durations"};

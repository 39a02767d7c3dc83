// The figures of a trace: makespan, overlap, waiting, use of the engines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/analysis/serial.h"
#include "engine/analysis/waits.h"
#include "engine/base/kind.h"
#include "engine/trace/interval.h"
#include "engine/trace/trace.h"

namespace streamscope::analysis {

struct EngineUse {
  Engine engine = Engine::none;
  Nanoseconds busy = 0;     // union of its spans: kernels that share multiprocessors count once
  double use = 0;           // busy over makespan, 0..1
  std::uint64_t bytes = 0;  // moved by copies
  std::uint32_t operations = 0;
  std::uint32_t device = 0;  // as Span::device
};

struct Analysis {
  Nanoseconds makespan = kAbsent;  // first start to last end of device work
  Serial serial;                   // of a whole run
  double serial_speed_up = 0;      // serial over the run's makespan; 0 where there is none
  Nanoseconds serial_sum = 0;      // sum of start..end, however much operations slowed each other
  double speed_up = 0;             // serial_sum / makespan; 0 where there is none
  // Time of the makespan in which so many of the engines are busy at once: the index.
  std::vector<Nanoseconds> busy_at_once{0};
  Nanoseconds overlapped = 0;      // time in which two or more copies or kernels run at once
  double overlap = 0;              // overlapped / makespan, 0..1
  Nanoseconds waiting = 0;         // sum of ready..start of device work
  Nanoseconds host_calls = 0;      // sum of host_begin..host_end of asynchronous calls; a graph's launch counts once
  std::vector<EngineUse> engines;  // h2d, d2h, compute of each device in turn; then the links
  std::vector<WaitSum> waits;      // by what was waited for, the most time first
  std::uint32_t streams = 0;       // with device work that has calls of its own; a graph's nodes have none
  bool one_copy_engine = false;    // of the first device: copies in and out take turns
};
// Only known times count: a span without a start or an end, or with the end before the start, adds no time. Sums
// saturate. O(n log n), and O(n) where the spans of each engine come in the order of their starts.
Analysis analyse(const trace::Trace& trace);
// The same, and how much faster the run is than one operation after the other.
Analysis analyse(const trace::Run& run);

// The same for a range. Executions, waits and host calls are cut to it, each on its own; an operation counts on its
// engine if a part of its execution lies in the range, and its bytes by that part's share. The makespan is from the
// first instant of device work in the range to the last. A range that holds everything gives the figures of the whole.
Analysis analyse(const trace::Trace& trace, const trace::Interval& range);

// Whether a part of [start, end) lies in the range, or its instant where it takes no time. False where a time is not
// known or it ends before it starts.
bool meets(const trace::Interval& range, Nanoseconds start, Nanoseconds end);
// Whether an operation lies in the range: by its execution or, where that is not known, by its host call.
bool meets(const trace::Interval& range, const trace::Span& span);
// How many operations lie in each of the intervals. O(n) for each.
std::vector<std::size_t> operations_in(const trace::Trace& trace, const std::vector<trace::Interval>& intervals);

// The union of [start, end) over the spans of one engine of one device, as sorted disjoint intervals; ones that touch
// are joined.
std::vector<trace::Interval> busy(const std::vector<trace::Span>& spans, DeviceEngine engine);

// "waited 132 us from ready to start for the H2D engine, busy with H2D #12 (line 7)": for the tooltip and the
// files; the one of the two waits that the span's reason stands for. Empty where it has none. O(log n).
std::string explain_wait(const trace::Trace& trace, const trace::Span& span);

}  // namespace streamscope::analysis

// What becomes of a run that a reader returned: it is analysed, written in every format, and read again.
#pragma once

#include <string>

#include "engine/analysis/analysis.h"
#include "engine/input/json.h"
#include "engine/output/output.h"
#include "engine/trace/packed_spans.h"
#include "tests/fuzz/look_through.h"

namespace streamscope::fuzz {

inline Result<trace::Run> read_again(const std::string& text) {
  const input::OpenControl plain;
  return input::read_json(text, "f", input::ReadControl(plain));
}

// Two events 73 years apart are drawn, and no saved run has such times.
inline bool too_long(const trace::Run& run) {
  for (std::size_t i = 0; i < span_count(run.trace); ++i) {
    const trace::Span span = span_at(run.trace, i);
    for (const Nanoseconds time : {span.host_begin, span.host_end, span.start, span.end})
      if (known(time) && time > Nanoseconds{1} << 61) return true;
  }
  return false;
}

inline void take_through(const Result<trace::Run>& run) {
  look_through(run);
  if (!run) return;
  static_cast<void>(analysis::analyse(*run));
  insist(!output::to_csv(*run).empty());
  insist(!output::to_markdown(*run).empty());
  // The run is in both, whole: writing it once more gives the same bytes.
  const std::string saved = output::to_json(*run);
  for (const std::string& text : {saved, output::to_chrome_trace(*run)}) {
    const auto again = read_again(text);
    look_through(again);
    insist(again.has_value() || too_long(*run));
    insist(!again || span_count(again->trace) == span_count(run->trace));
  }
}

}  // namespace streamscope::fuzz

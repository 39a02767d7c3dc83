// Properties of every run that a reader returns, whatever it read.
#pragma once

#include "engine/trace/packed_spans.h"
#include "tests/fuzz/insist.h"

namespace streamscope::fuzz {

inline void look_through(const Result<trace::Run>& run) {
  if (!run) {
    insist_on_place(run.error());
    return;
  }
  const trace::Trace& trace = run->trace;
  OperationIndex before = 0;
  for (std::size_t i = 0; i < span_count(trace); ++i) {
    const trace::Span span = span_at(trace, i);
    if (trace.packed) {
      insist(span.name < trace.names.size());
      insist(!known(span.host_begin) || (span.thread < trace.threads.size() && span.host_begin <= span.host_end));
      insist(!known(span.start) || (span.stream < trace.streams.size() && span.start <= span.end));
      insist(!known(span.host_begin) || span.host_begin >= 0);
      insist(!known(span.start) || span.start >= 0);
    }
    insist(i == 0 || span.operation >= before);
    before = span.operation;
  }
  for (const trace::StageBlock& block : trace.stages.blocks) insist(block.places > 0);
  if (run->prediction) insist(run->prediction->trace.spans.size() == trace.spans.size());
}

}  // namespace streamscope::fuzz

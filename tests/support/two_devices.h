// A made-up run on two devices: no instrument makes one yet, but files, messages and views know of it.
#pragma once

#include "tests/support/timeline_run.h"

namespace streamscope::testing {

// The pipeline's streams S0 and S1 are the first device's, S2 and S3 the second's, whose clock is tied less well.
inline trace::Run run_on_two_devices() {
  trace::Run run = pipeline_run({});
  trace::Trace& trace = run.trace;
  trace.other_devices = {trace.provenance};
  trace.other_devices[0].device = "NVIDIA H200 NVL";
  trace.other_devices[0].uncertainty = 5'100;
  for (std::size_t i = 4; i < trace.streams.size(); ++i) trace.streams[i].device = 1;
  for (trace::Span& span : trace.spans)
    if (span.stream != trace::Span::kNoStream)
      span.device = static_cast<std::uint8_t>(trace.streams[span.stream].device);
  return run;
}

}  // namespace streamscope::testing

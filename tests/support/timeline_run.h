// Made-up runs for tests of pictures: no device, every number known.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "engine/trace/trace.h"

namespace streamscope::testing {

inline trace::Provenance measured_provenance() {
  trace::Provenance provenance;
  provenance.kind = trace::Provenance::Kind::measured;
  provenance.device = "NVIDIA H200";
  provenance.driver = "580.159.04, CUDA 13.0";
  provenance.clock = "host CLOCK_MONOTONIC, device %globaltimer tied by handshake";
  provenance.uncertainty = 2'900;
  provenance.instrument = "full";
  provenance.date = "2026-11-21T03:10:00Z";
  return provenance;
}

inline trace::Provenance model_provenance() {
  trace::Provenance provenance;
  provenance.device = "NVIDIA H200";
  provenance.profile = "h200";
  provenance.clock = "model";
  provenance.instrument = "full";
  provenance.date = "2026-11-21T03:10:00Z";
  return provenance;
}

// chunks copies in, kernels and copies out, depth first over the streams; each engine carries one at a time, each
// stream goes in order. A host call takes 2 us; at the end the host waits for all.
struct Pipeline {
  std::uint32_t streams = 4, chunks = 16;
  Nanoseconds h2d = 302'000, kernel = 290'000, d2h = 303'000;
  std::uint64_t bytes = 16U << 20;
};

inline trace::Run pipeline_run(const Pipeline& pipeline) {
  trace::Run run;
  run.experiment =
      "name = \"Four streams\"\nbytes = \"256MiB\"\nchunk = \"16MiB\"\nstreams = 4\nstream_flags = \"nonblocking\"\n"
      "order = \"depth-first\"\nhost = \"pinned\"\nmode = \"async\"\n[kernel]\nname = \"axpb\"\nfma = 2000\n";
  run.runs = 15;
  trace::Trace& trace = run.trace;
  trace.provenance = measured_provenance();
  trace.streams = {{"default", false, 0}, {"per-thread", false, 0}};
  for (std::uint32_t i = 0; i < pipeline.streams; ++i) trace.streams.push_back({"S" + std::to_string(i), true, 0});
  trace.threads = {"main"};
  trace.names = {"H2D", "axpb", "D2H", "sync"};
  std::vector<Nanoseconds> stream_free(trace.streams.size(), 0), engine_free(kEngines, 0);
  Nanoseconds host = 0, last = 0;
  const auto put = [&](std::uint32_t name, std::uint32_t stream, OperationKind kind, Engine engine,
                       Nanoseconds length) {
    trace::Span span;
    span.operation = static_cast<OperationIndex>(trace.spans.size());
    span.line = span.operation + 1;
    span.name = name;
    span.stream = stream;
    span.kind = kind;
    span.engine = engine;
    span.source = kind == OperationKind::kernel ? trace::Source::stamp : trace::Source::event;
    span.bytes = kind == OperationKind::kernel ? 0 : pipeline.bytes;
    span.host_begin = host;
    span.host_end = host + 2'000;
    host += 2'500;
    const auto at = static_cast<std::size_t>(engine);
    span.ready = std::max(span.host_end + 4'000, stream_free[stream]);
    span.start = std::max(span.ready, engine_free[at]);
    span.end = span.start + length;
    if (span.start > span.ready) span.reason = trace::WaitReason::engine;
    if (span.operation > 0) span.waits_for = span.operation - 1;
    stream_free[stream] = engine_free[at] = span.end;
    last = std::max(last, span.end);
    trace.spans.push_back(span);
  };
  for (std::uint32_t chunk = 0; chunk < pipeline.chunks; ++chunk) {
    const std::uint32_t stream = 2 + chunk % pipeline.streams;
    put(0, stream, OperationKind::h2d, Engine::h2d, pipeline.h2d);
    put(1, stream, OperationKind::kernel, Engine::compute, pipeline.kernel);
    put(2, stream, OperationKind::d2h, Engine::d2h, pipeline.d2h);
  }
  trace::Span sync;
  sync.operation = static_cast<OperationIndex>(trace.spans.size());
  sync.line = sync.operation + 1;
  sync.name = 3;
  sync.kind = OperationKind::sync;
  sync.engine = Engine::host;
  sync.source = trace::Source::host;
  sync.host_begin = sync.start = host;
  sync.host_end = sync.end = last + 5'000;
  trace.spans.push_back(sync);
  const Nanoseconds span = trace::makespan(trace.spans);
  run.makespan = trace::Statistic{span, span - 12'000, span + 40'000};
  run.wall = trace::Statistic{last + 5'000, last, last + 80'000};
  run.observer_effect = trace::ObserverEffect{1.013, 1.011, 1.016, 5};
  run.verified = true;
  return run;
}

}  // namespace streamscope::testing

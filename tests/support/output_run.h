// A small run made by hand for the output's tests: two chunks through two streams, a blocking copy, an event, a host
// function, a poll, and what is awkward in files: names that need quotes, absent times, two kernels at once.
#pragma once

#include "engine/trace/trace.h"

namespace streamscope::output_test {

inline trace::Span span(OperationIndex operation, std::uint32_t line, OperationKind kind, Engine engine,
                        std::uint32_t name, std::uint32_t stream) {
  trace::Span made;
  made.operation = operation;
  made.line = line;
  made.kind = kind;
  made.engine = engine;
  made.name = name;
  made.stream = stream;
  return made;
}

inline void called(trace::Span& span, Nanoseconds begin, Nanoseconds end) {
  span.host_begin = begin;
  span.host_end = end;
}

inline void ran(trace::Span& span, Nanoseconds ready, Nanoseconds start, Nanoseconds end, trace::Source source,
                std::uint32_t uncertainty) {
  span.ready = ready;
  span.start = start;
  span.end = end;
  span.source = source;
  span.uncertainty = uncertainty;
  span.start_source = source == trace::Source::event ? trace::Source::inferred : source;
  span.start_uncertainty = 2 * uncertainty;
  span.ready_source = trace::Source::host;
  span.ready_uncertainty = 2'900;
}

inline void waited(trace::Span& span, trace::WaitReason reason, OperationIndex on) {
  span.reason = reason;
  span.waits_for = on;
}

inline trace::Run small_run() {
  trace::Run run;
  run.experiment =
      "name = \"Two \\\"small\\\" chunks\"\nstreams = 2\nbytes = 2097152\n\n[kernel]\nname = \"axpb\"\nfma = 1\n";
  run.program = "buffer x 2MiB\nstreams S 2 nonblocking\n# caf\xc3\xa9, \"quoted\"\n";
  run.runs = 3;
  run.wall = trace::Statistic{420'001, 419'000, 431'002};
  run.bare_wall = trace::Statistic{400'000, 399'000, 410'000};
  run.makespan = trace::Statistic{163'500, 160'000, 170'000};
  run.observer_effect = trace::ObserverEffect{1.0500025, 1.04, 1.0625, 5};
  run.verified = true;
  run.notes = {{trace::NoteKind::other, "made by hand"}};

  trace::Trace& trace = run.trace;
  trace.provenance.kind = trace::Provenance::Kind::measured;
  trace.provenance.device = "NVIDIA \"Test\", 132 SMs";
  trace.provenance.driver = "580.159.04, CUDA 13.0";
  trace.provenance.clock = "host CLOCK_MONOTONIC, device %globaltimer";
  trace.provenance.uncertainty = 2'900;
  trace.provenance.instrument = "full";
  trace.provenance.date = "2026-11-21T10:00:00Z";
  trace.streams = {{"default", false, 0}, {"per-thread", false, 0}, {"S0", true, 0}, {"S1", true, -5}};
  trace.threads = {"main"};
  trace.names = {
      "H2D", "axpb", "D2H", "cudaMemcpy H2D", "record", "host function", "cudaStreamQuery", "cudaDeviceSynchronize",
      "work"};

  constexpr std::uint64_t kChunk = 1u << 20;
  trace::Span work = span(0, 3, OperationKind::work, Engine::host, 8, trace::Span::kNoStream);
  called(work, 0, 1'500);

  trace::Span in0 = span(1, 4, OperationKind::h2d, Engine::h2d, 0, 2);
  in0.bytes = kChunk;
  called(in0, 1'600, 3'200);
  ran(in0, 3'200, 10'000, 33'007, trace::Source::event, 500);

  trace::Span kernel0 = span(2, 5, OperationKind::kernel, Engine::compute, 1, 2);
  kernel0.bytes = kChunk;
  called(kernel0, 3'300, 5'100);
  ran(kernel0, 33'007, 33'100, 80'000, trace::Source::stamp, 32);
  waited(kernel0, trace::WaitReason::stream, 1);

  trace::Span in1 = span(3, 6, OperationKind::h2d, Engine::h2d, 0, 3);
  in1.bytes = kChunk;
  called(in1, 5'200, 6'700);
  ran(in1, 6'700, 33'007, 56'000, trace::Source::inferred, 500);
  waited(in1, trace::WaitReason::engine, 1);

  trace::Span kernel1 = span(4, 7, OperationKind::kernel, Engine::compute, 1, 3);  // at once with kernel0
  kernel1.bytes = kChunk;
  called(kernel1, 6'800, 8'500);
  ran(kernel1, 56'000, 56'100, 103'000, trace::Source::stamp, 32);
  waited(kernel1, trace::WaitReason::stream, 3);

  trace::Span record = span(5, 8, OperationKind::record, Engine::none, 4, 3);
  called(record, 8'600, 9'300);
  ran(record, 103'000, 103'000, 103'000, trace::Source::inferred, 532);
  waited(record, trace::WaitReason::stream, 4);

  trace::Span out1 = span(6, 9, OperationKind::d2h, Engine::d2h, 2, 3);
  out1.bytes = kChunk;
  called(out1, 9'400, 10'900);
  ran(out1, 103'000, 103'000, 125'500, trace::Source::event, 500);
  waited(out1, trace::WaitReason::stream, 4);

  trace::Span function = span(7, 10, OperationKind::hostfn, Engine::host, 5, 2);
  called(function, 11'000, 12'000);
  ran(function, 80'000, 86'000, 96'000, trace::Source::host, 0);
  waited(function, trace::WaitReason::stream, 2);

  trace::Span poll = span(8, 11, OperationKind::poll, Engine::host, 6, trace::Span::kNoStream);
  poll.polls = 12;
  called(poll, 12'100, 97'000);
  waited(poll, trace::WaitReason::host, 7);

  trace::Span blocking = span(9, 12, OperationKind::h2d, Engine::h2d, 3, 0);
  blocking.blocking = true;
  blocking.bytes = kChunk;
  called(blocking, 97'100, 173'600);
  ran(blocking, 97'100, 150'000, 173'500, trace::Source::event, 500);
  waited(blocking, trace::WaitReason::unknown, kNoOperation);

  trace::Span lost = span(10, 13, OperationKind::d2h, Engine::d2h, 2, 2);  // nothing came back of it but its call
  lost.bytes = kChunk;
  called(lost, 173'700, 175'000);

  trace::Span sync = span(11, 0, OperationKind::sync, Engine::host, 7, trace::Span::kNoStream);  // implied: no line
  called(sync, 175'100, 420'001);
  waited(sync, trace::WaitReason::host, 10);

  trace.spans = {work, in0, kernel0, in1, kernel1, record, out1, function, poll, blocking, lost, sync};
  return run;
}

// The same with a prediction: the first copy was to take 10 us, and what follows from it to be so much earlier.
inline trace::Run predicted_run() {
  trace::Run run = small_run();
  trace::Prediction& prediction = run.prediction.emplace();
  prediction.wall = 405'000;
  prediction.makespan = 150'000;
  prediction.notes = {{trace::NoteKind::prediction, "predicted by hand"}};
  prediction.trace = run.trace;
  trace::Provenance& from = prediction.trace.provenance;
  from = trace::Provenance{};
  from.device = "NVIDIA \"Test\", 132 SMs";
  from.profile = "test, changed: host.launch 5us (was 2us)";
  from.clock = "simulated";
  for (trace::Span& span : prediction.trace.spans) {
    if (!known(span.start)) continue;
    if (span.operation == 1) span.end = span.start + 10'000;
    if (span.operation < 2 || span.operation > 8) continue;
    for (Nanoseconds* time : {&span.ready, &span.start, &span.end}) *time -= 13'007;
  }
  return run;
}

// The same, with two blocks of its first kernel that recorded their stages.
inline trace::Run recorded_run() {
  trace::Run run = small_run();
  run.stage_effect = trace::ObserverEffect{1.25, 1.0, 1.5, 3};
  trace::KernelFacts facts;
  facts.operation = 2;
  facts.blocks = 20;
  facts.threads = 256;
  facts.registers = 40;
  facts.bytes = 2 << 20;
  facts.flops = 1e6;
  run.trace.kernels = {facts};
  run.trace.stages.every = 10;
  for (const std::uint32_t block : {0u, 10u}) {
    run.trace.stages.blocks.push_back(
        {.operation = 2,
         .block = block,
         .multiprocessor = 7,
         .places = 2,
         .tiles = 2,
         .begin = 60'000,
         .end = 60'900,
         .stages = {{0, 60'010, 60'020, 60'200, 60'500}, {1, 60'210, 60'510, 60'600, 60'850}}});
  }
  return run;
}

}  // namespace streamscope::output_test

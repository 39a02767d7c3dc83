// Messages to send about: one of each type with every field filled by a seed, and a way to compare them.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "engine/remote/message.h"

namespace streamscope::samples {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  template <class T>
  T any() {  // any value of an integer type, extremes often
    switch (engine_() % 4) {
      case 0: return std::numeric_limits<T>::min();
      case 1: return std::numeric_limits<T>::max();
      case 2: return static_cast<T>(engine_() % 300);
      default: return static_cast<T>(engine_());
    }
  }
  std::uint64_t below(std::uint64_t limit) { return engine_() % limit; }
  bool coin() { return engine_() % 2 == 0; }
  std::string text() {
    static const std::vector<std::string> kPieces{
        "a", "Z", " ", "\n", "\t", "\"", "\\", "0", "ä", "→", "🔬", "stream", std::string(1, '\0')};
    std::string text;
    for (std::uint64_t left = below(12); left > 0; --left) text += kPieces[below(kPieces.size())];
    return text;
  }

 private:
  std::mt19937_64 engine_;
};

inline trace::Span span(Random& random) {
  trace::Span span;
  span.operation = random.any<std::uint32_t>();
  span.line = random.any<std::uint32_t>();
  span.name = random.any<std::uint32_t>();
  span.stream = random.any<std::uint32_t>();
  span.kind = static_cast<OperationKind>(random.below(kOperationKinds));
  span.engine = static_cast<Engine>(random.below(kEngines));
  for (trace::Source* source : {&span.ready_source, &span.start_source, &span.source}) {
    *source = static_cast<trace::Source>(random.below(7));
  }
  span.reason = static_cast<trace::WaitReason>(random.below(10));
  span.blocking = random.coin();
  span.waits_for = random.any<std::uint32_t>();
  span.launch = random.any<std::uint32_t>();
  span.thread = random.any<std::uint32_t>();
  span.bytes = random.any<std::uint64_t>();
  for (Nanoseconds* time : {&span.host_begin, &span.host_end, &span.ready, &span.start, &span.end}) {
    *time = random.any<Nanoseconds>();
  }
  for (std::uint32_t* number : {&span.ready_uncertainty, &span.start_uncertainty, &span.uncertainty, &span.samples,
                                &span.spread, &span.polls}) {
    *number = random.any<std::uint32_t>();
  }
  return span;
}

inline std::vector<trace::Span> spans(Random& random, std::size_t count) {
  std::vector<trace::Span> spans;
  for (std::size_t i = 0; i < count; ++i) spans.push_back(span(random));
  return spans;
}

inline std::optional<trace::Statistic> maybe_statistic(Random& random) {
  if (random.coin()) return std::nullopt;
  return trace::Statistic{random.any<Nanoseconds>(), random.any<Nanoseconds>(), random.any<Nanoseconds>(),
                          random.any<Nanoseconds>()};
}

inline Error error(Random& random) {
  Error error{static_cast<ErrorKind>(random.below(5)), random.text()};
  if (random.coin()) error.fault = DeviceFault{random.text(), random.any<int>(), random.text(), random.text()};
  if (random.coin()) error.longest_kernel = random.any<Nanoseconds>();
  error.wants_own_code = random.coin();
  return error;
}

inline device::DeviceInfo device(Random& random) {
  device::DeviceInfo info;
  info.id = random.text();
  info.name = random.text();
  info.kind = static_cast<trace::Provenance::Kind>(random.below(2));
  info.driver = random.text();
  info.profile = random.text();
  info.compute_capability = random.text();
  info.memory_bytes = random.any<std::uint64_t>();
  info.devices = random.any<int>();
  info.peer = random.coin();
  info.multiprocessors = random.any<int>();
  info.copy_engines = random.any<int>();
  info.lowest_priority = random.any<int>();
  info.highest_priority = random.any<int>();
  info.drives_display = random.coin();
  for (std::uint64_t i = random.below(3); i > 0; --i) {
    info.what_ifs.push_back({random.text(), random.text(), random.text(), random.text(),
                             static_cast<double>(random.below(99)) / 8, 1e12, static_cast<double>(random.below(9))});
  }
  info.predicted_by = random.text();
  return info;
}

inline trace::Trace trace(Random& random) {  // without spans, as it travels
  trace::Trace trace;
  trace.provenance = {static_cast<trace::Provenance::Kind>(random.below(2)),
                      random.text(),
                      random.text(),
                      random.text(),
                      random.text(),
                      random.any<Nanoseconds>(),
                      random.text(),
                      random.coin(),
                      random.text(),
                      random.any<std::uint32_t>()};
  for (std::uint64_t i = random.below(5); i > 0; --i) {
    trace.streams.push_back({random.text(), random.coin(), random.any<int>()});
  }
  for (std::uint64_t i = random.below(3); i > 0; --i) trace.threads.push_back(random.text());
  for (std::uint64_t i = random.below(9); i > 0; --i) trace.names.push_back(random.text());
  for (std::uint64_t i = random.below(4); i > 0; --i) {
    trace::KernelFacts facts;
    for (std::uint32_t* number : {&facts.operation, &facts.blocks, &facts.threads, &facts.registers,
                                  &facts.blocks_at_once, &facts.most_threads, &facts.multiprocessors}) {
      *number = random.any<std::uint32_t>();
    }
    facts.shared_bytes = random.any<std::uint64_t>();
    facts.bytes = random.any<std::uint64_t>();
    facts.flops = static_cast<double>(random.below(1000)) / 7;
    facts.copy_rate = static_cast<double>(random.below(1000)) * 1e9;
    facts.peak_flops = 1e13;
    trace.kernels.push_back(facts);
  }
  for (std::uint64_t i = random.below(3); i > 0; --i) {
    trace::DeviceFacts& facts = trace.device_facts.emplace_back();
    for (std::uint32_t* number :
         {&facts.multiprocessors, &facts.threads, &facts.blocks, &facts.registers, &facts.kernels, &facts.copy_engines,
          &facts.queue_depth, &facts.connections, &facts.copy_connections}) {
      *number = random.any<std::uint32_t>();
    }
    facts.shared_bytes = random.any<std::uint64_t>();
    facts.copies_in_issue_order = random.coin();
    for (std::uint64_t* number : {&facts.block_shared_reserved, &facts.inlined_bytes, &facts.inlined_idle_bytes,
                                  &facts.inlined_pageable_bytes}) {
      *number = random.any<std::uint64_t>();
    }
    for (std::uint64_t k = random.below(4); k > 0; --k) {
      facts.hand_overs.push_back({static_cast<trace::WaitReason>(random.below(10)),
                                  static_cast<Engine>(random.below(kEngines)),
                                  static_cast<Engine>(random.below(kEngines)), random.any<Nanoseconds>()});
    }
  }
  for (std::uint64_t i = random.below(4); i > 0; --i) {
    trace.launches.push_back({random.any<std::uint32_t>(), random.any<std::uint32_t>(), random.any<std::uint64_t>(),
                              random.any<std::uint64_t>(), random.any<std::uint32_t>(), random.any<std::uint32_t>(),
                              random.any<std::uint64_t>(), random.any<std::uint32_t>()});
  }
  for (std::uint64_t i = random.below(4); i > 0; --i) {
    trace.answers.polls.push_back({random.any<std::uint32_t>(), random.any<Nanoseconds>(), random.any<Nanoseconds>()});
    trace.answers.streams.push_back({random.any<std::uint32_t>(), random.any<std::uint32_t>(), random.any<int>(),
                                     random.coin(), random.any<std::uint64_t>(),
                                     static_cast<trace::CaptureStatus>(random.below(3))});
    trace.answers.captures.push_back(
        {random.any<std::uint32_t>(), static_cast<trace::CaptureStatus>(random.below(3)), random.any<std::uint64_t>()});
  }
  trace.stages.every = random.any<std::uint32_t>();
  for (std::uint64_t i = random.below(3); i > 0; --i) {
    trace::StageBlock block;
    for (std::uint32_t* number :
         {&block.operation, &block.block, &block.multiprocessor, &block.warp, &block.copy_warp, &block.tiles}) {
      *number = random.any<std::uint32_t>();
    }
    block.places = 1 + static_cast<std::uint32_t>(random.below(1 << 16));
    block.begin = random.any<Nanoseconds>();
    block.end = random.any<Nanoseconds>();
    block.uncertainty = static_cast<std::uint32_t>(random.below(5000));
    block.rate_uncertainty = static_cast<double>(random.below(4)) / 8;
    for (std::uint64_t k = random.below(5); k > 0; --k) {
      block.stages.push_back({random.any<std::uint32_t>(), random.any<Nanoseconds>(), random.any<Nanoseconds>(),
                              random.any<Nanoseconds>(), random.any<Nanoseconds>()});
    }
    trace.stages.blocks.push_back(block);
  }
  return trace;
}

inline trace::Run run(Random& random) {  // without spans, as it travels
  trace::Run run;
  run.experiment = random.text();
  run.program = random.text();
  run.runs = random.any<int>();
  run.wall = maybe_statistic(random);
  run.bare_wall = maybe_statistic(random);
  run.makespan = maybe_statistic(random);
  if (random.coin()) {
    run.observer_effect = trace::ObserverEffect{1.0 + static_cast<double>(random.below(1000)) / 977, 1, 1.5,
                                                static_cast<int>(random.below(9))};
  }
  if (random.coin()) run.stage_effect = trace::ObserverEffect{1.001, 1, 1.25, static_cast<int>(random.below(9))};
  if (random.coin()) run.verified = random.coin();
  for (std::uint64_t i = random.below(3); i > 0; --i)
    run.notes.push_back({static_cast<trace::NoteKind>(random.below(16)), random.text()});
  run.trace = trace(random);
  if (random.coin()) {
    trace::Prediction& prediction = run.prediction.emplace();
    prediction.wall = random.any<Nanoseconds>();
    prediction.makespan = random.any<Nanoseconds>();
    for (std::uint64_t i = random.below(3); i > 0; --i)
      prediction.notes.push_back({static_cast<trace::NoteKind>(random.below(16)), random.text()});
    prediction.trace = trace(random);
    prediction.trace.answers = {};  // of measured runs only
  }
  for (std::uint64_t i = random.below(4); i > 0; --i) {
    run.alone.push_back({{static_cast<OperationKind>(random.below(kOperationKinds)), random.any<std::uint8_t>(),
                          random.any<std::uint32_t>(), random.any<std::uint32_t>(), random.any<std::uint64_t>()},
                         random.any<Nanoseconds>(),
                         random.any<Nanoseconds>(),
                         random.any<Nanoseconds>(),
                         random.any<std::uint64_t>()});
  }
  if (random.coin()) {
    run.referee = {random.any<int>(), random.text(), random.any<std::uint64_t>(), random.any<std::uint64_t>(),
                   random.text()};
  }
  return run;
}

// One of each type, in the order of Message's alternatives.
inline std::vector<remote::Message> one_of_each(std::uint64_t seed) {
  Random random(seed);
  remote::message::StartRun start{random.any<std::uint64_t>(), random.text(), random.text(), random.text(), {}};
  start.options = {.runs = random.any<int>(),
                   .instrument = static_cast<device::Instrument>(random.below(4)),
                   .gate = random.coin(),
                   .share = random.any<std::uint32_t>(),
                   .min_samples = random.any<int>(),
                   .max_noise = static_cast<double>(random.below(100)) / 128,
                   .timeout = random.any<Nanoseconds>(),
                   .stages_of = random.any<std::uint32_t>(),
                   .observer_effect = random.coin(),
                   .verify = random.coin(),
                   .long_kernels = random.coin()};
  start.predict = random.text();
  start.referee = random.coin();
  for (std::uint64_t i = random.below(3); i > 0; --i)
    start.own_times.push_back({random.text(), random.text(), random.any<std::uint64_t>(), random.any<std::uint32_t>(),
                               random.any<std::uint64_t>(), random.any<Nanoseconds>(), random.any<std::uint32_t>(),
                               random.text()});
  remote::message::Devices devices;
  for (std::uint64_t i = random.below(4); i > 0; --i) devices.list.devices.push_back(device(random));
  devices.list.why_no_gpu = random.text();
  for (std::uint64_t i = random.below(3); i > 0; --i)
    devices.list.skipped.push_back({random.text(), random.text(), random.text()});
  return {remote::message::Hello{random.any<std::uint32_t>(), random.text()},
          remote::message::AskDevices{},
          devices,
          start,
          remote::message::Stop{random.any<std::uint64_t>()},
          remote::message::Spans{random.any<std::uint64_t>(), spans(random, random.below(40)), random.coin(),
                                 random.coin()},
          remote::message::Passes{random.any<std::uint64_t>(), random.any<int>(), random.any<int>()},
          remote::message::Done{random.any<std::uint64_t>(), run(random), random.any<std::uint64_t>(),
                                random.any<std::uint64_t>()},
          remote::message::Failed{random.any<std::uint64_t>(), error(random)},
          remote::message::Opinion{random.any<std::uint64_t>(),
                                   {random.any<int>(),
                                    random.text(),
                                    {random.any<Nanoseconds>(), kAbsent},
                                    {random.any<Nanoseconds>(), kAbsent},
                                    {random.any<Nanoseconds>(), kAbsent}}}};
}

}  // namespace streamscope::samples

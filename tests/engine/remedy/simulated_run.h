// A run on a model, judged, with the same model to simulate changes.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "engine/experiment/experiment_file.h"
#include "engine/program/read_program.h"
#include "engine/remedy/explain.h"
#include "engine/remedy/without.h"
#include "tests/support/open_device.h"

namespace streamscope::remedy {

struct SimulatedRun {
  Source source;
  std::string device_name;
  std::unique_ptr<device::Device> device;
  program::Program program;
  trace::Trace trace;
  std::unique_ptr<const verdict::Judgement> judgement;
};

inline Result<trace::Trace> simulate(device::Device& device, const program::Program& program) {
  device::LoadOptions options;
  options.long_kernels = true;
  auto loaded = TRY(device.load(program, options));
  auto pass = TRY(loaded->run(device::Instrument::full, {}));
  trace::Trace trace = loaded->frame();
  trace.spans = std::move(pass.spans);
  return trace;
}

// On the heap: the judgement refers to it.
inline std::unique_ptr<SimulatedRun> simulated_run(Source source, std::string_view device) {
  auto run = std::make_unique<SimulatedRun>();
  run->source = std::move(source);
  run->device_name = device;
  auto opened = tests::open_device(run->device_name);
  EXPECT_TRUE(opened) << opened.error().message;
  run->device = std::move(*opened);
  auto read = program::read_program(run->source.program, "test");
  EXPECT_TRUE(read) << read.error().message;
  if (!read) return run;
  run->program = std::move(read->program);
  auto trace = simulate(*run->device, run->program);
  EXPECT_TRUE(trace) << trace.error().message;
  if (!trace) return run;
  run->trace = std::move(*trace);
  run->judgement = std::make_unique<verdict::Judgement>(verdict::judge(run->trace, &run->program));
  return run;
}

// An experiment where the text begins with "name", else a program.
inline Source source_from(std::string_view text) {
  if (!text.starts_with("name")) return {"", std::string(text)};
  auto file = experiment::parse_experiment(text, "test");
  EXPECT_TRUE(file) << file.error().message;
  return file ? source_of(file->experiment) : Source{};
}
inline std::unique_ptr<SimulatedRun> simulated_run(std::string_view text, std::string_view device = "model:h200") {
  return simulated_run(source_from(text), device);
}

// On the run's device, which must outlive it.
inline Simulate simulator(const SimulatedRun& run) {
  return [&](const program::Program& program, std::optional<verdict::Cause> cause) -> Result<Nanoseconds> {
    std::string changed = run.device_name;
    if (cause) {
      for (const device::DeviceSpec::Change& each : without(*cause)) changed += "," + each.key + "=" + each.value;
    }
    const auto device = TRY(tests::open_device(changed));
    const trace::Trace trace = TRY(simulate(*device, program));
    return trace::makespan(trace.spans);
  };
}

inline Verdict verdict_on(const SimulatedRun& run) {
  const Circumstances circumstances{.makespan = run.judgement->makespan, .model = true};
  auto verdict = explain(*run.judgement, run.source, circumstances, simulator(run));
  EXPECT_TRUE(verdict) << verdict.error().message;
  return verdict ? std::move(*verdict) : Verdict{};
}

}  // namespace streamscope::remedy

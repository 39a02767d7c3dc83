// A whole run of the model, from the program's text to the files: golden, since the model is deterministic.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "engine/analysis/analysis.h"
#include "engine/base/files.h"
#include "engine/device/catalog/catalog.h"
#include "engine/device/model/model.h"
#include "engine/measure/measure.h"
#include "engine/output/output.h"
#include "engine/program/read_program.h"
#include "tests/engine/output/golden.h"
#include "tests/engine/output/trace_rules.h"

namespace streamscope::output {
namespace {

using output_test::check_trace_rules;
using output_test::expect_golden;

struct Modelled {
  trace::Run run;
  std::string error;
};

Modelled modelled(const std::string& program_text, const std::string& experiment) {
  const auto program = program::read_program(program_text, "test");
  if (!program) return {{}, program.error().message};
  // A profile of its own: the shipped ones are measured again now and then.
  auto profile =
      catalog::read_profile(std::filesystem::path(STREAMSCOPE_SOURCE) / "tests" / "golden" / "model-profile.toml");
  if (!profile) return {{}, profile.error().message};
  const auto device = model::make_model(std::move(*profile));
  auto run = measure::measure(*device, program->program, measure::MeasureOptions{}, device::RunControl{});
  if (!run) return {{}, run.error().message};
  run->experiment = experiment;
  run->program = program_text;
  run->trace.provenance.date = "2026-11-21T10:00:00Z";  // the one thing that changes from day to day
  return {std::move(*run), {}};
}

Modelled small_pipeline() {
  return modelled(R"(buffer x 4MiB
streams S 2 nonblocking
repeat 4 as i {
  S{i%2}: h2d x[{i}MiB:1MiB]
  S{i%2}: axpb x[{i}MiB:1MiB] fma=64
  S{i%2}: d2h x[{i}MiB:1MiB]
}
host: sync device
)",
                  "name = 'Small pipeline'\nbytes = '4MiB'\nchunk = '1MiB'\nstreams = 2\n");
}

// The sum of what sharing stretched would say 1.9 times.
TEST(ModelRun, TwoKernelsThatFillTheGpuGainNothingFromTwoStreams) {
  const Modelled two = modelled(
      "buffer x 256MiB\nbuffer y 256MiB\nstreams S 2 nonblocking\nS0: axpb x fma=2000\nS1: axpb y fma=2000\n", "");
  ASSERT_EQ(two.error, "");
  const analysis::Analysis found = analysis::analyse(two.run);
  EXPECT_EQ(found.serial.source, analysis::SerialSource::simulated);
  EXPECT_NEAR(found.serial_speed_up, 1.01, 0.03);
  EXPECT_GT(found.speed_up, 1.8);
  EXPECT_EQ(two.run.trace.provenance.contradictions, 0u);
}

TEST(ModelRun, GoldenJson) {
  const Modelled modelled = small_pipeline();
  ASSERT_EQ(modelled.error, "");
  output_test::expect_golden("model-pipeline.json", to_json(modelled.run));
}

TEST(ModelRun, GoldenCsv) {
  const Modelled modelled = small_pipeline();
  ASSERT_EQ(modelled.error, "");
  output_test::expect_golden("model-pipeline.csv", to_csv(modelled.run));
}

TEST(ModelRun, GoldenTrace) {
  const Modelled modelled = small_pipeline();
  ASSERT_EQ(modelled.error, "");
  output_test::expect_golden("model-pipeline.trace.json", to_chrome_trace(modelled.run));
}

TEST(ModelRun, ItsTraceKeepsTheRulesOfViewers) {
  const Modelled modelled = small_pipeline();
  ASSERT_EQ(modelled.error, "");
  output_test::check_trace_rules(modelled.run, to_chrome_trace(modelled.run));
}

TEST(ModelRun, EveryKindOfOperationKeepsThem) {
  const Modelled every = modelled(R"(buffer x 4MiB
buffer p 1MiB host=pageable
stream A
stream B nonblocking
A: h2d x
A: axpb x fma=8
B: spin 40us
B: spin 40us blocks=4
A: record e
B: wait e
A: memset x[0:1MiB] 7
B: d2d x[0:1MiB] x[2MiB:1MiB]
A: hostfn 50us
B: d2h x[0:1MiB]
host: work 20us
default: h2d p
host: memcpy d2h x[0:1MiB]
host: poll A every=10us
host: sync B
host: sync e
)",
                                  "");
  ASSERT_EQ(every.error, "");
  output_test::check_trace_rules(every.run, to_chrome_trace(every.run));
  const auto json = nlohmann::json::parse(to_json(every.run));
  EXPECT_EQ(json["provenance"]["kind"], "model");
  for (const auto& span : json["spans"]) EXPECT_FALSE(span["name"].is_null());
}

}  // namespace
}  // namespace streamscope::output

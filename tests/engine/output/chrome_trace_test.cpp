#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "engine/output/output.h"
#include "tests/engine/output/golden.h"
#include "tests/engine/output/trace_rules.h"
#include "tests/support/output_run.h"
#include "tests/support/two_devices.h"

namespace streamscope::output {
namespace {

using output_test::check_trace_rules;
using output_test::expect_golden;
using output_test::Json;
using output_test::small_run;

Json parsed_trace(const trace::Run& run) { return Json::parse(to_chrome_trace(run)); }

std::vector<Json> events(const Json& trace, const std::string& key, const Json& value) {
  std::vector<Json> found;
  for (const Json& event : trace["traceEvents"]) {
    if (event.contains(key) && event[key] == value) found.push_back(event);
  }
  return found;
}

TEST(ToChromeTrace, Golden) {
  output_test::expect_golden("small-run.trace.json", to_chrome_trace(output_test::small_run()));
}

TEST(ToChromeTrace, RecordedBlocksHaveTracksOfTheirOwn) {
  const auto run = output_test::recorded_run();
  output_test::check_trace_rules(run, to_chrome_trace(run));
  std::vector<std::string> names;
  for (const Json& event : events(parsed_trace(run), "name", "thread_name")) {
    if (event["pid"] == 4) names.push_back(event["args"]["name"]);
  }
  // Both blocks were on one multiprocessor at one time.
  EXPECT_THAT(names, ::testing::ElementsAre("SM 7", "SM 7 (2)", "SM 7 stage 0", "SM 7 stage 0 (2)", "SM 7 stage 1",
                                            "SM 7 stage 1 (2)"));
  const auto stages = events(parsed_trace(run), "cat", "stage");
  EXPECT_EQ(stages.size(), 2u * (1 + 2 * 3));
  Nanoseconds work = 0;
  for (const Json& event : stages) {
    if (event["name"] == "work") work += output_test::nanoseconds(event["dur"]);
  }
  EXPECT_EQ(work, 2 * (300 + 250));
}

TEST(ToChromeTrace, EachOfSeveralDevicesIsAProcess) {
  trace::Run run = streamscope::testing::run_on_two_devices();
  trace::Span copy;
  copy.operation = static_cast<OperationIndex>(run.trace.spans.size());
  copy.stream = 2;
  copy.kind = OperationKind::peer;
  copy.engine = Engine::peer;
  copy.to_device = 1;
  copy.bytes = 4096;
  copy.start = 10;
  copy.end = 20;
  run.trace.spans.push_back(copy);
  const Json trace = parsed_trace(run);
  std::map<int, std::string> processes;
  for (const Json& event : events(trace, "name", "process_name")) processes[event["pid"]] = event["args"]["name"];
  ASSERT_EQ(processes.size(), 3u);
  EXPECT_THAT(processes[1], ::testing::StartsWith("Host ("));
  EXPECT_THAT(processes[16], ::testing::StartsWith("Device 0 ("));
  EXPECT_THAT(processes[17], ::testing::AllOf(::testing::StartsWith("Device 1 ("), ::testing::HasSubstr("H200 NVL")));
  std::map<int, std::vector<std::string>> threads;
  std::set<std::uint32_t> ids{1, 16, 17};
  for (const Json& event : events(trace, "name", "thread_name")) {
    threads[event["pid"]].push_back(event["args"]["name"]);
    EXPECT_TRUE(ids.insert(event["tid"].get<std::uint32_t>()).second) << event;
  }
  EXPECT_THAT(threads[16], ::testing::ElementsAre("S0", "S1", "H2D, device 0", "D2H, device 0", "Compute, device 0",
                                                  "Link out, device 0"));
  EXPECT_THAT(threads[17], ::testing::ElementsAre("S2", "S3", "H2D, device 1", "D2H, device 1", "Compute, device 1"));
}

TEST(ToChromeTrace, KeepsTheRulesOfViewers) {
  output_test::check_trace_rules(output_test::small_run(), to_chrome_trace(output_test::small_run()));
}

TEST(ToChromeTrace, KeepsThemForRunsOfAnyShape) {
  std::mt19937 random(5);
  for (int round = 0; round < 100; ++round) {
    auto run = output_test::small_run();
    const auto time = [&random] { return random() % 8 == 0 ? kAbsent : static_cast<Nanoseconds>(random() % 200); };
    for (trace::Span& span : run.trace.spans) {
      span.stream = random() % 6;  // two beyond the table
      span.thread = random() % 2;
      span.kind = static_cast<OperationKind>(random() % kOperationKinds);
      span.engine = static_cast<Engine>(random() % kEngines);
      span.host_begin = time();
      span.host_end = time();
      span.ready = time();
      span.start = time();
      span.end = time();
    }
    output_test::check_trace_rules(run, to_chrome_trace(run));
    if (HasFailure()) return;
  }
}

TEST(ToChromeTrace, SlicesHoldThePredictionWhereThereIsOne) {
  const Json trace = parsed_trace(output_test::predicted_run());
  EXPECT_EQ(trace["otherData"]["predicted_by"], "test, changed: host.launch 5us (was 2us)");
  int found = 0;
  for (const Json& event : events(trace, "cat", "gpu_memcpy")) {
    if (event["args"]["op"] != 1) continue;
    ++found;
    EXPECT_EQ(event["args"]["predicted_start_ns"], 10'000);
    EXPECT_EQ(event["args"]["predicted_end_ns"], 20'000);
  }
  EXPECT_EQ(found, 1);
  EXPECT_FALSE(parsed_trace(output_test::small_run())["otherData"].contains("predicted_by"));
  output_test::check_trace_rules(output_test::predicted_run(), to_chrome_trace(output_test::predicted_run()));
}

TEST(ToChromeTrace, HoldsTheWholeRun) {
  EXPECT_EQ(parsed_trace(output_test::small_run())["streamscope"], Json::parse(to_json(output_test::small_run())));
}

TEST(ToChromeTrace, SaysMeasuredOrModelWhereverItIsShown) {
  auto run = output_test::small_run();
  for (const Json& event : events(parsed_trace(run), "name", "process_name")) {
    EXPECT_NE(event["args"]["name"].get<std::string>().find("MEASURED, NVIDIA"), std::string::npos);
  }
  run.trace.provenance.kind = trace::Provenance::Kind::model;
  const Json trace = parsed_trace(run);
  const auto processes = events(trace, "name", "process_name");
  ASSERT_EQ(processes.size(), 3u);
  for (const Json& event : processes) {
    const std::string name = event["args"]["name"];
    EXPECT_NE(name.find("MODEL"), std::string::npos);
    EXPECT_EQ(name.find("MEASURED"), std::string::npos);
  }
  EXPECT_EQ(trace["otherData"]["provenance"], "MODEL");
}

TEST(ToChromeTrace, TheObserverEffectStandsWithItsSpread) {
  auto run = output_test::small_run();
  run.trace.provenance.gated = true;
  const Json other = parsed_trace(run)["otherData"];
  EXPECT_EQ(other["observer_effect"]["low"], 1.04);
  EXPECT_EQ(other["observer_effect"]["high"], 1.0625);
  EXPECT_EQ(other["observer_effect"]["pairs"], 5);
  EXPECT_EQ(other["gated"], true);
  EXPECT_EQ(other["runs"], 3);
  EXPECT_TRUE(other["share"].is_null());
  run.observer_effect.reset();
  EXPECT_TRUE(parsed_trace(run)["otherData"]["observer_effect"].is_null());
}

TEST(ToChromeTrace, SlicesHoldTheSourceOfEachTime) {
  int copies = 0;
  for (const Json& event : events(parsed_trace(output_test::small_run()), "cat", "gpu_memcpy")) {
    if (event["args"]["op"] != 1) continue;
    ++copies;
    EXPECT_EQ(event["args"]["source"], "event");
    EXPECT_EQ(event["args"]["start_source"], "inferred");
    EXPECT_EQ(event["args"]["ready_source"], "host");
    EXPECT_EQ(event["args"]["samples"], 1);
    EXPECT_TRUE(event["args"]["spread_ns"].is_null());
  }
  EXPECT_EQ(copies, 1);
}

TEST(ToChromeTrace, KernelsAtOnceAreSpreadOverNumberedTracks) {
  std::vector<std::string> names;
  for (const Json& event : events(parsed_trace(output_test::small_run()), "name", "thread_name"))
    names.push_back(event["args"]["name"]);
  EXPECT_EQ(names, (std::vector<std::string>{"main", "default", "S0", "S1", "H2D", "D2H", "Compute", "Compute (2)"}));
}

TEST(ToChromeTrace, CategoriesAreThoseThatToolsLookFor) {
  std::multiset<std::string> categories;
  for (const Json& event : events(parsed_trace(output_test::small_run()), "ph", "X")) {
    if (event["pid"] == 2) categories.insert(event["cat"]);
  }
  EXPECT_EQ(categories, (std::multiset<std::string>{"cuda_sync", "gpu_memcpy", "gpu_memcpy", "gpu_memcpy", "gpu_memcpy",
                                                    "host_function", "kernel", "kernel"}));
}

TEST(ToChromeTrace, HostSlicesAreNamedByTheirCudaCall) {
  std::vector<std::string> names;
  for (const Json& event : events(parsed_trace(output_test::small_run()), "pid", 1)) {
    if (event["ph"] == "X") names.push_back(event["name"].get<std::string>() + "/" + event["cat"].get<std::string>());
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{
                "work/host", "cudaMemcpyAsync/cuda_runtime", "cudaLaunchKernel/cuda_runtime",
                "cudaMemcpyAsync/cuda_runtime", "cudaLaunchKernel/cuda_runtime", "cudaEventRecord/cuda_runtime",
                "cudaMemcpyAsync/cuda_runtime", "cudaLaunchHostFunc/cuda_runtime", "cudaStreamQuery/cuda_runtime",
                "cudaMemcpy/cuda_runtime", "cudaMemcpyAsync/cuda_runtime", "cudaDeviceSynchronize/cuda_runtime"}));
}

TEST(ToChromeTrace, ArgumentsHoldEverythingKnown) {
  const Json expected{
      {"op", 3},
      {"line", 6},
      {"chunk", 1},
      {"kind", "h2d"},
      {"stream", "S1"},
      {"bytes", 1048576},
      {"ready_ns", 6700},
      {"waiting_ns", 26307},
      {"waits_for", "waited 26.31 us from ready to start for the H2D engine, busy with H2D #1 (line 4)"},
      {"source", "inferred"},
      {"uncertainty_ns", 500},
      {"start_source", "inferred"},
      {"start_uncertainty_ns", 1'000},
      {"ready_source", "host"},
      {"ready_uncertainty_ns", 2'900},
      {"samples", 1},
      {"spread_ns", nullptr}};
  const Json trace = parsed_trace(output_test::small_run());
  for (const Json& event : events(trace, "ph", "X")) {
    if (event["pid"] != 2 || event["args"]["op"] != 3) continue;
    EXPECT_EQ(event["args"], expected);
    return;
  }
  FAIL() << "operation 3 has no slice among the streams";
}

TEST(ToChromeTrace, ATypedProgramHasNoChunks) {
  auto run = output_test::small_run();
  run.experiment.clear();
  EXPECT_EQ(to_chrome_trace(run).find("\"chunk\""), std::string::npos);
  run.experiment = "program = \"S0: spin 1us\"\n";
  EXPECT_EQ(to_chrome_trace(run).find("\"chunk\""), std::string::npos);
}

TEST(ToChromeTrace, MicrosecondsKeepEveryNanosecond) {
  auto run = output_test::small_run();
  trace::Span& span = run.trace.spans[1];
  span.start = 9'007'199'254'740'993;
  span.end = 9'223'372'036'854'775'807;
  const std::string text = to_chrome_trace(run);
  EXPECT_NE(text.find("\"ts\":9007199254740.993,\"dur\":9214364837600034.814,"), std::string::npos);
}

TEST(ToChromeTrace, TimesBeforeTheFirstCallAreNegative) {
  auto run = output_test::small_run();
  run.trace.spans[1].host_begin = -1;
  EXPECT_NE(to_chrome_trace(run).find("\"ts\":-0.001,\"dur\":3.201,"), std::string::npos);
}

TEST(ToChromeTrace, NoArrowPointsBackInTime) {
  auto run = output_test::small_run();
  run.trace.spans[1].start = run.trace.spans[1].host_begin - 1;
  const Json trace = parsed_trace(run);
  EXPECT_TRUE(events(trace, "id", 1).empty());
  EXPECT_EQ(events(trace, "id", 3).size(), 2u);
}

TEST(ToChromeTrace, BytesThatAreNoUtf8AreReplaced) {
  auto run = output_test::small_run();
  run.trace.names[0] = "H\xff";
  run.trace.streams[2].name = "\xfe";
  run.trace.threads[0] = "\x80";
  run.trace.provenance.device = "\xc3";
  EXPECT_NO_THROW(output_test::check_trace_rules(run, to_chrome_trace(run)));
}

TEST(ToChromeTrace, ARunWithoutSpansIsATraceWithoutSlices) {
  const Json trace = parsed_trace(trace::Run{});
  EXPECT_TRUE(events(trace, "ph", "X").empty());
  EXPECT_EQ(events(trace, "name", "process_name").size(), 3u);
}

}  // namespace
}  // namespace streamscope::output

#include <gmock/gmock.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "engine/output/output.h"
#include "tests/engine/output/golden.h"
#include "tests/support/output_run.h"

namespace streamscope::output {
namespace {

using Json = nlohmann::ordered_json;
using output_test::expect_golden;
using output_test::small_run;
using ::testing::ElementsAre;

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> result;
  for (const auto& [key, value] : object.items()) result.push_back(key);
  return result;
}

Json parsed_json(const trace::Run& run) { return Json::parse(to_json(run)); }

TEST(ToJson, Golden) { output_test::expect_golden("small-run.json", to_json(output_test::small_run())); }

TEST(ToJson, FieldsAndTheirOrderAreThoseOfSchemaOne) {
  const Json json = parsed_json(output_test::small_run());
  EXPECT_THAT(keys(json),
              ElementsAre("schema", "provenance", "experiment", "program", "runs", "wall_ns", "bare_wall_ns",
                          "makespan_ns", "observer_effect", "observer_effect_spread", "stage_effect", "verified",
                          "spans", "kernels", "stages", "analysis", "notes", "streams", "threads", "names",
                          "experiment_toml", "prediction", "note_kinds", "other_devices", "referee", "serial_run_ns",
                          "device_facts", "launches", "alone", "poll_answers", "stream_attributes", "capture_answers"));
  EXPECT_TRUE(json["prediction"].is_null());
  EXPECT_TRUE(json["other_devices"].is_null()) << "of a run on one device";
  EXPECT_EQ(json["schema"], 1);
  EXPECT_THAT(keys(json["provenance"]), ElementsAre("kind", "device", "driver", "profile", "clock", "uncertainty_ns",
                                                    "instrument", "gated", "date", "share", "contradictions"));
  EXPECT_THAT(keys(json["wall_ns"]), ElementsAre("median", "min", "max", "spread"));
  ASSERT_EQ(json["spans"].size(), 12u);
  for (const Json& span : json["spans"]) {
    EXPECT_THAT(
        keys(span),
        ElementsAre("op", "line", "kind", "name", "stream", "thread", "engine", "bytes", "host_begin_ns", "host_end_ns",
                    "ready_ns", "start_ns", "end_ns", "source", "waits_for", "uncertainty_ns", "polls", "reason",
                    "waits_for_op", "start_source", "ready_source", "start_uncertainty_ns", "ready_uncertainty_ns",
                    "samples", "spread_ns", "launch_op", "blocking", "device_index", "result", "elapsed_ns",
                    "elapsed_from_op", "elapsed_to_op", "rows", "to_device_index", "callback"));
  }
  EXPECT_THAT(keys(json["analysis"]), ElementsAre("serial_sum_ns", "speed_up", "serial_ns", "serial_speed_up",
                                                  "overlap", "overlapped_ns", "idle", "waiting_ns", "host_calls_ns",
                                                  "engines", "api_calls", "serial_source", "sticky_error"));
  EXPECT_THAT(keys(json["analysis"]["engines"][0]),
              ElementsAre("engine", "busy_ns", "use", "bytes", "operations", "device_index"));
}

TEST(ToJson, WhatAFaultHasLeftIsTold) {
  trace::Run run = output_test::small_run();
  EXPECT_EQ(parsed_json(run)["analysis"]["sticky_error"], nullptr);
  trace::Span& last = run.trace.spans.back();
  last.result = CallResult::launch_failure;
  const Json sticky = parsed_json(run)["analysis"]["sticky_error"];
  EXPECT_EQ(sticky["error"], "cudaErrorLaunchFailure");
  EXPECT_EQ(sticky["told_ns"], last.host_end);
  EXPECT_EQ(sticky["calls"], 1);
  EXPECT_EQ(sticky["fault"], nullptr) << "no span of it is known";
}

TEST(ToJson, ACallbackThatRanHasItsStatusAndAPlainHostFunctionNone) {
  trace::Run run = output_test::small_run();
  trace::Span& function = run.trace.spans[7];
  ASSERT_EQ(function.kind, OperationKind::hostfn);
  EXPECT_EQ(parsed_json(run)["spans"][7]["result"], nullptr);
  EXPECT_EQ(parsed_json(run)["spans"][7]["callback"], false);
  function.callback = true;
  EXPECT_EQ(parsed_json(run)["spans"][7]["result"], "cudaSuccess");
  EXPECT_EQ(parsed_json(run)["spans"][7]["callback"], true);
  function.result = CallResult::launch_failure;
  EXPECT_EQ(parsed_json(run)["spans"][7]["result"], "cudaErrorLaunchFailure");
  function.result = CallResult::success;
  function.start = function.end = kAbsent;
  EXPECT_EQ(parsed_json(run)["spans"][7]["result"], nullptr) << "it was given none";
}

TEST(ToJson, EachRecordedBlockIsATable) {
  const Json json = parsed_json(output_test::recorded_run());
  ASSERT_EQ(json["kernels"].size(), 1u);
  EXPECT_EQ(json["kernels"][0]["op"], 2);
  EXPECT_EQ(json["kernels"][0]["registers"], 40);
  EXPECT_TRUE(json["kernels"][0]["blocks_at_once"].is_null()) << "not known is null, never 0";
  const trace::Span span = output_test::recorded_run().trace.spans[2];
  EXPECT_DOUBLE_EQ(json["kernels"][0]["bytes_per_s"].get<double>(),
                   (2 << 20) * 1e9 / static_cast<double>(span.end - span.start));
  EXPECT_TRUE(json["kernels"][0]["occupancy"].is_null());
  EXPECT_DOUBLE_EQ(json["kernels"][0]["waiting"].get<double>(), 300.0 / 850);
  EXPECT_EQ(json["stages"]["every"], 10);
  ASSERT_EQ(json["stages"]["blocks"].size(), 2u);
  const Json& block = json["stages"]["blocks"][1];
  EXPECT_THAT(keys(block), ElementsAre("op", "block", "multiprocessor", "warp", "copy_warp", "places", "tiles",
                                       "begin_ns", "end_ns", "tiles_ns", "uncertainty_ns", "rate_uncertainty"));
  EXPECT_EQ(block["block"], 10);
  EXPECT_EQ(block["tiles_ns"], Json::parse("[[0,60010,60020,60200,60500],[1,60210,60510,60600,60850]]"));
  EXPECT_EQ(json["stage_effect"]["median"], 1.25);
}

TEST(ToJson, APredictionHasItsErrorsItsSpansAndItsDeviations) {
  const Json json = parsed_json(output_test::predicted_run());
  const Json& prediction = json["prediction"];
  EXPECT_THAT(
      keys(prediction),
      ElementsAre("profile", "device", "wall_ns", "makespan_ns", "wall_error", "makespan_error", "measured_wall_ns",
                  "differences_found", "differences_in_all", "differences", "notes", "spans", "stages", "provenance",
                  "kernels", "streams", "threads", "names", "note_kinds", "other_devices", "device_facts", "launches"));
  EXPECT_EQ(prediction["profile"], "test, changed: host.launch 5us (was 2us)");
  EXPECT_EQ(prediction["wall_ns"], 405'000);
  EXPECT_EQ(prediction["measured_wall_ns"], 400'000);  // of the bare runs
  EXPECT_DOUBLE_EQ(prediction["wall_error"].get<double>(), 405'000.0 / 400'000 - 1);
  ASSERT_EQ(prediction["spans"].size(), json["spans"].size());
  EXPECT_EQ(keys(prediction["spans"][1]), keys(json["spans"][1]));
  EXPECT_EQ(prediction["spans"][1]["end_ns"], 20'000);
  ASSERT_FALSE(prediction["differences"].empty());
  const Json& worst = prediction["differences"][0];
  EXPECT_THAT(keys(worst), ElementsAre("op", "line", "what", "ns", "end_ns", "uncertainty_ns", "cause"));
  EXPECT_EQ(worst["op"], 1);
  EXPECT_EQ(worst["line"], 4);
  EXPECT_EQ(worst["what"], "execution");
  EXPECT_EQ(worst["ns"], 13'007);
  EXPECT_EQ(prediction["differences_found"], prediction["differences"].size());
  const Json& all = prediction["differences_in_all"];
  EXPECT_EQ(all["execution"], (Json{{"count", 1}, {"ns", 13'007}}));
}

TEST(ToJson, EachTimeHasItsSourceAndMergedOnesTheirSamples) {
  auto run = output_test::small_run();
  run.trace.provenance.instrument = "sampled";
  run.trace.provenance.share = 16;
  run.trace.provenance.gated = true;
  run.trace.spans[1].samples = 4;
  run.trace.spans[1].spread = 1'200;
  const Json json = parsed_json(run);
  EXPECT_EQ(json["provenance"]["share"], 16);
  EXPECT_EQ(json["provenance"]["gated"], true);
  const Json& copy = json["spans"][1];
  EXPECT_EQ(copy["source"], "event");
  EXPECT_EQ(copy["start_source"], "inferred");
  EXPECT_EQ(copy["start_uncertainty_ns"], 1'000);
  EXPECT_EQ(copy["ready_source"], "host");
  EXPECT_EQ(copy["ready_uncertainty_ns"], 2'900);
  EXPECT_EQ(copy["samples"], 4);
  EXPECT_EQ(copy["spread_ns"], 1'200);
  EXPECT_TRUE(json["spans"][2]["spread_ns"].is_null()) << "one sample has no spread";
  EXPECT_TRUE(json["spans"][10]["start_source"].is_null());
  EXPECT_TRUE(json["spans"][10]["samples"].is_null());
}

TEST(ToJson, WhatIsAbsentIsNull) {
  const Json json = parsed_json(output_test::small_run());
  const Json& lost = json["spans"][10];
  for (const char* key :
       {"ready_ns", "start_ns", "end_ns", "source", "uncertainty_ns", "waits_for", "polls", "reason", "waits_for_op"}) {
    EXPECT_TRUE(lost[key].is_null()) << key << " is " << lost[key];
  }
  EXPECT_EQ(lost["host_begin_ns"], 173'700);
  const Json& sync = json["spans"][11];
  EXPECT_TRUE(sync["line"].is_null()) << "it stands on no line";
  EXPECT_TRUE(sync["stream"].is_null());
  EXPECT_TRUE(json["spans"][5]["engine"].is_null()) << "a record has no engine";
  EXPECT_TRUE(json["provenance"]["profile"].is_null());
  EXPECT_EQ(json["spans"][0]["host_begin_ns"], 0) << "a time of zero is known";
}

TEST(ToJson, WhatMovesNoDataHasNoBytes) {
  using Kind = OperationKind;
  auto run = output_test::small_run();
  run.trace.spans.resize(1);
  trace::Span& span = run.trace.spans[0];
  const auto bytes = [&](OperationKind kind, std::uint64_t moved) {
    span.kind = kind;
    span.bytes = moved;
    return parsed_json(run)["spans"][0]["bytes"];
  };
  for (const Kind kind : {Kind::kernel, Kind::record, Kind::wait, Kind::hostfn, Kind::work, Kind::sync, Kind::poll,
                          Kind::malloc, Kind::free}) {
    EXPECT_TRUE(bytes(kind, 0).is_null()) << name(kind);
  }
  for (const Kind kind : {Kind::h2d, Kind::d2h, Kind::d2d, Kind::memset, Kind::touch, Kind::kernel}) {
    EXPECT_EQ(bytes(kind, 64), 64) << name(kind);
  }
  EXPECT_EQ(bytes(Kind::h2d, 0), 0) << "a copy of nothing moves zero bytes";
}

TEST(ToJson, OnlyEnginesThatCopyHaveBytes) {
  const Json json = parsed_json(output_test::small_run());
  for (const Json& use : json["analysis"]["engines"]) {
    EXPECT_EQ(use["bytes"].is_null(), use["engine"] == "compute") << use;
  }
}

TEST(ToJson, NothingKnownIsNullThroughout) {
  const Json json = parsed_json(trace::Run{});
  for (const char* key : {"experiment", "wall_ns", "bare_wall_ns", "makespan_ns", "observer_effect",
                          "observer_effect_spread", "stage_effect", "stages", "verified", "analysis"}) {
    EXPECT_TRUE(json[key].is_null()) << key << " is " << json[key];
  }
  EXPECT_EQ(json["spans"], Json::array());
  EXPECT_EQ(json["runs"], 0);
}

TEST(ToJson, RatiosWithoutAMakespanAreNull) {
  auto run = output_test::small_run();
  run.trace.spans.resize(1);  // host work only
  run.observer_effect = trace::ObserverEffect{std::numeric_limits<double>::infinity(), 1, 1, 3};
  const Json json = parsed_json(run);
  EXPECT_TRUE(json["analysis"]["speed_up"].is_null());
  EXPECT_TRUE(json["analysis"]["overlap"].is_null());
  EXPECT_TRUE(json["analysis"]["engines"][0]["use"].is_null());
  EXPECT_TRUE(json["observer_effect"].is_null());
}

TEST(ToJson, NumbersOfAnySizeAreExact) {
  auto run = output_test::small_run();
  trace::Span& span = run.trace.spans[1];
  span.start = (std::int64_t{1} << 53) + 1;
  span.end = std::numeric_limits<Nanoseconds>::max();
  span.host_begin = -3;
  span.bytes = std::numeric_limits<std::uint64_t>::max();
  const Json json = parsed_json(run);
  EXPECT_EQ(json["spans"][1]["start_ns"].get<std::int64_t>(), 9007199254740993);
  EXPECT_EQ(json["spans"][1]["end_ns"].get<std::int64_t>(), 9223372036854775807);
  EXPECT_EQ(json["spans"][1]["host_begin_ns"].get<std::int64_t>(), -3);
  EXPECT_EQ(json["spans"][1]["bytes"].get<std::uint64_t>(), 18446744073709551615u);
}

TEST(ToJson, TheExperimentIsAnObjectInTheOrderOfItsText) {
  const Json experiment = parsed_json(output_test::small_run())["experiment"];
  EXPECT_THAT(keys(experiment), ElementsAre("name", "streams", "bytes", "kernel"));
  EXPECT_EQ(experiment["name"], "Two \"small\" chunks");
  EXPECT_EQ(experiment["kernel"]["fma"], 1);
}

TEST(ToJson, EveryTypeOfTomlHasAPlace) {
  trace::Run run;
  run.experiment =
      "b = true\nf = 1.5\nn = nan\nd = 2026-11-21\nt = 10:00:00\nm = 2026-11-21T10:00:00Z\nl = [1, \"a\", {x = 2}]\n";
  const Json experiment = parsed_json(run)["experiment"];
  EXPECT_EQ(experiment["b"], true);
  EXPECT_EQ(experiment["f"], 1.5);
  EXPECT_TRUE(experiment["n"].is_null()) << "JSON has no NaN";
  EXPECT_EQ(experiment["d"], "2026-11-21");
  EXPECT_EQ(experiment["t"], "10:00:00");
  EXPECT_EQ(experiment["m"], "2026-11-21T10:00:00Z");
  EXPECT_EQ(experiment["l"], Json::parse(R"([1, "a", {"x": 2}])"));
}

TEST(ToJson, AnExperimentThatIsNoTomlIsKeptAsText) {
  trace::Run run;
  run.experiment = "streams = = 4\n";
  EXPECT_EQ(parsed_json(run)["experiment"], Json::parse(R"({"text": "streams = = 4\n"})"));
}

// A saved run may hold any text there; the parser would take the whole stack for this one.
TEST(ToJson, AnExperimentWithAnEndlessKeyIsKeptAsText) {
  trace::Run run;
  run.experiment = "a";
  for (int i = 0; i < 100'000; ++i) run.experiment += ".a";
  run.experiment += " = 1\n";
  EXPECT_EQ(parsed_json(run)["experiment"]["text"], run.experiment);
}

TEST(ToJson, BytesThatAreNoUtf8AreReplacedAndTheRestStays) {
  auto run = output_test::small_run();
  run.program = "bad \xff byte";
  run.trace.provenance.device = "cut \xe2\x82";
  run.trace.names[0] = "H\x80";
  run.notes = {{trace::NoteKind::other, "\xc0\xaf"}};
  run.trace.streams[2].name = "S\xfe";
  run.trace.threads[0] = "m\xf5n";
  run.experiment = "name = \"\xff\"\n";
  const Json json = parsed_json(run);
  EXPECT_EQ(json["program"], "bad \xef\xbf\xbd byte");
  EXPECT_EQ(json["spans"][1]["name"], "H\xef\xbf\xbd");
  EXPECT_EQ(json["spans"][1]["stream"], "S\xef\xbf\xbd");
  EXPECT_EQ(json["spans"][1]["thread"], "m\xef\xbf\xbdn");
}

TEST(ToJson, TheVerdictIsTrueFalseOrNull) {
  auto run = output_test::small_run();
  run.verified = false;
  EXPECT_EQ(parsed_json(run)["verified"], false);
  run.verified = std::nullopt;
  EXPECT_TRUE(parsed_json(run)["verified"].is_null());
}

TEST(ToJson, IndexesBeyondTheirTablesAreAbsent) {
  auto run = output_test::small_run();
  run.trace.spans[1].name = 99;
  run.trace.spans[1].stream = 99;
  run.trace.spans[1].thread = 99;
  run.trace.spans[1].operation = kNoOperation;
  const Json span = parsed_json(run)["spans"][1];
  for (const char* key : {"name", "stream", "thread", "op"}) EXPECT_TRUE(span[key].is_null()) << key;
}

TEST(ToJson, TheAnalysisIsThatOfTheTrace) {
  const Json analysis = parsed_json(output_test::small_run())["analysis"];
  EXPECT_EQ(analysis["engines"][0]["engine"], "h2d");
  EXPECT_EQ(analysis["engines"][0]["busy_ns"], 23'007 + 22'993 + 23'500);
  EXPECT_EQ(analysis["engines"][2]["busy_ns"], 103'000 - 33'100);
  EXPECT_EQ(analysis["serial_sum_ns"], 23'007 + 22'993 + 23'500 + 46'900 + 46'900 + 22'500 + 10'000);
  EXPECT_DOUBLE_EQ(analysis["speed_up"].get<double>(), 195'800.0 / 163'500.0);
  EXPECT_EQ(analysis["serial_source"], "durations");
  EXPECT_EQ(analysis["serial_ns"], 2 * 23'007 + 23'500 + 2 * 46'900 + 22'500 + 10'000);
}

TEST(ToJson, ASerialRunIsWhatASpeedUpIsOver) {
  trace::Run run = output_test::small_run();
  run.serial = trace::Statistic{180'000, 179'000, 190'000};
  const Json json = parsed_json(run);
  EXPECT_EQ(json["serial_run_ns"]["median"], 180'000);
  EXPECT_EQ(json["analysis"]["serial_ns"], 180'000);
  EXPECT_EQ(json["analysis"]["serial_source"], "measured");
  EXPECT_DOUBLE_EQ(json["analysis"]["serial_speed_up"].get<double>(), 180'000.0 / 163'500.0);
}

}  // namespace
}  // namespace streamscope::output

// A run written and opened again is the same run.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "engine/base/files.h"
#include "engine/device/catalog/catalog.h"
#include "engine/measure/measure.h"
#include "engine/output/output.h"
#include "engine/predict/predict.h"
#include "engine/program/read_program.h"
#include "tests/engine/input/input_case.h"
#include "tests/support/open_device.h"
#include "tests/support/output_run.h"
#include "tests/support/two_devices.h"

namespace streamscope::input {
namespace {

using input_test::json;
using input_test::message;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

void expect_same(const std::optional<trace::Statistic>& a, const std::optional<trace::Statistic>& b) {
  ASSERT_EQ(a.has_value(), b.has_value());
  if (!a) return;
  EXPECT_EQ(a->median, b->median);
  EXPECT_EQ(a->minimum, b->minimum);
  EXPECT_EQ(a->maximum, b->maximum);
  EXPECT_EQ(a->spread, b->spread);
}

void expect_same(const trace::Provenance& from, const trace::Provenance& other) {
  EXPECT_EQ(from.kind, other.kind);
  EXPECT_EQ(from.device, other.device);
  EXPECT_EQ(from.driver, other.driver);
  EXPECT_EQ(from.profile, other.profile);
  EXPECT_EQ(from.clock, other.clock);
  EXPECT_EQ(from.uncertainty, other.uncertainty);
  EXPECT_EQ(from.instrument, other.instrument);
  EXPECT_EQ(from.gated, other.gated);
  EXPECT_EQ(from.date, other.date);
  EXPECT_EQ(from.share, other.share);
}

void expect_same(const trace::Trace& a, const trace::Trace& b) {
  ASSERT_EQ(trace::device_count(a), trace::device_count(b));
  for (std::size_t i = 0; i < trace::device_count(a); ++i)
    expect_same(trace::provenance_of(a, i), trace::provenance_of(b, i));
  ASSERT_EQ(a.streams.size(), b.streams.size());
  for (std::size_t i = 0; i < a.streams.size(); ++i) {
    EXPECT_EQ(a.streams[i].name, b.streams[i].name);
    EXPECT_EQ(a.streams[i].nonblocking, b.streams[i].nonblocking);
    EXPECT_EQ(a.streams[i].priority, b.streams[i].priority);
    EXPECT_EQ(a.streams[i].device, b.streams[i].device);
  }
  EXPECT_EQ(a.threads, b.threads);
  EXPECT_EQ(a.names, b.names);
  ASSERT_EQ(a.spans.size(), b.spans.size());
  for (std::size_t i = 0; i < a.spans.size(); ++i) ASSERT_TRUE(a.spans[i] == b.spans[i]) << "span " << i;
  EXPECT_EQ(a.kernels, b.kernels);
  EXPECT_EQ(a.stages, b.stages);
}

void expect_same(const trace::Run& a, const trace::Run& b) {
  EXPECT_EQ(a.experiment, b.experiment);
  EXPECT_EQ(a.program, b.program);
  EXPECT_EQ(a.runs, b.runs);
  expect_same(a.wall, b.wall);
  expect_same(a.bare_wall, b.bare_wall);
  expect_same(a.makespan, b.makespan);
  EXPECT_EQ(a.observer_effect, b.observer_effect);
  EXPECT_EQ(a.stage_effect, b.stage_effect);
  EXPECT_EQ(a.verified, b.verified);
  EXPECT_EQ(a.notes, b.notes);
  expect_same(a.trace, b.trace);
  ASSERT_EQ(a.prediction.has_value(), b.prediction.has_value());
  if (!a.prediction) return;
  EXPECT_EQ(a.prediction->wall, b.prediction->wall);
  EXPECT_EQ(a.prediction->makespan, b.prediction->makespan);
  EXPECT_EQ(a.prediction->notes, b.prediction->notes);
  expect_same(a.prediction->trace, b.prediction->trace);
}

void expect_round_trip(const trace::Run& run) {
  for (const std::string& text : {output::to_chrome_trace(run), output::to_json(run)}) {
    const auto opened = input_test::json(text);
    ASSERT_TRUE(opened) << input_test::message(opened);
    expect_same(run, *opened);
  }
}

struct Asked {
  measure::MeasureOptions measure;
  bool predict = false;
};

trace::Run modelled(const std::string& text, const Asked& asked, const std::string& experiment = "") {
  const auto program = program::read_program(text, "test");
  EXPECT_TRUE(program) << program.error().message;
  auto device = tests::open_device("model:h200");
  EXPECT_TRUE(device);
  auto run = measure::measure(**device, program->program, asked.measure, device::RunControl{});
  EXPECT_TRUE(run) << run.error().message;
  if (asked.predict) {
    auto model = tests::open_device("model:h200,copies.engines=1");
    predict::add_prediction(*run, model->get(), false, program->program, {});
  }
  run->experiment = experiment;
  run->program = text;
  return *run;
}

std::string shipped(const std::string& name) {
  const auto text = read_text(assets_folder() / "programs" / (name + ".streams"));
  EXPECT_TRUE(text);
  return *text;
}

TEST(SavedRun, OfRunsMadeByHand) {
  expect_round_trip(output_test::small_run());
  expect_round_trip(output_test::recorded_run());
  expect_round_trip(output_test::predicted_run());
  expect_round_trip(testing::run_on_two_devices());
}

// As names and streams of every run do.
TEST(SavedRun, ThreadsMayComeInAnotherOrderThanTheirSpans) {
  trace::Run run = output_test::small_run();
  run.trace.threads = {"calls nothing", "second", "main"};
  for (trace::Span& span : run.trace.spans) span.thread = span.operation < 3 ? 2 : 1;
  expect_round_trip(run);
}

TEST(SavedRun, MoreDevicesThanSpansCanTellApartAreRefused) {
  trace::Run run = testing::run_on_two_devices();
  run.trace.other_devices.resize(trace::kMostDevices - 1);
  EXPECT_TRUE(input_test::json(output::to_json(run)));
  run.trace.other_devices.resize(trace::kMostDevices);
  const auto opened = input_test::json(output::to_json(run));
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message, HasSubstr("a run on 257 devices; 256 are the most"));
}

TEST(SavedRun, AStreamOfADeviceThatTheFileDoesNotDescribeIsRefused) {
  trace::Run run = testing::run_on_two_devices();
  run.trace.streams[4].device = 7;
  const auto opened = input_test::json(output::to_json(run));
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message, HasSubstr("stream S2 is of device 7"));
}

TEST(SavedRun, ASpanOfADeviceThatTheFileDoesNotDescribeIsRefused) {
  trace::Run run = testing::run_on_two_devices();
  run.trace.spans[5].device = 2;
  const auto opened = input_test::json(output::to_json(run));
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message, HasSubstr("operation 5 ran on device 2, and of 2 is said"));
}

// The member "streamscope" of a run's Chrome trace.
std::string member_of(const trace::Run& run) {
  const std::string text = output::to_chrome_trace(run);
  const std::size_t at = text.find("\"streamscope\":");
  return text.substr(at, text.rfind('}') - at);
}

TEST(SavedRun, IsFoundBeforeAndBehindTheEvents) {
  const trace::Run run = output_test::small_run();
  const std::string saved = member_of(run), events = "\"traceEvents\":[{\"ph\":\"X\",\"ts\":1,\"dur\":2}]";
  for (const std::string& text :
       {"{" + saved + "}", "{" + saved + "," + events + "}", "{" + events + "," + saved + "}",
        "{\"traceEvents\":null," + saved + "}", "{" + saved + "," + events + ",\"streamscope\":{}}",
        "{\"schema\":1," + events + "," + saved + "}"}) {
    const auto opened = input_test::json(text);
    ASSERT_TRUE(opened) << input_test::message(opened) << "\n" << text.substr(0, 60);
    expect_same(run, *opened);
  }
  const auto foreign = input_test::json("{" + events + ",\"streamscope\":7}");
  ASSERT_TRUE(foreign) << input_test::message(foreign);
  EXPECT_EQ(trace::span_count(foreign->trace), 1u);
  EXPECT_THAT(input_test::message(input_test::json("{" + events + "," + saved)),
              HasSubstr("the file ends before a '}'"));
}

// Its events are for other tools: there may be more threads than we would draw of another tool's.
TEST(SavedRun, IsReadFromAFileWithAnyNumberOfEvents) {
  std::string events = "{\"traceEvents\":[";
  for (int i = 0; i < 100'001; ++i) events += fmt::format("{{\"ph\":\"X\",\"ts\":{0},\"tid\":{0}}},\n", i);
  events.resize(events.size() - 2);
  EXPECT_THAT(input_test::message(input_test::json(events + "]}")),
              HasSubstr("t.json:100001:1: error: more than 100000 threads and streams"));
  EXPECT_THAT(input_test::message(input_test::json(events)), HasSubstr("the file ends before a ']'"));
  const trace::Run run = output_test::small_run();
  const auto opened = input_test::json(events + "]," + member_of(run) + "}");
  ASSERT_TRUE(opened) << input_test::message(opened);
  expect_same(run, *opened);
}

TEST(SavedRun, OfEveryShippedProgram) {
  for (const char* name : {"blocking-copies", "default-stream", "events", "free-waits", "graph", "managed", "pipeline",
                           "stream-ordered", "threads"}) {
    SCOPED_TRACE(name);
    expect_round_trip(modelled(shipped(name), {}));
  }
}

TEST(SavedRun, CallbacksAreToldFromPlainHostFunctionsAlsoInFilesOfEarlierVersions) {
  const trace::Run run = modelled("stream A\nA: callback 5us\nA: hostfn 5us\n", {});
  ASSERT_TRUE(run.trace.spans[0].callback && !run.trace.spans[1].callback);
  expect_round_trip(run);
  std::string text = output::to_json(run);
  const std::string key = "\"callback\":true";
  ASSERT_NE(text.find(key), text.npos);
  text.replace(text.find(key), key.size(), "\"callback\":null");
  const auto opened = input_test::json(text);
  ASSERT_TRUE(opened) << input_test::message(opened);
  expect_same(run, *opened);
}

TEST(SavedRun, OfTilesWithRecordedStages) {
  Asked asked;
  asked.measure.stages_of = 10;
  const auto run = modelled(shipped("tiles"), asked);
  ASSERT_FALSE(run.trace.stages.blocks.empty());
  ASSERT_FALSE(run.trace.kernels.empty());
  ASSERT_GT(run.trace.kernels.front().most_threads, 0u);
  expect_round_trip(run);
}

TEST(SavedRun, WithAPrediction) {
  Asked asked;
  asked.predict = true;
  const auto run = modelled(shipped("pipeline"), asked);
  ASSERT_TRUE(run.prediction);
  expect_round_trip(run);
}

TEST(SavedRun, OfAGraphKeepsWhoLaunchedWhat) {
  const auto run = modelled(shipped("graph"), {});
  const auto launched = std::count_if(run.trace.spans.begin(), run.trace.spans.end(),
                                      [](const trace::Span& span) { return span.launch != kNoOperation; });
  ASSERT_GT(launched, 0);
  expect_round_trip(run);
}

TEST(SavedRun, GatedAndSampled) {
  auto run = modelled(shipped("pipeline"), {});
  run.trace.provenance.gated = true;
  run.trace.provenance.instrument = "sampled";
  run.trace.provenance.share = 16;
  for (trace::Span& span : run.trace.spans) {
    if (span.source == trace::Source::none) continue;
    span.samples = 4;
    span.spread = 120;
  }
  expect_round_trip(run);
}

TEST(SavedRun, TheExperimentComesBackAsItWasWritten) {
  const auto text = read_text(assets_folder() / "experiments" / "four-streams.toml");
  ASSERT_TRUE(text);
  expect_round_trip(modelled(shipped("pipeline"), {}, *text));
}

TEST(SavedRun, FilesOfEarlierVersionsOpen) {
  // As the first files had it: no names, no experiment's text.
  const auto opened =
      input_test::json(R"({"schema":1,"provenance":{"kind":"model","device":"H200"},"runs":1,"program":"",
    "spans":[{"op":0,"line":1,"kind":"h2d","name":"H2D","stream":"S0","thread":"main","engine":"h2d","bytes":8,
              "host_begin_ns":0,"host_end_ns":2,"ready_ns":null,"start_ns":5,"end_ns":9,"source":"model"}],
    "streams":[{"name":"default","nonblocking":false,"priority":0},{"name":"S0","nonblocking":true,"priority":0}],
    "threads":["main"]})");
  ASSERT_TRUE(opened) << input_test::message(opened);
  ASSERT_EQ(opened->trace.spans.size(), 1u);
  const trace::Span& span = opened->trace.spans[0];
  EXPECT_EQ(span.stream, 1u);
  EXPECT_EQ(opened->trace.names, std::vector<std::string>{"H2D"});
  EXPECT_EQ(span.ready, kAbsent);
  EXPECT_EQ(span.end, 9);
}

TEST(SavedRun, NotesOfEarlierVersionsHaveNoKindsAndKeepTheirMeaning) {
  const auto opened = input_test::json(
      R"({"schema":1,"provenance":{"kind":"model"},"spans":[],"verified":false,"notes":["There is no prediction: no model.","a","Float 7 differs."]})");
  ASSERT_TRUE(opened) << input_test::message(opened);
  ASSERT_EQ(opened->notes.size(), 3u);
  EXPECT_EQ(opened->notes[0].kind, trace::NoteKind::no_prediction);
  EXPECT_EQ(opened->notes[1].kind, trace::NoteKind::other);
  EXPECT_EQ(opened->notes[2].kind, trace::NoteKind::wrong_data);
}

TEST(SavedRun, KindsOfNotesMayStandAnywhereAndBeOfALaterVersion) {
  const auto opened = input_test::json(
      R"({"schema":1,"provenance":{"kind":"model"},"note_kinds":["stopped","of_a_later_version"],"spans":[],"verified":false,"notes":["a","b","c"],
          "prediction":{"note_kinds":["model"],"notes":["d"],"spans":[]}})");
  ASSERT_TRUE(opened) << input_test::message(opened);
  ASSERT_EQ(opened->notes.size(), 3u);
  EXPECT_EQ(opened->notes[0].kind, trace::NoteKind::stopped);
  EXPECT_EQ(opened->notes[1].kind, trace::NoteKind::other);
  EXPECT_EQ(opened->notes[2].kind, trace::NoteKind::other);
  ASSERT_TRUE(opened->prediction);
  EXPECT_EQ(opened->prediction->notes[0].kind, trace::NoteKind::model);
  EXPECT_TRUE(input_test::json(R"({"schema":1,"provenance":{"kind":"model"},"spans":[],"note_kinds":null})"));
}

TEST(SavedRun, OfAMemberThatIsThereTwiceTheLastCounts) {
  const auto opened = input_test::json(
      R"({"schema":1,"provenance":{"kind":"model"},"threads":["a"],"spans":[{"op":0}],"threads":["b"],"spans":[]})");
  ASSERT_TRUE(opened) << input_test::message(opened);
  EXPECT_EQ(opened->trace.threads, std::vector<std::string>{"b"});
  EXPECT_TRUE(opened->trace.spans.empty());
}

TEST(SavedRun, AWrongValueIsAnErrorWithItsLocation) {
  const auto error_of = [](const std::string& with) {
    return input_test::message(input_test::json(
        "{\"schema\":1,\"provenance\":{\"kind\":\"model\"},\n \"spans\":[\n  {\"op\":0," + with + "}]}"));
  };
  EXPECT_EQ(error_of("\"kind\":\"kernel\""), "");
  EXPECT_THAT(error_of("\"kind\":\"cernel\""), StartsWith("t.json:3:18: error: \"cernel\" is unknown"));
  EXPECT_THAT(error_of("\"line\":-1"), StartsWith("t.json:3:18: error: a whole number from 0 to 4294967295"));
  EXPECT_THAT(error_of("\"line\":4294967296"), StartsWith("t.json:3:18: error: a whole number"));
  EXPECT_THAT(error_of("\"line\":\"1\""), StartsWith("t.json:3:18: error: a number should be here"));
  EXPECT_THAT(error_of("\"start_ns\":9223372036854775807"), HasSubstr("73 years"));
  EXPECT_THAT(error_of("\"name\":[]"), HasSubstr("a string should be here"));
  EXPECT_THAT(input_test::message(input_test::json("{\"schema\":2,\"spans\":[]}")),
              StartsWith("t.json:1:11: error: this schema"));
  EXPECT_THAT(
      input_test::message(input_test::json(
          "{\"schema\":1,\"provenance\":{\"kind\":\"model\"},\"spans\":[],\"prediction\":{\"spans\":[{\"op\":1}]}}")),
      HasSubstr("the prediction's spans are not those of the run"));
  EXPECT_THAT(input_test::message(
                  input_test::json("{\"schema\":1,\"spans\":[],\"stages\":{\"every\":1,\"blocks\":[{\"places\":0}]}}")),
              HasSubstr("from 1 to 65536"));
}

TEST(SavedRun, EveryTruncationIsAnErrorWithALocation) {
  auto run = output_test::recorded_run();
  run.trace.spans.resize(3);
  const auto cut = [](const std::string& text, std::size_t step) {
    const std::size_t whole = text.find_last_not_of("\n") + 1;
    for (std::size_t size = 0; size < whole; size += step) {
      const auto opened = input_test::json(std::string_view(text).substr(0, size));
      ASSERT_FALSE(opened) << "cut at " << size;
      ASSERT_THAT(input_test::message(opened), StartsWith("t.json:")) << "cut at " << size;
    }
  };
  cut(output::to_json(run), 1);
  cut(output::to_chrome_trace(run), 7);
}

}  // namespace
}  // namespace streamscope::input

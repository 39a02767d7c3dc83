// Chrome's trace events, as PyTorch's profiler and others write them.
#include <gmock/gmock.h>

#include <fmt/format.h>

#include "engine/base/stop_source.h"
#include "tests/engine/input/input_case.h"

namespace streamscope::input {
namespace {

using input_test::expect_sound;
using input_test::find;
using input_test::json;
using input_test::message;
using input_test::spans;
using input_test::stream_of;
using input_test::thread_of;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// A trace as PyTorch's profiler writes them: an operator, the calls within it, what they led to on the device.
constexpr const char* kPyTorch = R"json({
  "schemaVersion": 1,
  "deviceProperties": [{"id": 0, "name": "NVIDIA H100 80GB HBM3", "totalGlobalMem": 84978434048}],
  "displayTimeUnit": "ms", "baseTimeNanoseconds": 1700000000000000000,
  "traceEvents": [
  {"ph": "X", "cat": "cpu_op", "name": "aten::addmm", "pid": 77, "tid": 77, "ts": 1700000000000100.250, "dur": 80.5,
   "args": {"External id": 5, "Input Dims": [[4, 512], []], "Ev Idx": 0}},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 77, "tid": 77, "ts": 1700000000000110.000,
   "dur": 5.125, "args": {"cbid": 211, "correlation": 12, "External id": 5}},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaMemcpyAsync", "pid": 77, "tid": 77, "ts": 1700000000000120.000,
   "dur": 4, "args": {"correlation": 13}},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaStreamSynchronize", "pid": 77, "tid": 77,
   "ts": 1700000000000130.000, "dur": 40, "args": {"correlation": 14}},
  {"ph": "X", "cat": "kernel", "name": "void gemm<float, 矩阵>", "pid": 0, "tid": 7, "ts": 1700000000000125.000,
   "dur": 30.001, "args": {"device": 0, "stream": 7, "correlation": 12, "grid": [1, 2, 3]}},
  {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy DtoH (Device -> Pinned)",
                     "pid" : 0, "tid" : 8, "ts" : 1700000000000156.000, "dur" : 10, "args" : {
  "device" : 0, "stream" : 8, "correlation" : 13, "bytes" : 4096
}
},
  {"ph": "X", "cat": "gpu_memset", "name": "Memset (Device)", "pid": 0, "tid": 7, "ts": 1700000000000170.000,
   "dur": 1, "args": {"device": 0, "stream": 7, "bytes": 16}},
  {"ph": "s", "id": 12, "pid": 77, "tid": 77, "ts": 1700000000000110.000, "cat": "ac2g", "name": "ac2g"},
  {"ph": "f", "id": 12, "pid": 0, "tid": 7, "ts": 1700000000000125.000, "cat": "ac2g", "name": "ac2g", "bp": "e"},
  {"name": "process_name", "ph": "M", "ts": 1700000000000100, "pid": 77, "tid": 0, "args": {"name": "python"}},
  {"name": "thread_name", "ph": "M", "pid": 77, "tid": 77, "args": {"name": "thread 77 (python)"}}
  ],
  "traceName": "/tmp/trace.json"
})json";

TEST(TraceEvents, OfPyTorch) {
  const auto run = input_test::json(kPyTorch);
  ASSERT_TRUE(run) << input_test::message(run);
  input_test::expect_sound(*run);
  const trace::Provenance& from = run->trace.provenance;
  EXPECT_EQ(from.kind, trace::Provenance::Kind::measured);
  EXPECT_EQ(from.device, "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(from.instrument, "pytorch");
  EXPECT_EQ(run->program, "");
  EXPECT_TRUE(run->trace.spans.empty());
  ASSERT_EQ(input_test::spans(*run).size(), 5u) << "a call and its execution are one";

  const trace::Span op = input_test::find(*run, "aten::addmm");
  EXPECT_EQ(op.host_begin, 0);
  EXPECT_EQ(op.host_end, 80'500);
  EXPECT_EQ(op.kind, OperationKind::work);
  EXPECT_EQ(input_test::thread_of(*run, op), "thread 77 (python)");

  const trace::Span kernel = input_test::find(*run, "void gemm<float, 矩阵>");
  EXPECT_EQ(kernel.kind, OperationKind::kernel);
  EXPECT_EQ(kernel.engine, Engine::compute);
  EXPECT_EQ(input_test::stream_of(*run, kernel), "GPU 0 stream 7");
  EXPECT_EQ(kernel.host_begin, 9'750);
  EXPECT_EQ(kernel.host_end, 9'750 + 5'125);
  EXPECT_EQ(kernel.start, 24'750);
  EXPECT_EQ(kernel.end, 24'750 + 30'001);
  EXPECT_EQ(kernel.source, trace::Source::cupti);

  const trace::Span copy = input_test::find(*run, "Memcpy DtoH (Device -> Pinned)");
  EXPECT_EQ(copy.kind, OperationKind::d2h);
  EXPECT_EQ(copy.engine, Engine::d2h);
  EXPECT_EQ(copy.bytes, 4096u);
  EXPECT_EQ(copy.host_begin, 19'750);
  EXPECT_EQ(input_test::find(*run, "cudaStreamSynchronize").kind, OperationKind::sync);
  const trace::Span set = input_test::find(*run, "Memset (Device)");
  EXPECT_EQ(set.kind, OperationKind::memset);
  EXPECT_EQ(set.host_begin, kAbsent) << "nobody was seen calling it";
  ASSERT_TRUE(run->makespan);
  EXPECT_EQ(run->makespan->median, 46'000);
  EXPECT_THAT(trace::texts(run->notes), Contains(StartsWith("Opened from t.json")));
  EXPECT_THAT(trace::texts(run->notes), Contains("Flow events, which only the window draws: 2."));
}

std::string events(const std::string& list) { return "{\"traceEvents\":[" + list + "]}"; }
trace::Run opened(const std::string& list) {
  const auto run = input_test::json(events(list));
  EXPECT_TRUE(run) << input_test::message(run);
  if (!run) return {};
  input_test::expect_sound(*run);
  return *run;
}

TEST(TraceEvents, BeginAndEndNest) {
  const auto run =
      opened(R"({"ph":"B","name":"outer","pid":1,"tid":2,"ts":10},{"ph":"B","name":"inner","pid":1,"tid":2,"ts":12},
    {"ph":"B","name":"elsewhere","pid":1,"tid":3,"ts":13},{"ph":"E","pid":1,"tid":2,"ts":15},
    {"ph":"E","pid":1,"tid":2,"ts":20},{"ph":"E","pid":1,"tid":2,"ts":21})");
  EXPECT_EQ(input_test::find(run, "outer").host_end, 10'000);
  EXPECT_EQ(input_test::find(run, "inner").host_begin, 2'000);
  EXPECT_EQ(input_test::find(run, "inner").host_end, 5'000);
  EXPECT_EQ(input_test::find(run, "elsewhere").host_end, 10'000) << "to the trace's end";
  EXPECT_THAT(trace::texts(run.notes), Contains("Left out because they end what never began: 1."));
  EXPECT_THAT(trace::texts(run.notes), Contains("Drawn to the trace's end because nothing ends them: 1."));
}

TEST(TraceEvents, AsynchronousOnesAreMatchedByIdAndCategory) {
  const auto run = opened(R"({"ph":"b","cat":"net","id":"0x1","name":"a","pid":1,"tid":1,"ts":1},
    {"ph":"b","cat":"net","id":"0x2","name":"b","pid":1,"tid":1,"ts":2},{"ph":"n","cat":"net","id":"0x1","name":"mark","pid":1,"tid":1,"ts":3},
    {"ph":"e","cat":"net","id":"0x1","name":"a","pid":1,"tid":9,"ts":5},{"ph":"e","cat":"net","id":"0x2","name":"b","pid":1,"tid":1,"ts":9},
    {"ph":"b","cat":"net","id2":{"local":"7"},"name":"l","pid":1,"ts":4},{"ph":"b","cat":"net","id2":{"local":"7"},"name":"m","pid":2,"ts":5},
    {"ph":"e","cat":"net","id2":{"local":"7"},"pid":1,"ts":6},{"ph":"e","cat":"net","id2":{"local":"7"},"pid":2,"ts":7})");
  EXPECT_EQ(input_test::find(run, "a").host_end, 4'000);
  EXPECT_EQ(input_test::find(run, "b").host_end, 8'000);
  EXPECT_EQ(input_test::find(run, "mark").host_begin, input_test::find(run, "mark").host_end);
  EXPECT_EQ(input_test::find(run, "l").host_end, 5'000) << "local ids are a process's own";
  EXPECT_EQ(input_test::find(run, "m").host_end, 6'000);
  EXPECT_EQ(input_test::thread_of(run, input_test::find(run, "a")), "process 1 · net (async)");
}

TEST(TraceEvents, TimesAsNumbersAndAsText) {
  const auto run = opened(R"({"ph":"X","name":"a","ts":0,"dur":1},{"ph":"X","name":"b","ts":"1.5","dur":"2"},
    {"ph":"X","name":"c","ts":2e1,"dur":1.25E0},{"ph":"i","name":"d","ts":30.0004,"s":"g"},{"ph":"X","name":"e","ts":31})");
  EXPECT_EQ(input_test::find(run, "a").host_end, 1'000);
  EXPECT_EQ(input_test::find(run, "b").host_begin, 1'500);
  EXPECT_EQ(input_test::find(run, "c").host_begin, 20'000);
  EXPECT_EQ(input_test::find(run, "c").host_end, 21'250);
  EXPECT_EQ(input_test::find(run, "d").host_end, 30'000);
  EXPECT_EQ(input_test::find(run, "e").host_end, 31'000);
}

TEST(TraceEvents, NanosecondsOfTodayAreKeptToTheLast) {
  const auto run = opened(
      R"({"ph":"X","name":"a","ts":1700000000000000.001,"dur":0.001},{"ph":"X","name":"b","ts":1700000000000000.003,"dur":0.002})");
  EXPECT_EQ(input_test::find(run, "a").host_end, 1);
  EXPECT_EQ(input_test::find(run, "b").host_begin, 2);
  EXPECT_EQ(input_test::find(run, "b").host_end, 4);
}

TEST(TraceEvents, WrongValuesAreReportedAndTheRestIsRead) {
  const auto run = opened(R"({"ph":"X","name":"good","ts":5,"dur":1},{"ph":"X","name":"nan","ts":NaN,"dur":1},
    {"ph":"X","name":"text","ts":"soon","dur":1},{"ph":"X","name":"none","dur":1},{"ph":"X","name":"far","ts":1e300,"dur":1},
    {"ph":"X","name":"further","ts":9000000000000000,"dur":1},{"ph":"X","name":"long","ts":5,"dur":9223372036854775807},
    {"ph":"X","name":"negative","ts":7,"dur":-3},{"ph":"X","name":"infinite","ts":1,"dur":Infinity},{"ph":"C","name":"c","ts":1},
    {"ph":"Q"},{"ph":["X"]},17,null,{"ph":"X","ph":"i","name":"twice","ts":9,"ts":8})");
  EXPECT_EQ(input_test::spans(run).size(), 3u);
  EXPECT_EQ(input_test::find(run, "negative").host_begin, input_test::find(run, "negative").host_end);
  EXPECT_EQ(input_test::find(run, "twice").host_begin, 3'000) << "of a key that comes twice the last counts";
  const auto notes = trace::texts(run.notes);
  EXPECT_THAT(notes, Contains("Shown without length because they end before they start: 1."));
  EXPECT_THAT(notes, Contains("Left out because their time is more than 146 years off: 1."));
  EXPECT_THAT(notes, Contains("Left out because their time (\"ts\") is no number of microseconds: 4."));
  EXPECT_THAT(notes, Contains("Left out because their duration (\"dur\") is no number of microseconds: 2."));
  EXPECT_THAT(notes, Contains("Left out because they are no events: 2."));
  EXPECT_THAT(notes, Contains("Left out because they have no phase (\"ph\"): 1."));
  EXPECT_THAT(notes, Contains("Counter events, which only the window draws: 1."));
  EXPECT_THAT(notes, Contains("Events of the phase 'Q', which are not drawn: 1."));
}

TEST(TraceEvents, ACallThatLaunchedSeveralStaysByItself) {
  const auto run = opened(
      R"({"ph":"X","cat":"cuda_runtime","name":"cudaGraphLaunch","pid":1,"tid":1,"ts":0,"dur":3,"args":{"correlation":4}},
    {"ph":"X","cat":"kernel","name":"k1","pid":0,"tid":7,"ts":5,"dur":1,"args":{"stream":7,"device":0,"correlation":4}},
    {"ph":"X","cat":"kernel","name":"k2","pid":0,"tid":7,"ts":6,"dur":1,"args":{"stream":7,"device":0,"correlation":4}})");
  const trace::Span launch = input_test::find(run, "cudaGraphLaunch");
  EXPECT_EQ(launch.kind, OperationKind::launch);
  EXPECT_EQ(input_test::find(run, "k1").launch, launch.operation);
  EXPECT_EQ(input_test::find(run, "k2").launch, launch.operation);
  EXPECT_EQ(input_test::find(run, "k1").host_begin, kAbsent);
}

TEST(TraceEvents, ThreadsAreNamedAndSortedAsTheFileSays) {
  const auto run = opened(
      R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":1},{"ph":"X","name":"b","pid":2,"tid":1,"ts":0,"dur":1},
    {"ph":"X","name":"c","pid":2,"tid":2,"ts":0,"dur":1},{"ph":"M","name":"process_name","pid":2,"args":{"name":"서버"}},
    {"ph":"M","name":"process_sort_index","pid":2,"args":{"sort_index":-1}},{"ph":"M","name":"thread_name","pid":2,"tid":2,"args":{"name":"first"}},
    {"ph":"M","name":"thread_sort_index","pid":2,"tid":2,"args":{"sort_index":-5}})");
  EXPECT_THAT(run.trace.threads, ElementsAre("서버 2 · first", "서버 2 · thread 1", "process 1 · thread 1"));
}

TEST(TraceEvents, ThreadsOfTheSameNameAreNumbered) {
  const auto run = opened(
      R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":1},{"ph":"X","name":"b","pid":1,"tid":2,"ts":0,"dur":1},
    {"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"worker"}},{"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"worker"}})");
  EXPECT_THAT(run.trace.threads, ElementsAre("worker", "worker (2)"));
}

TEST(TraceEvents, NamesAreValidText) {
  const auto run = opened(
      "{\"ph\":\"X\",\"name\":\"a\xff"
      "b\",\"ts\":0},{\"ph\":\"X\",\"name\":\"\\u4e2d\\ud83d\\ude00\\ud800\\n\",\"ts\":1},"
      "{\"ph\":\"X\",\"name\":\"\",\"ts\":2}");
  EXPECT_THAT(run.trace.names, ElementsAre("a\uFFFDb", "中😀\uFFFD\n", "(unnamed)"));
}

TEST(TraceEvents, ABareArrayMayLackItsEnd) {
  const std::string list = R"([{"ph":"X","name":"a","ts":0,"dur":1},
{"ph":"X","name":"b","ts":1,"dur":1})";
  for (const char* end : {"]", "", ",", "\n,\n", ",]"}) {
    const auto run = input_test::json(list + end);
    ASSERT_TRUE(run) << input_test::message(run);
    EXPECT_EQ(input_test::spans(*run).size(), 2u) << "'" << end << "'";
  }
  EXPECT_THAT(trace::texts(input_test::json(list)->notes), Contains(HasSubstr("last bracket is missing")));
  EXPECT_THAT(input_test::message(input_test::json(list + " nonsense")), StartsWith("t.json:2:"));
  EXPECT_THAT(input_test::message(input_test::json(list + ", {\"ph\":\"X\"")), StartsWith("t.json:2:"));
  EXPECT_THAT(input_test::message(input_test::json("[")), StartsWith("t.json:1:2: error:"));
  EXPECT_EQ(input_test::message(input_test::json("[]")), "");
}

TEST(TraceEvents, EveryTruncationIsAnErrorWithALocation) {
  const std::string text = kPyTorch;
  for (std::size_t size = 0; size < text.size(); ++size) {
    const auto run = input_test::json(std::string_view(text).substr(0, size));
    ASSERT_FALSE(run) << "cut at " << size;
    ASSERT_THAT(input_test::message(run), StartsWith("t.json:")) << "cut at " << size;
  }
}

TEST(TraceEvents, BrokenOnesAreErrorsWithALocation) {
  EXPECT_EQ(input_test::message(input_test::json("{\"traceEvents\":[{}\n{}]}")),
            "t.json:2:1: error: a ',' or a ']' should be here");
  EXPECT_EQ(input_test::message(input_test::json("{\"traceEvents\":[]} x")),
            "t.json:1:20: error: the JSON ends before this; what follows belongs to nothing");
  EXPECT_EQ(input_test::message(input_test::json("{\"traceEvents\":[{\"args\":{\"a\":tru}}]}")),
            "t.json:1:30: error: 'true' should be here");
  EXPECT_THAT(input_test::message(input_test::json("{\"events\":[]}")), HasSubstr("no \"traceEvents\""));
  EXPECT_THAT(input_test::message(input_test::json("")), StartsWith("t.json:1:1: error: neither JSON nor SQLite"));
  EXPECT_THAT(input_test::message(input_test::json("\x01\x02\xff\xfe garbage")), StartsWith("t.json:1:1:"));
  EXPECT_THAT(input_test::message(input_test::json("{\"traceEvents\":{}}")), HasSubstr("no \"traceEvents\""));
}

TEST(TraceEvents, DepthHasItsLimit) {
  for (const std::string open : {"[", "{\"a\":", "{\"traceEvents\":[{\"args\":["}) {
    std::string text = "{\"x\":";
    for (int i = 0; i < 100'000; ++i) text += open;
    EXPECT_THAT(input_test::message(input_test::json(text)), HasSubstr("nested more than 512 deep")) << open;
  }
  std::string fits = "{\"traceEvents\":[],\"x\":" + std::string(400, '[') + std::string(400, ']') + "}";
  EXPECT_EQ(input_test::message(input_test::json(fits)), "");
}

TEST(TraceEvents, ReadingStopsWhenAsked) {
  std::string list;
  for (int i = 0; i < 60'000; ++i)
    list += fmt::format(
        "{}{{\"ph\":\"X\",\"name\":\"some kernel or other\",\"pid\":1,\"tid\":1,\"ts\":{},\"dur\":1,\"cat\":\"test\"}}",
        i ? "," : "", i);
  StopSource stop;
  double progress = 0;
  OpenControl control{stop.flag(), [&](double share) {
                        progress = share;
                        stop.request_stop();
                      }};
  const auto run = read_json(events(list), "t.json", ReadControl(control));
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().kind, ErrorKind::cancelled);
  EXPECT_GT(progress, 0);
  EXPECT_LT(progress, 1);
}

}  // namespace
}  // namespace streamscope::input

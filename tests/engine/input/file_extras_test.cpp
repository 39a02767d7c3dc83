// What a file of Chrome's trace events carries besides its slices.
#include "engine/input/file_extras.h"

#include <gmock/gmock.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "engine/input/open.h"
#include "tests/engine/input/input_case.h"

namespace streamscope::input {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A call within another, a kernel that it launched 13 us later, counters out of order.
constexpr std::string_view kEvents = R"({"traceEvents": [
  {"ph": "X", "name": "outer", "pid": 1, "tid": 2, "ts": 100, "dur": 10, "args": {"shape": [4, 4], "note": "a \"b\""}},
  {"ph": "X", "name": "cudaLaunchKernel", "cat": "cuda_runtime", "pid": 1, "tid": 2, "ts": 105, "dur": 2,
   "args": {"correlation": 9, "cbid": 211}},
  {"ph": "s", "id": 5, "cat": "flow", "name": "go", "pid": 1, "tid": 2, "ts": 106},
  {"ph": "C", "name": "memory", "pid": 1, "ts": 120, "args": {"value": 7}},
  {"ph": "X", "name": "k", "cat": "kernel", "pid": 0, "tid": 7, "ts": 120, "dur": 5,
   "args": {"device": 0, "stream": 7, "correlation": 9, "grid": [16, 1, 1]}},
  {"ph": "X", "name": "later", "pid": 1, "tid": 3, "ts": 130, "dur": 1},
  {"ph": "t", "id": 5, "cat": "flow", "name": "go", "pid": 0, "tid": 7, "ts": 121},
  {"ph": "f", "id": 5, "cat": "flow", "name": "go", "pid": 1, "tid": 3, "ts": 128},
  {"ph": "C", "name": "memory", "pid": 1, "ts": 101.5, "args": {"value": 3}},
  {"ph": "C", "name": "net", "pid": 1, "ts": 110, "args": {"in": 1, "out": 2.5, "text": "no number"}}
]})";

class Extras : public ::testing::Test {
 protected:
  void SetUp() override {
    path = write(kEvents);
    auto opened = open_trace(path);
    ASSERT_TRUE(opened) << opened.error().message;
    run = std::move(*opened);
    auto read = read_extras(path);
    ASSERT_TRUE(read) << read.error().message;
    extras = std::move(*read);
  }
  void TearDown() override { std::filesystem::remove(path); }
  static std::filesystem::path write(std::string_view text) {
    const std::filesystem::path to =
        std::filesystem::temp_directory_path() / ("streamscope-extras-" + std::to_string(getpid()) + ".json");
    std::ofstream(to, std::ios::binary) << text;
    return to;
  }
  OperationIndex named(const std::string& name) const { return input_test::find(run, name).operation; }
  std::filesystem::path path;
  trace::Run run;
  FileExtras extras;
};

TEST_F(Extras, CountersAreSeriesInTheOrderOfTimeOnTheRunsClock) {
  ASSERT_EQ(extras.counters.size(), 3u);
  EXPECT_EQ(extras.counters[0].name, "memory");
  EXPECT_THAT(extras.counters[0].times, ElementsAre(1'500, 20'000));
  EXPECT_THAT(extras.counters[0].values, ElementsAre(3, 7));
  EXPECT_EQ(extras.counters[1].name, "net · in");
  EXPECT_EQ(extras.counters[2].name, "net · out");
  EXPECT_THAT(extras.counters[2].values, ElementsAre(2.5));
}

TEST_F(Extras, FlowsLeadFromTheInnermostSliceToTheNext) {
  // The launch and its kernel are one operation, which the second point lies in, too.
  const OperationIndex kernel = named("k");
  ASSERT_NE(kernel, kNoOperation);
  EXPECT_THAT(extras.flows, ElementsAre(FileFlow{kernel, named("later")}));
}

TEST_F(Extras, ArgumentsAreReadFromTheFileWhenTheyAreAskedFor) {
  const auto outer = read_arguments(path, extras, named("outer"));
  ASSERT_TRUE(outer);
  EXPECT_THAT(*outer, ElementsAre(Argument{"shape", "[4, 4]"}, Argument{"note", "a \"b\""}));
  const auto kernel = read_arguments(path, extras, named("k"));
  ASSERT_TRUE(kernel);
  EXPECT_THAT(*kernel, ElementsAre(Argument{"correlation", "9"}, Argument{"cbid", "211"}, Argument{"device", "0"},
                                   Argument{"stream", "7"}, Argument{"grid", "[16, 1, 1]"}))
      << "of the call and of its execution";
  EXPECT_THAT(read_arguments(path, extras, named("later")).value(), IsEmpty());
  EXPECT_THAT(read_arguments(path, extras, 10'000).value(), IsEmpty());
}

TEST_F(Extras, AnotherSortOfFileHasNone) {
  const auto none = read_extras(write("SQLite format 3"));
  ASSERT_TRUE(none);
  EXPECT_THAT(none->counters, IsEmpty());
  EXPECT_THAT(none->events, IsEmpty());
}

}  // namespace
}  // namespace streamscope::input

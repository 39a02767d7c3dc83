// `streamscope run` on traces: what was saved is drawn and written as it was, and nothing is run.
#include <gmock/gmock.h>

#include "tests/app/cli/command_line.h"

namespace streamscope::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST_F(CommandLine, ASavedRunIsWrittenAsItWas) {
  const std::string saved = path("saved.json"), first = path("first.json"), again = path("again.json"),
                    csv = path("again.csv"), first_csv = path("first.csv");
  const ChildResult run =
      streamscope_child({"run", "four-streams", "--device", "model:h200", "--predict=model:one-copy-engine", "--trace",
                         saved, "--json", first, "--csv", first_csv});
  ASSERT_EQ(run.code, 0) << run.err;
  const ChildResult opened = streamscope_child({"run", saved, "--json", again, "--csv", csv});
  EXPECT_EQ(opened.code, 0) << opened.err;
  EXPECT_EQ(written("first.json"), written("again.json"));
  EXPECT_EQ(written("first.csv"), written("again.csv"));
  EXPECT_EQ(opened.err, "") << "no device was asked for anything";
  // The plain JSON opens, too.
  const ChildResult plain = streamscope_child({"run", first, "--trace", path("trace.json")});
  EXPECT_EQ(plain.code, 0) << plain.err;
  EXPECT_EQ(written("saved.json"), written("trace.json"));
}

TEST_F(CommandLine, ATraceOfAnotherToolIsDrawnAndReported) {
  const std::string file = write("their.json",
                                 R"([{"ph":"X","cat":"kernel","name":"their kernel","pid":0,"tid":7,"ts":1,"dur":5,
      "args":{"device":0,"stream":7}},{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":0,"dur":2}])");
  const std::string svg = path("their.svg");
  const ChildResult drawn = streamscope_child({"run", file, "--svg", svg, "--png", path("their.png"), "--csv", "-"});
  EXPECT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_THAT(written("their.svg"), AllOf(HasSubstr("their kernel"), HasSubstr("GPU 0 stream 7")));
  EXPECT_THAT(drawn.out, HasSubstr("aten::mm"));
  const ChildResult shown = streamscope_child({"run", file});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(shown.out, AllOf(HasSubstr("PYTORCH TRACE"), HasSubstr("pytorch"), HasSubstr("a trace of another tool")));
}

TEST_F(CommandLine, WhatOnlyARunHasIsBadUsageWithATrace) {
  const std::string file = write("their.json", R"({"traceEvents":[]})");
  const ChildResult result =
      streamscope_child({"run", file, "--set", "streams=2", "--device", "model", "--repeat", "3", "--gate"});
  EXPECT_EQ(result.code, 2);
  for (const char* option : {"--set", "--device", "--repeat", "--gate"})
    EXPECT_THAT(result.err, HasSubstr(std::string(option) + ": error: " + file + " is a trace"));
  EXPECT_THAT(result.err, Not(HasSubstr("--share")));
}

TEST_F(CommandLine, ABrokenTraceIsAnErrorWithItsPlace) {
  const std::string file = write("broken.json", "{\"traceEvents\":[\n{\"ph\":\"X\",\n");
  const ChildResult result = streamscope_child({"run", file});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, StartsWith(file + ":3:1: error: "));
  const std::string report = write("report.nsys-rep", "x");
  EXPECT_THAT(streamscope_child({"run", report}).err, HasSubstr("nsys export --type sqlite"));
}

}  // namespace
}  // namespace streamscope::cli

// `streamscope check`: errors and warnings by their places.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/cli/command_line.h"

namespace streamscope::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST_F(CommandLine, CheckTellsErrorsByPlaceAndAllOfThem) {
  const std::string file = write("bad.streams", "stream A\nA: sipn 10us\nA: h2d y\n");
  const ChildResult result = streamscope_child({"check", file});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err,
              AllOf(HasSubstr(file + ":2:4: error: "), HasSubstr("spin"), HasSubstr(file + ":3:8: error: ")));
  const ChildResult good = streamscope_child({"check", "four-streams"});
  EXPECT_EQ(good.code, 0);
  EXPECT_THAT(good.err, IsEmpty());
  EXPECT_THAT(good.out, HasSubstr("49 operations in 4 streams"));
}

TEST_F(CommandLine, ErrorsInAnExperimentsOwnProgramAreReportedByTheFilesLines) {
  const std::string file = write("own.toml", "name = 'x'\nabout = 'y'\nprogram = '''\nstream A\nA: sipn 10us\n'''\n");
  EXPECT_THAT(streamscope_child({"check", file}).err, StartsWith(file + ":5:4: error: "));
}

TEST_F(CommandLine, AHazardIsAWarningAndNoError) {
  const std::string file =
      write("hazard.streams", "buffer x 1MiB\nstream A nonblocking\nstream B nonblocking\nA: h2d x\nB: memset x 0\n");
  const ChildResult result = streamscope_child({"check", file});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr(file + ":5:"));
  EXPECT_THAT(result.err, HasSubstr("warning: "));
  EXPECT_EQ(streamscope_child({"run", file, "--device", "model"}).code, 0);
}

TEST_F(CommandLine, ASourceThatIsNotThereIsAWarning) {
  const std::string file =
      write("own.streams", "buffer x 1MiB\n\nkernel mine \"none.cu\" (float* y)\ndefault: mine x\n");
  for (const Arguments& command : {Arguments{"check", file}, Arguments{"run", file, "--device", "model"}}) {
    const ChildResult result = streamscope_child(command);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr(file + ":3:1: warning: there is no file \"none.cu\""));
  }
  write("none.cu", "");
  EXPECT_EQ(streamscope_child({"check", file}).err, "");
}

TEST_F(CommandLine, ASettingThatDoesNothingIsAWarning) {
  for (const Arguments& command : {Arguments{"run", "--dry-run"}, Arguments{"check"}}) {
    Arguments arguments = command;
    arguments.insert(arguments.end(), {"four-streams", "--set", "kernel.duration=2ms"});
    const ChildResult result = streamscope_child(arguments);
    EXPECT_EQ(result.code, 0);
    EXPECT_THAT(result.err, StartsWith("--set kernel.duration: warning: kernel.duration does nothing: "));
    EXPECT_THAT(result.out, HasSubstr("49 operations"));
  }
}

}  // namespace
}  // namespace streamscope::cli

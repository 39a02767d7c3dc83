// What becomes of a finished run: files, words and the exit code, without a device.
#include "app/cli/write_run.h"

#include <gmock/gmock.h>

#include <optional>

#include "tests/app/cli/command_line.h"

namespace streamscope::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// One kernel, and data that came back wrong.
trace::Run wrong_run() {
  trace::Run run;
  run.wall = trace::Statistic{2'000, 2'000, 2'000};
  run.makespan = trace::Statistic{1'000, 1'000, 1'000};
  run.trace.provenance.kind = trace::Provenance::Kind::measured;
  run.trace.provenance.device = "a device";
  run.trace.streams = {{"default"}, {"per-thread"}};
  run.trace.threads = {"main"};
  run.trace.names = {"axpb"};
  trace::Span span;
  span.kind = OperationKind::kernel;
  span.engine = Engine::compute;
  span.stream = 0;
  span.start = 500;
  span.end = 1'500;
  run.trace.spans = {span};
  run.verified = false;
  run.notes = {{trace::NoteKind::wrong_data, "Float 7 of buffer x is 1, 2 was right."},
               {trace::NoteKind::other, "a note"}};
  return run;
}

struct Delivered {
  int code = -1;
  std::string out, err;
};
Delivered delivered(const trace::Run& run, const RunOptions& to) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  Delivered result;
  result.code = write_run(run, to, {}, "An experiment");
  result.out = ::testing::internal::GetCapturedStdout();
  result.err = ::testing::internal::GetCapturedStderr();
  return result;
}

class Delivering : public CommandLine {
 protected:
  RunOptions to(const std::string& json) const {
    RunOptions all;
    all.texts["--json"] = json;
    return all;
  }
};

TEST_F(Delivering, WrongDataIsFiveAndReportedWithItsPlaceAfterAllIsWritten) {
  RunOptions all = to(path("a.json"));
  all.texts["--csv"] = path("a.csv");
  all.texts["--trace"] = path("a.trace");
  all.png = path("a.png");
  all.svg = path("a.svg");
  all.pdf = path("a.pdf");
  const Delivered result = delivered(wrong_run(), all);
  EXPECT_EQ(result.code, 5);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_EQ(result.err,
            "An experiment: error: the data that came back is wrong. Float 7 of buffer x is 1, 2 was right.\n");
  EXPECT_THAT(written("a.json"), HasSubstr("\"verified\": false"));
  for (const char* file : {"a.csv", "a.trace", "a.png", "a.svg", "a.pdf"})
    EXPECT_GT(written(file).size(), 100u) << file;
}

TEST_F(Delivering, WrongDataIsFiveInASummaryToo) {
  const Delivered result = delivered(wrong_run(), to(""));
  EXPECT_EQ(result.code, 5);
  EXPECT_THAT(result.out, StartsWith("An experiment\n"));
  EXPECT_THAT(result.err, HasSubstr("the data that came back is wrong"));
}

TEST_F(Delivering, WrongDataComesBeforeAFileThatCannotBeWrittenButBothAreReported) {
  const Delivered result = delivered(wrong_run(), to(path("no/a.json")));
  EXPECT_EQ(result.code, 5);
  EXPECT_THAT(result.err, HasSubstr(path("no/a.json")));
  EXPECT_THAT(result.err, HasSubstr("the data that came back is wrong"));
}

TEST_F(Delivering, APictureThatCannotBeWrittenIsReported) {
  RunOptions all = to("");
  for (const auto picture : {&RunOptions::png, &RunOptions::svg, &RunOptions::pdf}) {
    all.*picture = path("no/a");
    trace::Run run = wrong_run();
    run.verified = true;
    const Delivered result = delivered(run, all);
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr(path("no/a")));
    EXPECT_THAT(result.out, IsEmpty()) << "no summary in its place";
    all.*picture = "";
  }
}

TEST_F(Delivering, RightDataAndDataThatWasNotCheckedAreZero) {
  for (const std::optional<bool> verified : {std::optional(true), std::optional<bool>()}) {
    trace::Run run = wrong_run();
    run.verified = verified;
    const Delivered result = delivered(run, to(path("a.json")));
    EXPECT_EQ(result.code, 0);
    EXPECT_THAT(result.err, IsEmpty());
    EXPECT_EQ(delivered(run, to(path("no/a.json"))).code, 2) << "what cannot be written";
  }
}

TEST_F(Delivering, TheSummaryKeepsOutOfAProgramOnStandardOutput) {
  trace::Run run = wrong_run();
  run.verified = true;
  RunOptions all = to("");
  all.program = "-";
  const Delivered result = delivered(run, all);
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err, StartsWith("An experiment\n"));
}

}  // namespace
}  // namespace streamscope::cli

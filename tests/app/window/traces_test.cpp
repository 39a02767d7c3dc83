// Saved runs and traces of other tools in the window's state: shown, kept among the runs, and nothing is run.
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>

#include "app/window/effects/files.h"
#include "engine/base/files.h"
#include "engine/trace/packed_spans.h"
#include "tests/support/state_desk.h"

namespace streamscope::window {
namespace {

using testing::a_run;
using testing::Desk;
using ::testing::HasSubstr;
using ::testing::StartsWith;

command::TraceOpened their_trace() {
  auto run = std::make_shared<trace::Run>(*testing::a_run(""));
  run->trace.packed = std::make_shared<const trace::PackedSpans>(std::exchange(run->trace.spans, {}));
  run->notes = {"Opened from their.json: a trace of another tool."};
  return {"their.json", run, std::nullopt};
}

TEST(Traces, OfAnotherToolAreShownAndStartNoRun) {
  Desk desk;
  const std::string program = desk.state.program;
  desk.apply(their_trace());
  desk.up();
  EXPECT_EQ(desk.started, 0);
  ASSERT_TRUE(desk.state.shown);
  EXPECT_EQ(trace::span_count(desk.state.shown->run->trace), 3u);
  EXPECT_THAT(desk.state.shown->label, StartsWith("their.json"));
  EXPECT_EQ(desk.state.program, program) << "the controls keep what they had";
  EXPECT_EQ(desk.state.runs.size(), 1u);
  EXPECT_TRUE(span_of(desk.state, 1));
  desk.apply(command::RunNow{});
  EXPECT_EQ(desk.started, 1) << "Run still runs what the controls say";
}

TEST(Traces, StandAmongTheRuns) {
  Desk desk;
  desk.up();
  desk.finish();
  desk.apply(command::Select{2});
  desk.apply(their_trace());
  EXPECT_EQ(desk.state.runs.size(), 2u);
  EXPECT_EQ(desk.state.shown->number, 2u);
  EXPECT_EQ(desk.state.selected, kNoOperation);
  EXPECT_EQ(desk.started, 1);
}

TEST(Traces, ASavedRunBringsWhatItRan) {
  Desk desk;
  OpenedFile file{.name = "saved", .content = {}};
  file.content.experiment.streams = 7;
  desk.apply(command::TraceOpened{"saved.json", testing::a_run("text"), file});
  EXPECT_EQ(desk.state.experiment.streams, 7);
  EXPECT_EQ(desk.state.experiment_name, "saved");
  desk.up();
  EXPECT_EQ(desk.started, 0);
}

TEST(Traces, AreReadWithWhatTheyRan) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("traces-test-" + std::to_string(::getpid()) + ".json");
  const auto opened = [&](const std::string& text) {
    EXPECT_TRUE(write_text(path, text));
    return open_run(path, {});
  };
  const auto saved = opened(R"({"schema":1,"program":"stream A\n","spans":[],"experiment_toml":""})");
  ASSERT_TRUE(saved) << saved.error().message;
  ASSERT_TRUE(saved->file);
  EXPECT_EQ(saved->file->content.program, "stream A\n");
  const auto theirs = opened(R"({"traceEvents":[]})");
  ASSERT_TRUE(theirs);
  EXPECT_FALSE(theirs->file);
  EXPECT_EQ(theirs->name, path.filename().string());
  EXPECT_THAT(opened("{").error().message, HasSubstr(":1:"));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace streamscope::window

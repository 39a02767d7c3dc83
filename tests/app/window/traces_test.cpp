// Saved runs and traces of other tools in the window's state: shown, kept among the runs, and nothing is run.
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>

#include "app/window/effects/files.h"
#include "engine/base/files.h"
#include "engine/trace/packed_spans.h"
#include "tests/support/state_loop.h"

namespace streamscope::window {
namespace {

using testing::a_run;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing::StateLoop;

command::TraceOpened their_trace() {
  auto run = std::make_shared<trace::Run>(*testing::a_run(""));
  run->trace.packed = std::make_shared<const trace::PackedSpans>(std::exchange(run->trace.spans, {}));
  run->notes = {{trace::NoteKind::file, "Opened from their.json: a trace of another tool."}};
  return {"their.json", "folder/their.json", run, std::nullopt};
}

TEST(Traces, OfAnotherToolAreShownAndStartNoRun) {
  StateLoop loop;
  const std::string program = loop.state.editing.program;
  loop.update(their_trace());
  loop.up();
  EXPECT_EQ(loop.started, 0);
  ASSERT_TRUE(loop.state.runs.shown);
  EXPECT_EQ(trace::span_count(loop.state.runs.shown->run->trace), 3u);
  EXPECT_THAT(loop.state.runs.shown->label, StartsWith("their.json"));
  EXPECT_EQ(loop.state.editing.program, program) << "the controls keep what they had";
  EXPECT_EQ(loop.state.runs.all.size(), 1u);
  EXPECT_TRUE(span_of(loop.state, 1));
  loop.update(command::RunNow{});
  EXPECT_EQ(loop.started, 1) << "Run still runs what the controls say";
}

TEST(Traces, WhatTheirFileCarriesIsReadAfterThemAndArgumentsForTheSelected) {
  StateLoop loop;
  command::TraceOpened theirs = their_trace();
  auto run = std::make_shared<trace::Run>(*theirs.run);
  run->trace.provenance.kind = trace::Provenance::Kind::measured;
  run->trace.provenance.instrument = "chrome trace";
  theirs.run = run;
  ASSERT_TRUE(trace::of_another_tool(run->trace.provenance));
  const Effects opened = update(loop.state, theirs);
  ASSERT_TRUE(opened.extras);
  EXPECT_EQ(opened.extras->path, "folder/their.json");
  loop.update(command::RunPrepared{prepare(opened.prepare.front())});
  EXPECT_FALSE(update(loop.state, command::Select{1}).arguments) << "the file is not read yet";
  FileExtrasOf file{"folder/their.json", std::make_shared<const input::FileExtras>(), nullptr};
  const Effects read = update(loop.state, command::ExtrasRead{opened.extras->run, file});
  ASSERT_TRUE(read.arguments);
  EXPECT_EQ(read.arguments->operation, 1u);
  loop.update(command::ArgumentsRead{opened.extras->run, 1, {{"grid", "[16, 1, 1]"}}});
  EXPECT_EQ(loop.state.carried.arguments.front().value, "[16, 1, 1]");
  EXPECT_TRUE(update(loop.state, command::Select{2}).arguments);
  // With the run goes what its file carried, and does not come back.
  loop.state.runs.spans_kept = kSpansKept;
  loop.up();
  loop.update(command::RunNow{});
  loop.finish();
  EXPECT_TRUE(loop.state.carried.files.empty());
  loop.update(command::ExtrasRead{opened.extras->run, file});
  EXPECT_TRUE(loop.state.carried.files.empty());
}

TEST(Traces, StandAmongTheRuns) {
  StateLoop loop;
  loop.up();
  loop.finish();
  loop.update(command::Select{2});
  loop.update(their_trace());
  EXPECT_EQ(loop.state.runs.all.size(), 2u);
  EXPECT_EQ(loop.state.runs.shown->number, 2u);
  EXPECT_EQ(loop.state.timeline.selected, kNoOperation);
  EXPECT_EQ(loop.started, 1);
}

TEST(Traces, ASavedRunBringsWhatItRan) {
  StateLoop loop;
  OpenedFile file{.name = "saved", .content = {}};
  file.content.streams = 7;
  loop.update(command::TraceOpened{"saved.json", "saved.json", testing::a_run("text"), file});
  EXPECT_EQ(loop.state.editing.experiment.streams, 7);
  EXPECT_EQ(loop.state.editing.experiment_name, "saved");
  loop.up();
  EXPECT_EQ(loop.started, 0);
}

TEST(Traces, AreReadWithWhatTheyRan) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("traces-test-" + std::to_string(::getpid()) + ".json");
  const auto opened = [&](const std::string& text) {
    EXPECT_TRUE(write_text(path, text));
    return open_run(path, {});
  };
  const auto saved = opened(
      R"({"schema":1,"provenance":{"kind":"model"},"program":"stream A\n","spans":[],"experiment_toml":""})");
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

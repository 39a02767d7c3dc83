// Kernels that are asked about before they run: those that freeze a display, and code that a program brings along.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/window/state/run_requests.h"
#include "tests/support/state_loop.h"

namespace streamscope::window {
namespace {

using ::testing::HasSubstr;
using testing::StateLoop;

TEST(LongKernels, AreAskedAboutAndRunOnceAllTheSame) {
  StateLoop loop;
  loop.up_with_gpu();
  const std::string why =
      "line 2: spin takes 1.5 s: a kernel of more than 1 s freezes a display; make it shorter, or allow it with "
      "--long-kernels\nline 4: axpb takes about 3.25 s: …";
  EXPECT_FALSE(loop.request_sent.options.long_kernels);
  loop.event(session::session_event::RunFailed{loop.last_id, {ErrorKind::bad_input, why, {}, 3'250'000'000}});
  ASSERT_TRUE(loop.state.editing.refused);
  EXPECT_EQ(loop.state.editing.refused->why, why);
  EXPECT_EQ(loop.state.editing.refused->longest, 3'250'000'000);
  loop.update(command::RunLongKernels{});
  EXPECT_EQ(loop.started, 2);
  EXPECT_TRUE(loop.request_sent.options.long_kernels);
  EXPECT_EQ(loop.request_sent.options.runs, 1);
  EXPECT_FALSE(loop.request_sent.options.observer_effect);
  EXPECT_FALSE(loop.state.editing.refused);
  loop.finish_measured();
  loop.update(command::RunNow{});
  EXPECT_FALSE(loop.request_sent.options.long_kernels) << "once only";
}

Error refusal() { return {.message = "k is code", .wants_own_code = true}; }

// A program that was opened runs no code of its own before a person let it, and then the one that was read.
TEST(OwnCode, IsAskedForThenReadThenSent) {
  StateLoop loop;
  loop.up_with_gpu();
  OpenedFile file{.name = "own", .content = {}, .path = "/folder/own.streams"};
  file.content.program = "stream A\nkernel k \"sub/k.cu\" ()\nkernel l \"sub/k.cu\" ()\nA: k\n";
  loop.update(command::FileOpened{file});
  loop.checked();
  const int begun = loop.started;
  EXPECT_TRUE(loop.request_sent.options.own.empty());
  loop.event(session::session_event::RunFailed{loop.last_id, refusal()});
  ASSERT_TRUE(loop.state.editing.refused);
  EXPECT_EQ(loop.state.editing.refused->own_files, std::vector<std::string>{"sub/k.cu"});
  EXPECT_FALSE(loop.own_code) << "nothing is read unasked";
  loop.update(command::RunLongKernels{});
  EXPECT_EQ(loop.started, begun) << "it is not read yet";
  ASSERT_TRUE(loop.own_code);
  EXPECT_EQ(loop.own_code->program, "/folder/own.streams");
  EXPECT_EQ(loop.own_code->files, std::vector<std::string>{"sub/k.cu"});
  loop.update(command::OwnCodeRead{*loop.own_code, {{"sub/k.cu", "__global__ void k() {}"}}});
  EXPECT_EQ(loop.started, begun + 1);
  ASSERT_EQ(loop.request_sent.options.own.size(), 1u);
  EXPECT_EQ(loop.request_sent.options.own[0].text, "__global__ void k() {}");
  EXPECT_FALSE(loop.request_sent.options.long_kernels);
  // It does not compile: asked again, and read again.
  loop.event(session::session_event::RunFailed{loop.last_id, {.message = "k.cu:1:1: error", .wants_own_code = true}});
  ASSERT_TRUE(loop.state.editing.refused);
  EXPECT_TRUE(loop.state.editing.own_code.empty());
  // Another file has nothing of it.
  loop.update(command::OwnCodeRead{*loop.own_code, {{"sub/k.cu", "__global__ void k() {}"}}});
  EXPECT_FALSE(loop.state.editing.own_code.empty());
  loop.update(command::FileOpened{file});
  EXPECT_TRUE(loop.state.editing.own_code.empty());
  loop.checked();
  EXPECT_TRUE(loop.request_sent.options.own.empty());
}

TEST(OwnCode, ThatDoesNotCompileIsShownWhereItIsWrong) {
  StateLoop loop;
  loop.up_with_gpu();
  OpenedFile file{.name = "own", .content = {}, .path = "/folder/own.streams"};
  file.content.program = "stream A\nkernel k \"k.cu\" ()\nA: k\n";
  loop.update(command::FileOpened{file});
  loop.checked();
  loop.event(session::session_event::RunFailed{loop.last_id, refusal()});
  EXPECT_FALSE(loop.state.editing.uncompiled) << "it was not compiled";
  loop.update(command::RunLongKernels{});
  ASSERT_TRUE(loop.own_code);
  loop.update(command::OwnCodeRead{*loop.own_code, {{"k.cu", "first\nsecond\n"}}});
  const Error wrong{.message = "line 2: the kernel k does not compile:\nk.cu:2:3: error: odd\n/cuda/x.h:7: error: x",
                    .wants_own_code = true};
  loop.event(session::session_event::RunFailed{loop.last_id, wrong});
  const auto& uncompiled = loop.state.editing.uncompiled;
  ASSERT_TRUE(uncompiled);
  EXPECT_EQ(uncompiled->line, 2u);
  ASSERT_EQ(uncompiled->errors.size(), 2u);
  EXPECT_EQ(uncompiled->errors[0], (kernels::SourceError{"k.cu", 2, 3, "error: odd"}));
  ASSERT_NE(source_of(*uncompiled, uncompiled->errors[0]), nullptr);
  EXPECT_EQ(source_of(*uncompiled, uncompiled->errors[0])->text, "first\nsecond\n");
  EXPECT_EQ(source_of(*uncompiled, uncompiled->errors[1]), nullptr) << "a header that nobody read here";
  loop.update(command::LookAtError{1});
  EXPECT_EQ(uncompiled->looked_at, 1u);
  loop.update(command::LookAtError{3});
  EXPECT_EQ(uncompiled->looked_at, 1u) << "there is no such error";
  loop.update(command::LeaveLongKernels{});
  EXPECT_TRUE(uncompiled) << "it is still wrong";
  loop.update(command::RunNow{});
  EXPECT_FALSE(uncompiled);
}

// What was measured is what the next run on a model takes, and it is remembered where the figures were measured.
TEST(OwnCode, ThatWasMeasuredTellsModelsHowLongItTakes) {
  StateLoop loop;
  loop.up_with_gpu();
  OpenedFile file{.name = "own", .content = {}, .path = "/folder/own.streams"};
  file.content.program = "stream A\nkernel k \"k.cu\" ()\nA: k\n";
  loop.update(command::FileOpened{file});
  const std::vector<predict::OwnTime> known{{"", "k", 1, 256, 0, 5'000, 40, "GPU"}};
  loop.update(command::ProgramChecked{loop.state.editing.version, {}, 1, false, known});
  loop.update(command::RunNow{});
  EXPECT_EQ(loop.request_sent.own_times, known) << "remembered of this file";
  loop.event(session::session_event::RunFailed{loop.last_id, refusal()});
  loop.update(command::RunLongKernels{});
  const std::vector<kernels::OwnSource> sources{{"k.cu", "__global__ void k() {}"}};
  loop.update(command::OwnCodeRead{*loop.own_code, sources});
  EXPECT_FALSE(loop.own_measured);
  const auto run = std::make_shared<trace::Run>(*testing::a_run(file.content.program));
  run->trace.provenance.kind = trace::Provenance::Kind::measured;
  loop.event(session::session_event::RunDone{loop.last_id, run});
  ASSERT_TRUE(loop.own_measured);
  EXPECT_EQ(loop.own_measured->run, run);
  EXPECT_EQ(loop.own_measured->sources, sources);
  auto measured = known;
  measured[0].time = 6'000;
  loop.update(command::OwnTimesMeasured{file.content.program, measured});
  loop.update(command::SetDevice{"model:h200"});
  loop.update(command::RunNow{});
  EXPECT_EQ(loop.request_sent.own_times, measured);
  loop.update(command::OwnTimesMeasured{"stream B\n", known});
  EXPECT_EQ(loop.state.editing.own_times, measured) << "those are another program's";
}

OpenedFile own_file(const std::string& name, const std::string& text = "stream A\nkernel k \"k.cu\" ()\nA: k\n") {
  OpenedFile file{.name = name, .content = {}, .path = "/" + name + "/own.streams"};
  file.content.program = text;
  return file;
}

// Opens a program that names k.cu, and lets it run that.
void let_run(StateLoop& loop, const OpenedFile& file) {
  loop.update(command::FileOpened{file});
  loop.checked();
  loop.event(session::session_event::RunFailed{loop.last_id, refusal()});
  loop.update(command::RunLongKernels{});
  ASSERT_TRUE(loop.own_code);
  loop.update(command::OwnCodeRead{*loop.own_code, {{"k.cu", "__global__ void k() {}"}}});
  ASSERT_EQ(loop.request_sent.options.own.size(), 1u);
}

TEST(OwnCode, ThatWasReadForAFileThatWasLeftMeanwhileIsDropped) {
  for (const std::string other : {"stream A\nkernel k \"k.cu\" ()\nA: k\n", "stream B\nkernel k \"k.cu\" ()\nB: k\n"}) {
    StateLoop loop;
    loop.up_with_gpu();
    loop.update(command::FileOpened{own_file("a")});
    loop.checked();
    loop.event(session::session_event::RunFailed{loop.last_id, refusal()});
    loop.update(command::RunLongKernels{});
    ASSERT_TRUE(loop.own_code);
    loop.update(command::FileOpened{own_file("b", other)});
    loop.checked();
    const int begun = loop.started;
    loop.update(command::OwnCodeRead{*loop.own_code, {{"k.cu", "__global__ void k() {}"}}});
    EXPECT_EQ(loop.started, begun);
    EXPECT_TRUE(loop.state.editing.own_code.empty());
  }
}

TEST(OwnCode, IsNotAskedForWhereSomethingElseWasRefused) {
  StateLoop loop;
  loop.up_with_gpu();
  let_run(loop, own_file("a"));
  loop.event(session::session_event::RunFailed{loop.last_id, {ErrorKind::bad_input, "the gate cannot hold this", {}}});
  EXPECT_FALSE(loop.state.editing.refused) << "reading k.cu again would not help";
  EXPECT_FALSE(loop.state.editing.own_code.empty());
  EXPECT_EQ(loop.state.status.text, "the gate cannot hold this");
}

TEST(OwnCode, IsNotLetRunByUndoToAnotherFile) {
  StateLoop loop;
  loop.up_with_gpu();
  loop.update(command::FileOpened{own_file("a")});
  loop.checked();
  loop.update(command::EndChange{});
  let_run(loop, own_file("b"));
  loop.update(command::EditProgram{loop.state.editing.program + "A: k\n"});
  loop.update(command::UndoChange{});
  EXPECT_FALSE(loop.state.editing.own_code.empty()) << "it is the same file";
  loop.update(command::UndoChange{});
  EXPECT_EQ(loop.state.editing.path, "/a/own.streams");
  EXPECT_TRUE(loop.state.editing.own_code.empty());
  loop.update(command::RedoChange{});
  EXPECT_TRUE(loop.state.editing.own_code.empty());
}

// A saved run came from somebody else: its program is no more the open file's than another file is.
TEST(OwnCode, IsNotLetRunByTheSettingsOfASavedRun) {
  StateLoop loop;
  loop.up_with_gpu();
  const auto saved = testing::a_run("stream A\nkernel k \"k.cu\" ()\nA: k\nA: k\n");
  loop.update(command::TraceOpened{"saved", "/saved.json", saved, std::nullopt});
  ASSERT_EQ(loop.state.runs.shown->run, saved);
  let_run(loop, own_file("b"));
  loop.update(command::UseRunSettings{});
  ASSERT_EQ(loop.state.editing.program, saved->program);
  EXPECT_TRUE(loop.state.editing.own_code.empty());
  EXPECT_TRUE(loop.state.editing.path.empty()) << "and it is not saved in the file's place";
  loop.update(command::UndoChange{});
  EXPECT_EQ(loop.state.editing.path, "/b/own.streams");
  loop.checked();
  loop.state.editing.own_code = {{"k.cu", "__global__ void k() {}"}};
  loop.update(command::RedoChange{});
  EXPECT_TRUE(loop.state.editing.own_code.empty());
}

TEST(LongKernels, AreNotAskedAboutWhereTheEngineSaysOfNoTime) {
  for (const Nanoseconds longest : {Nanoseconds{0}, Nanoseconds{-1}, kAbsent}) {
    StateLoop loop;
    loop.up_with_gpu();
    loop.event(session::session_event::RunFailed{loop.last_id, {ErrorKind::bad_input, "too long", {}, longest}});
    EXPECT_FALSE(loop.state.editing.refused);
    EXPECT_EQ(loop.state.status.text, "too long");
  }
}

TEST(LongKernels, TheQuestionGoesWithTheProgramOrByItself) {
  for (const bool edited : {true, false}) {
    StateLoop loop;
    loop.up_with_gpu();
    loop.event(session::session_event::RunFailed{loop.last_id, {ErrorKind::bad_input, "too long", {}, 1'500'000'000}});
    ASSERT_TRUE(loop.state.editing.refused);
    if (edited)
      loop.update(command::EditProgram{"stream A\n"});
    else
      loop.update(command::LeaveLongKernels{});
    EXPECT_FALSE(loop.state.editing.refused);
    loop.update(command::RunLongKernels{});
    EXPECT_EQ(loop.started, 1);
  }
}

}  // namespace
}  // namespace streamscope::window

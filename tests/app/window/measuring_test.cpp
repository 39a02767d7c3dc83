// How a GPU is watched, and what the window makes known of the watching's cost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/window/state/observer_meter.h"
#include "app/window/state/run_requests.h"
#include "tests/support/state_loop.h"

namespace streamscope::window {
namespace {

using ::testing::HasSubstr;
using testing::StateLoop;

Measuring sampled() { return {.instrument = device::Instrument::sampled, .share = 8, .gate = true}; }

TEST(Measure, TheSwitchGoesIntoTheNextRunAndRunsAtOnce) {
  StateLoop loop;
  loop.up_with_gpu();
  loop.finish_measured();
  loop.update(command::SetMeasuring{sampled()});
  EXPECT_EQ(loop.started, 2);
  const measure::MeasureOptions& options = loop.request_sent.options;
  EXPECT_EQ(options.instrument, device::Instrument::sampled);
  EXPECT_EQ(options.share, 8u);
  EXPECT_TRUE(options.gate);
  EXPECT_EQ(options.runs, 8) << "so many sampled runs see each operation once";
  loop.update(command::SetMeasuring{sampled()});
  EXPECT_EQ(loop.started, 2) << "nothing changed";
}

TEST(Measure, WhatWouldTakeLongWithSoManyRunsDoesNotRunByItself) {
  StateLoop loop;
  loop.up_with_gpu();
  loop.finish_measured();
  loop.state.settings.quick_took = kQuickEnough / 4;
  loop.update(command::SetMeasuring{sampled()});  // eight runs
  EXPECT_EQ(loop.started, 1);
  loop.update(command::SetMeasuring{{}});
  EXPECT_EQ(loop.started, 2);
}

TEST(Measure, AModelIsAskedForNoneOfIt) {
  StateLoop loop;
  loop.up_with_gpu();
  loop.finish_measured();
  loop.update(command::SetMeasuring{sampled()});
  loop.finish_measured();
  loop.update(command::SetDevice{"model:h200"});
  EXPECT_EQ(loop.request_sent.options.instrument, device::Instrument::full);
  EXPECT_FALSE(loop.request_sent.options.gate);
  const int before = loop.started;
  loop.update(command::SetMeasuring{{.instrument = device::Instrument::cupti}});
  EXPECT_EQ(loop.started, before);
  loop.update(command::SetDevice{"cuda:0"});
  EXPECT_EQ(loop.request_sent.options.instrument, device::Instrument::cupti) << "the choice is kept for the GPU";
}

TEST(Measure, RunMakesEnoughRunsForFiguresOnAGpuAndOneOnAModel) {
  StateLoop loop;
  loop.up_with_gpu();
  EXPECT_EQ(loop.request_sent.options.runs, 5);
  EXPECT_TRUE(loop.request_sent.options.observer_effect);
  loop.finish_measured();
  loop.update(command::SetDevice{"model:h200"});
  loop.update(command::RunNow{});
  EXPECT_EQ(loop.request_sent.options.runs, 1);
  loop.update(command::SetRepeat{9});
  loop.update(command::RunNow{});
  EXPECT_EQ(loop.request_sent.options.runs, 9);
  loop.update(command::SetRepeat{0});
  EXPECT_EQ(runs_of_figures(loop.state.settings), 1);
}

// What operations take alone in a run that overlaps is no serial time: 2.65x was seen where Run found 1.95x.
TEST(Measure, AfterAChangeAModelSimulatesTheSerialTimeAsRunDoes) {
  StateLoop loop;
  loop.up_with_gpu();
  loop.finish_measured();
  loop.update(command::SetDevice{"model:h200"});
  EXPECT_EQ(loop.last.purpose, RunFor::picture);
  EXPECT_TRUE(loop.request_sent.options.serial);
  loop.finish();
  loop.update(command::SetDevice{"cuda:0"});
  EXPECT_EQ(loop.last.purpose, RunFor::picture);
  EXPECT_FALSE(loop.request_sent.options.serial) << "on a GPU the picture does not wait for it";
}

TEST(Measure, ARefusalStandsWhereErrorsStandAndNothingIsLost) {
  StateLoop loop;
  loop.up_with_gpu();
  loop.finish_measured();
  const auto before = loop.state.runs.shown;
  loop.update(command::SetMeasuring{{.gate = true}});
  loop.event(session::session_event::RunFailed{loop.last_id, {ErrorKind::bad_input, "the gate cannot hold this", {}}});
  EXPECT_EQ(loop.state.status.text, "the gate cannot hold this");
  EXPECT_TRUE(loop.state.status.error);
  EXPECT_EQ(loop.state.runs.shown, before);
  EXPECT_TRUE(loop.state.settings.measuring.gate) << "what was set stays set";
  EXPECT_FALSE(loop.state.editing.refused);
}

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

TEST(Observer, LiveModeLearnsTheEffectInThreeRunsAndThenCarriesABareOneInEight) {
  StateLoop loop;
  loop.up_with_gpu();
  loop.finish_measured();
  experiment::Experiment changed = loop.state.editing.experiment;
  changed.streams = 7;
  loop.update(command::SetExperiment{changed});
  loop.finish_measured();
  loop.update(command::ToggleLive{});
  std::string bare;
  for (int i = 0; i < 24; ++i) {
    bare += loop.request_sent.options.observer_effect ? '1' : '0';
    EXPECT_EQ(loop.request_sent.options.runs, 1);
    loop.finish_measured();
    loop.update(command::LiveDue{});
  }
  EXPECT_EQ(bare, "111000000010000000100000");
  const Meter known = meter(loop.state);
  ASSERT_TRUE(known.effect);
  EXPECT_NEAR(known.effect->median, 1.1, 1e-6);
  EXPECT_EQ(known.effect->pairs, 5);
}

TEST(Observer, OnlyTheNewestPairsCount) {
  StateLoop loop;
  loop.up_with_gpu();
  loop.finish_measured();
  Pairs pairs;
  trace::Run run;  // Test::Run hides the short name
  run.runs = 1;
  run.bare_wall = trace::Statistic{100, 100, 100};
  for (int i = 0; i < 100; ++i) {
    const Nanoseconds wall = i < 50 ? 200 : 110;
    run.wall = trace::Statistic{wall, wall, wall};
    note(pairs, 1, run);
  }
  EXPECT_EQ(effect(pairs, 1)->pairs, static_cast<int>(kPairsKept));
  EXPECT_DOUBLE_EQ(effect(pairs, 1)->high, 1.1);
  EXPECT_FALSE(effect(pairs, 2));
}

TEST(Observer, PairsOfAnotherSettingAreNotMixedIn) {
  remote::message::StartRun request;
  request.program = "a";
  const Subject first = subject_of(request);
  remote::message::StartRun other = request;
  other.program = "b";
  EXPECT_NE(subject_of(other), first);
  other = request;
  other.options.gate = true;
  EXPECT_NE(subject_of(other), first);
  other = request;
  other.options.share = 4;
  EXPECT_EQ(subject_of(other), first) << "the share is nothing to a full instrument";
  other.options.instrument = device::Instrument::sampled;
  const Subject sampled = subject_of(other);
  other.options.share = 8;
  EXPECT_NE(subject_of(other), sampled);
  other = request;
  other.options.runs = 9;
  EXPECT_EQ(subject_of(other), first);

  Pairs pairs;
  trace::Run run;  // Test::Run hides the short name
  run.runs = 1;
  run.wall = run.bare_wall = trace::Statistic{100, 100, 100};
  note(pairs, 1, run);
  note(pairs, 2, run);
  EXPECT_EQ(pairs.bare.size(), 1u);
}

TEST(Observer, AfterAChangeThePairsComeInARunThatIsNotShown) {
  StateLoop loop;
  loop.up_with_gpu();
  loop.finish_measured();
  experiment::Experiment changed = loop.state.editing.experiment;
  changed.streams = 7;
  loop.update(command::SetExperiment{changed});
  EXPECT_FALSE(loop.request_sent.options.observer_effect) << "its picture is to come soon";
  loop.finish_measured();
  EXPECT_FALSE(meter(loop.state).effect);
  ASSERT_TRUE(known(loop.state.running.pairs_due));
  const auto shown = loop.state.runs.shown;
  loop.update(command::PairsDue{});
  EXPECT_EQ(loop.last.purpose, RunFor::pairs);
  EXPECT_EQ(loop.request_sent.options.runs, kRunsForPairs);
  loop.finish_measured(1.25);
  EXPECT_EQ(loop.state.runs.shown, shown);
  EXPECT_EQ(loop.state.runs.all.size(), 2u);
  ASSERT_TRUE(meter(loop.state).effect);
  EXPECT_NEAR(meter(loop.state).effect->median, 1.25, 1e-6);
  EXPECT_FALSE(known(loop.state.running.pairs_due));
}

TEST(Observer, PairsOfSampledRunsAreOfTheSameShare) {
  StateLoop loop;
  loop.up_with_gpu();
  loop.finish_measured();
  loop.update(command::SetMeasuring{{.instrument = device::Instrument::sampled, .share = 32}});
  EXPECT_EQ(loop.request_sent.options.runs, 32);
  EXPECT_EQ(request(loop.state, RunFor::pairs).options.runs, 32) << "of fewer runs each would see more than 1 in 32";
  EXPECT_EQ(request(loop.state, RunFor::figures).options.runs, 160);
}

TEST(Observer, ARunForPairsMakesWayForAPersons) {
  StateLoop loop;
  loop.up_with_gpu();
  loop.finish_measured();
  experiment::Experiment changed = loop.state.editing.experiment;
  changed.streams = 7;
  loop.update(command::SetExperiment{changed});
  loop.finish_measured();
  loop.update(command::PairsDue{});
  const std::uint64_t pairs = loop.last_id;
  changed.streams = 8;
  loop.update(command::SetExperiment{changed});
  EXPECT_TRUE(loop.stopped);
  EXPECT_EQ(loop.last.purpose, RunFor::picture);
  loop.state.status.text.clear();
  loop.event(session::session_event::RunFailed{pairs, {ErrorKind::cancelled, "stopped", {}}});
  EXPECT_EQ(loop.state.status.text, "") << "nobody asked for that run";
  loop.finish_measured();
  EXPECT_EQ(loop.state.runs.shown->run->program, loop.state.editing.program);
}

TEST(Observer, NoPairsAreMadeOfAProgramThatIsNoLongerInView) {
  StateLoop loop;
  loop.up_with_gpu();
  loop.finish_measured();
  experiment::Experiment changed = loop.state.editing.experiment;
  changed.streams = 7;
  loop.update(command::SetExperiment{changed});
  loop.finish_measured();
  loop.update(command::EditProgram{"stream A\n"});
  loop.checked();
  const int before = loop.started;
  loop.update(command::PairsDue{});
  EXPECT_EQ(loop.started, before);
}

TEST(ObserverMeter, SaysWhyNothingIsKnown) {
  StateLoop loop;
  EXPECT_THAT(meter(loop.state).meaning, HasSubstr("no run yet"));
  loop.up();
  loop.finish();
  EXPECT_EQ(meter(loop.state).figure, "not known");
  EXPECT_EQ(meter(loop.state).level, Meter::Level::unknown);
  EXPECT_THAT(meter(loop.state).meaning, HasSubstr("model is not disturbed"));

  StateLoop gpu;
  gpu.up_with_gpu();
  gpu.update(command::SetRepeat{1});
  gpu.update(command::RunNow{});
  gpu.finish_measured();
  EXPECT_THAT(meter(gpu.state).meaning, HasSubstr("1 of 3"));
}

TEST(ObserverMeter, MarksWhatIsNotable) {
  for (const auto& [ratio, level, figure] : {std::tuple{1.013, Meter::Level::small, "1.013"},
                                             {1.1, Meter::Level::notable, "1.100"},
                                             {1.3, Meter::Level::large, "1.300"}}) {
    StateLoop loop;
    loop.up_with_gpu();
    loop.finish_measured(ratio);
    EXPECT_EQ(meter(loop.state).level, level);
    EXPECT_THAT(meter(loop.state).figure, HasSubstr(std::string(figure) + " ×"));
  }
}

}  // namespace
}  // namespace streamscope::window

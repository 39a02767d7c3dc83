// A lesson in the window's state: its runs are made aside, none is seen before it was predicted, and what is answered
// is held against them.
#include "tests/app/window/lesson_of_window.h"

namespace streamscope::window {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST_F(LessonOfWindow, AnotherProgramBeginsAtTheLinesThatItsStepSpeaksOf) {
  all_runs();
  lesson::Lesson lesson = *small_;
  const lesson::RunToMake& last = lesson.runs[1];
  lesson::Step plain = lesson.steps[0], lines = plain, again = plain, top = plain;
  plain.run = top.run = lesson.runs[0].name;
  lines.run = again.run = last.name;
  lines.lines = {lesson::parse_operation_name("@kernel", "lesson.toml:1:1").value()};
  lesson.steps = {plain, lines, again, top};
  update(command::LeaveLesson{});
  update(command::LineShown{});
  update(command::LessonOpened{std::make_shared<const lesson::Lesson>(lesson)});
  EXPECT_EQ(loop.state.workspace.show_line, 1u);
  update(command::LineShown{});
  go(1);
  EXPECT_EQ(loop.state.workspace.show_line, last.tags.at("kernel").front());
  EXPECT_GT(loop.state.workspace.show_line, 1u);
  update(command::LineShown{});
  go(1);
  EXPECT_EQ(loop.state.workspace.show_line, 0u) << "of the same program what is looked at stays";
  go(1);
  EXPECT_EQ(loop.state.workspace.show_line, 1u);
}

TEST_F(LessonOfWindow, AsksOnceToReadCodeThatLiesInItsFolder) {
  lesson::Lesson own = *small_;
  own.folder = "/lessons/own";
  own.runs[0].input.program = "stream A\nkernel k \"k.cu\" ()\nA: k\n";
  own.runs[1].input.program = "stream A\nkernel l \"l.cu\" ()\nA: l\n";
  loop.up_with_gpu();
  update(command::LessonOpened{std::make_shared<const lesson::Lesson>(own)});
  const Error refusal{.message = "k is code", .wants_own_code = true};
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(loop.request_sent.options.own.empty());
    loop.event(session::session_event::RunFailed{loop.last_id, refusal});
    loop.carry_out();
  }
  ASSERT_TRUE(loop.state.editing.refused);
  EXPECT_EQ(at().failed.size(), 2u);
  update(command::RunLongKernels{});
  ASSERT_TRUE(loop.own_code);
  EXPECT_EQ(loop.own_code->program, "/lessons/own/lesson.toml");
  EXPECT_THAT(loop.own_code->files, ::testing::UnorderedElementsAre("k.cu", "l.cu"));
  const int begun = loop.started;
  const std::vector<kernels::OwnSource> sources{{"k.cu", "__global__ void k() {}"}, {"l.cu", "__global__ void l() {}"}};
  update(command::OwnCodeRead{*loop.own_code, sources});
  EXPECT_EQ(loop.started, begun + 1);
  EXPECT_EQ(loop.last.purpose, RunFor::lesson);
  EXPECT_EQ(loop.request_sent.options.own, sources);
  EXPECT_THAT(at().failed, IsEmpty());
  // Another lesson has nothing of it.
  update(command::LessonOpened{std::make_shared<const lesson::Lesson>(own)});
  EXPECT_THAT(at().own_code, IsEmpty());
  EXPECT_THAT(loop.state.editing.own_code, IsEmpty());
  update(command::OwnCodeRead{{"/lessons/other/lesson.toml", 0, {"k.cu", "l.cu"}}, sources});
  EXPECT_THAT(at().own_code, IsEmpty()) << "it was read for another one";
}

TEST_F(LessonOfWindow, SaysWhyItTookSoLongWhenItAsksNoMore) {
  all_runs();
  const auto last_asks = [&] {
    for (std::size_t i = at().step; i < small_->steps.size(); ++i)
      if (asks(small_->steps[i]) && !at().answers.contains(small_->steps[i].name)) return false;
    return true;
  };
  bool once_hidden = false, once_told = false;
  for (std::size_t i = 0; i < small_->steps.size(); ++i) {
    EXPECT_NE(hides_verdict(at()), last_asks()) << step();
    if (hides_run(at())) update(command::GiveAnswer{lesson::answer::Skipped{}});
    (hides_verdict(at()) ? once_hidden : once_told) = true;
    go(1);
  }
  EXPECT_TRUE(once_hidden);
  EXPECT_TRUE(once_told);
  lesson::Lesson about_verdicts = *small_;
  about_verdicts.shows_verdict = true;
  update(command::LessonOpened{std::make_shared<const lesson::Lesson>(about_verdicts)});
  EXPECT_FALSE(hides_verdict(at()));
}

TEST_F(LessonOfWindow, SpeaksTheSystemsLanguageUntilAnotherIsChosen) {
  update(command::LessonsListed{{}, lesson::Language::ko});
  open();
  EXPECT_EQ(at().language, lesson::Language::ko);
  update(command::SpeakLesson{lesson::Language::zh});
  update(command::LeaveLesson{});
  update(command::LessonsListed{{}, lesson::Language::ko});
  open();
  EXPECT_EQ(at().language, lesson::Language::zh);
}

TEST_F(LessonOfWindow, MakesEachOfItsRunsOnceAndShowsNoneOfThemUnasked) {
  open();
  EXPECT_EQ(loop.last.purpose, RunFor::lesson);
  finish();
  finish();
  EXPECT_THAT(loop.programs, ElementsAre(small_->runs[0].input.program, small_->runs[1].input.program));
  EXPECT_EQ(at().runs.size(), 2u);
  EXPECT_THAT(loop.state.runs.all, IsEmpty()) << "the list would tell what is to be predicted";
  EXPECT_EQ(shown(), "nothing");
}

TEST_F(LessonOfWindow, WhatIsNoAnswerAnyMoreIsNotKept) {
  all_runs();
  go(1);
  ASSERT_EQ(step(), "guess");
  update(command::DraftAnswer{lesson::answer::Number{5}});
  EXPECT_TRUE(at().drafts.contains("guess"));
  update(command::DraftAnswer{lesson::answer::Skipped{}});
  EXPECT_FALSE(at().drafts.contains("guess"));
}

TEST_F(LessonOfWindow, HidesARunUntilItIsPredicted) {
  all_runs();
  go(1);
  ASSERT_EQ(step(), "guess");
  EXPECT_EQ(loop.state.editing.program, small_->runs[1].input.program);
  EXPECT_EQ(shown(), "nothing");
  const int before = loop.started;
  loop.update(command::RunNow{});
  loop.checked();
  EXPECT_EQ(loop.started, before) << "running it would show it";
  EXPECT_THAT(why_not_run(loop.state), HasSubstr("Answer the question first"));
  go(1);
  EXPECT_EQ(step(), "guess") << "not past the question";
  update(command::GiveAnswer{lesson::answer::Chosen{"same"}});
  EXPECT_EQ(shown(), "two");
  go(1);
  EXPECT_EQ(step(), "time");
  EXPECT_EQ(shown(), "nothing");
  go(-1);
  EXPECT_EQ(shown(), "two") << "it was answered";
}

TEST(RunOfALesson, IsCalledByWhatItsProgramSaysOfItself) {
  const auto about = [](RunFor purpose, const std::string& program) {
    auto run = std::make_shared<trace::Run>(streamscope::testing::pipeline_run({.streams = 2, .chunks = 2}));
    run->experiment.clear();
    run->program = program;
    return prepare({.id = 1, .number = 1, .started = {.label = "one", .purpose = purpose}, .run = std::move(run)})
        ->about;
  };
  EXPECT_THAT(about(RunFor::lesson, "# Copy in, copy out\nstream A\n"), StartsWith("Copy in, copy out"));
  EXPECT_THAT(about(RunFor::lesson, "stream A\n"), StartsWith("one"));
  EXPECT_THAT(about(RunFor::figures, "# Copy in, copy out\nstream A\n"), StartsWith("one")) << "a file's name";
}

TEST_F(LessonOfWindow, IsSkippedOnPurpose) {
  all_runs();
  go(1);
  update(command::GiveAnswer{lesson::answer::Skipped{}});
  EXPECT_EQ(shown(), "two");
  go(1);
  EXPECT_EQ(step(), "time");
}

TEST_F(LessonOfWindow, RevealsWhatMostSayOrWhatWasPutIn) {
  all_runs();
  go(1);
  const lesson::Step& asked = *step_at(at());
  update(command::CountVote{"same", 1});  // of a vote alone
  EXPECT_EQ(revealed(at(), asked), lesson::Answer(lesson::answer::Skipped{}));
  LessonState counted = at();
  counted.votes[asked.name] = {{"longer", 2}, {"same", 3}};
  EXPECT_EQ(revealed(counted, asked), lesson::Answer(lesson::answer::Chosen{"same"}));
  counted.votes[asked.name] = {{"same", 0}};
  EXPECT_EQ(revealed(counted, asked), lesson::Answer(lesson::answer::Skipped{}));
  counted.drafts[asked.name] = lesson::answer::Number{5};
  EXPECT_EQ(revealed(counted, asked), lesson::Answer(lesson::answer::Number{5}));
}

TEST_F(LessonOfWindow, WarningsDoNotGiveTheAnswerAway) {
  using Severity = program::Diagnostic::Severity;
  all_runs();
  const auto check = [&](Severity severity) {
    update(command::ProgramChecked{loop.state.editing.version, {{severity, 1, 1, "said"}}});
    return told_diagnostics(loop.state).size();
  };
  ASSERT_EQ(step(), "read");
  EXPECT_EQ(check(Severity::warning), 0u) << "its program is that of the next question";
  go(1);
  ASSERT_EQ(step(), "guess");
  EXPECT_EQ(check(Severity::warning), 0u);
  EXPECT_EQ(check(Severity::error), 1u) << "of what was typed";
  update(command::GiveAnswer{lesson::answer::Skipped{}});
  EXPECT_EQ(check(Severity::warning), 1u);
}

TEST_F(LessonOfWindow, SlowMotionEndsWithItsStep) {
  lesson::Lesson slow = *small_;
  slow.steps[1].slow_motion = true;
  slow.steps[1].show = {
      lesson::OperationName{.text = "@kernel", .place = {}, .tag = "kernel", .stream = {}, .what = {}}};
  slow.steps[2].run = slow.steps[1].run;
  slow.steps[2].kind = lesson::StepKind::check;
  loop.up();
  for (const bool leaves : {false, true}) {
    update(command::LessonOpened{std::make_shared<const lesson::Lesson>(slow)});
    finish();
    finish();
    go(1 - static_cast<int>(at().step));
    ASSERT_EQ(step(), "guess");
    update(command::GiveAnswer{lesson::answer::Skipped{}});
    ASSERT_TRUE(known(loop.state.slow_motion.playhead));
    EXPECT_TRUE(loop.state.slow_motion.playing);
    leaves ? update(command::LeaveLesson{}) : go(1);
    EXPECT_FALSE(known(loop.state.slow_motion.playhead)) << leaves;
    EXPECT_FALSE(loop.state.slow_motion.playing);
  }
}

TEST_F(LessonOfWindow, BeginsWithAProgramOfItsOwn) {
  loop.up();
  loop.update(command::EditProgram{"host: sync device\n"});
  loop.update(command::RunNow{});
  loop.checked();
  finish();
  ASSERT_NE(loop.state.runs.shown, nullptr);
  update(command::LessonOpened{small_});
  ASSERT_TRUE(step_at(at())->run.empty());
  EXPECT_EQ(loop.state.editing.program, run_named(*small_, small_->steps[1].run)->input.program);
  EXPECT_EQ(shown(), "nothing") << "what was run before has nothing to do with it";
  EXPECT_THAT(why_not_run(loop.state), HasSubstr("Predict first"));
  loop.update(command::SetDevice{"model:h100"});
  EXPECT_NE(loop.last.purpose, RunFor::picture) << "another device does not give the answer away either";
}

TEST_F(LessonOfWindow, ARunUnderWayDoesNotComeIntoView) {
  loop.up();
  loop.update(command::EditProgram{"host: sync device\n"});
  loop.update(command::RunNow{});
  loop.checked();
  loop.stopped = false;
  update(command::LessonOpened{small_});
  EXPECT_TRUE(loop.stopped);
  finish();
  EXPECT_EQ(shown(), "nothing");
  EXPECT_EQ(loop.last.purpose, RunFor::lesson) << "and the lesson's are made";
}

TEST_F(LessonOfWindow, AStepWithoutARunLeavesTheProgramThatThereIs) {
  lesson::Lesson table = *small_;
  table.steps[2].kind = lesson::StepKind::say;
  table.steps[2].run.clear();
  const auto lesson = std::make_shared<const lesson::Lesson>(table);
  loop.up();
  update(command::LessonOpened{lesson});
  finish();
  finish();
  go(1);
  update(command::GiveAnswer{lesson::answer::Skipped{}});
  loop.update(command::EditProgram{"host: sync device\n"});
  go(1);
  EXPECT_EQ(loop.state.editing.program, "host: sync device\n");
  go(1);
  ASSERT_EQ(loop.state.editing.program, run_named(table, table.steps[3].run)->input.program);
  go(-1);
  EXPECT_EQ(loop.state.editing.program, run_named(table, table.steps[1].run)->input.program) << "not the later step's";
  ASSERT_NE(loop.state.runs.shown, nullptr) << "nor nothing, as the later step, which is not answered";
  EXPECT_EQ(loop.state.runs.shown->run->program, loop.state.editing.program);
  update(command::LeaveLesson{});
  update(command::LessonOpened{lesson});
  ASSERT_TRUE(step_at(at())->run.empty());
  EXPECT_EQ(loop.state.editing.program, run_named(table, table.steps[1].run)->input.program);
  EXPECT_EQ(shown(), "nothing") << "it is made anew";
  finish();
  finish();
  ASSERT_NE(loop.state.runs.shown, nullptr);
  EXPECT_EQ(loop.state.runs.shown->run->program, loop.state.editing.program);
}

TEST_F(LessonOfWindow, AStepWithoutARunLeavesTheRunOfWhatWasChanged) {
  lesson::Lesson more = *small_;
  more.steps.push_back(more.steps.front());
  more.steps.back().name = "behind";
  loop.up();
  update(command::LessonOpened{std::make_shared<const lesson::Lesson>(more)});
  finish();
  finish();
  go_to_repair();
  update(command::ShowSolution{});
  loop.checked();
  finish();
  const auto solved = loop.state.runs.shown;
  ASSERT_TRUE(solved && solved->run->program == at().open->steps[at().step].solution->program);
  go(1);
  ASSERT_TRUE(step_at(at())->run.empty());
  EXPECT_EQ(loop.state.runs.shown, solved);
}

TEST_F(LessonOfWindow, AnotherRunGoesBeforeItsOwn) {
  open();
  loop.update(command::EditProgram{"host: sync device\n"});
  loop.update(command::RunNow{});
  loop.checked();
  EXPECT_EQ(loop.last.purpose, RunFor::figures);
  EXPECT_TRUE(loop.stopped) << "the lesson's";
  finish();
  EXPECT_EQ(loop.last.purpose, RunFor::lesson);
}

TEST_F(LessonOfWindow, AChangeIsHeldAgainstItsGoal) {
  all_runs();
  for (int i = 0; i < 6; ++i) {
    go(1);
    if (hides_run(at())) update(command::GiveAnswer{lesson::answer::Skipped{}});
  }
  ASSERT_EQ(step(), "repair");
  EXPECT_EQ(loop.state.workspace.dock, command::Dock::program);
  EXPECT_EQ(shown(), "one");
  update(command::ShowSolution{});
  loop.checked();
  loop.carry_out();
  EXPECT_EQ(loop.request_sent.program, step_at(at())->solution->program);
  finish();
  ASSERT_NE(at().changed.facts, nullptr);
  ASSERT_TRUE(at().answers.contains("repair"));
  const auto graded = lesson::grade(*step_at(at()), at().answers.at("repair"), facts(at()));
  ASSERT_TRUE(graded);
  EXPECT_EQ(graded->reply, "done");
  update(command::BackToProgram{});
  EXPECT_EQ(loop.state.editing.program, small_->runs[0].input.program);
  EXPECT_EQ(shown(), "one");
}

TEST_F(LessonOfWindow, CountsAClass) {
  all_runs();
  update(command::CountVote{"same", 1});
  EXPECT_THAT(at().votes, IsEmpty()) << "nothing is voted on here";
}

TEST_F(LessonOfWindow, IsLeftAndGoesOnWhereItWas) {
  all_runs();
  go(1);
  update(command::LeaveLesson{});
  EXPECT_EQ(at().open, nullptr);
  EXPECT_EQ(read_remembered(text_of(remembered(loop.state)))->lessons, at().reached);
  update(command::LessonOpened{small_});
  EXPECT_EQ(step(), "guess");
}

TEST_F(LessonOfWindow, LeavingGivesBackWhatWasSetAndSeenBefore) {
  loop.up();
  loop.finish();
  const std::string program = loop.state.editing.program;
  const std::uint64_t run = loop.state.runs.shown->number;
  update(command::LessonOpened{small_});
  finish();
  finish();
  go(1);
  update(command::GiveAnswer{lesson::answer::Skipped{}});
  ASSERT_NE(loop.state.editing.program, program);
  ASSERT_EQ(shown(), "two");
  update(command::SetDevice{"model:h100"});
  update(command::LeaveLesson{});
  EXPECT_EQ(loop.state.editing.program, program);
  EXPECT_FALSE(loop.state.editing.own_program);
  ASSERT_NE(loop.state.runs.shown, nullptr);
  EXPECT_EQ(loop.state.runs.shown->number, run);
  EXPECT_EQ(loop.state.settings.device, "model:h100") << "that was chosen meanwhile";
}

TEST_F(LessonOfWindow, WhatWasAnsweredIsThereWhenItIsOpenedAgain) {
  all_runs();
  go(1);
  update(command::GiveAnswer{lesson::answer::Chosen{"same"}});
  go(1);
  update(command::DraftAnswer{lesson::answer::Number{5}});
  update(command::LeaveLesson{});
  update(command::LessonOpened{small_});
  finish();
  finish();
  EXPECT_EQ(step(), "time");
  EXPECT_TRUE(at().drafts.contains("time"));
  go(-1);
  EXPECT_EQ(step(), "guess");
  ASSERT_NE(answer_to(at(), *step_at(at())), nullptr);
  EXPECT_EQ(*answer_to(at(), *step_at(at())), lesson::Answer(lesson::answer::Chosen{"same"}));
  EXPECT_EQ(shown(), "two");
}

TEST_F(LessonOfWindow, ARunThatCannotBeMadeIsNotAskedForAgain) {
  open();
  loop.event(session::session_event::RunFailed{loop.last_id, {ErrorKind::bad_input, "too large"}});
  loop.carry_out();
  EXPECT_EQ(at().failed.at("one"), "too large");
  finish();
  EXPECT_EQ(loop.started, 2);
}

}  // namespace
}  // namespace streamscope::window

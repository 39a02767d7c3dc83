// A small lesson in the window's state, with its runs made on the model.
#pragma once

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <utility>

#include "app/window/panels/actions.h"
#include "app/window/panels/timeline_panel.h"
#include "app/window/state/lesson_steps.h"
#include "tests/engine/lesson/lesson_case.h"
#include "tests/support/state_loop.h"
#include "tests/support/timeline_run.h"

namespace streamscope::window {

class LessonOfWindow : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const lesson::Folder folder(lesson::small_lesson());
    auto read = lesson::read_lesson(folder.path());
    ASSERT_TRUE(read) << read.error().message;
    small_ = std::make_shared<const lesson::Lesson>(std::move(*read));
    make_ = lesson::on_model();
  }
  static void TearDownTestSuite() { small_.reset(), make_ = nullptr; }

  LessonOfWindow() { update(command::OpenLesson{"folder"}); }
  template <class C>
  void update(C change) {
    loop.update(std::move(change));
    loop.carry_out();
  }
  void open() {
    loop.up();
    update(command::LessonOpened{small_});
  }
  // What was asked for comes back from the model.
  void finish() {
    const auto input = experiment::read_input({"p.streams", "p.streams", loop.request_sent.program}, {});
    ASSERT_TRUE(input);
    auto run = make_(*input, false);
    ASSERT_TRUE(run);
    loop.event(session::session_event::RunDone{loop.last_id, std::make_shared<trace::Run>(std::move(*run))});
    loop.carry_out();
    loop.carry_out();
  }
  void all_runs() {
    open();
    finish();
    finish();
  }
  void press(KeyPress key, Reach reach = Reach::panels) {
    Commands all;
    TimelinePanel timeline;
    const Look look;
    act_on(key, reach, Panel{loop.state, look, all}, timeline);
    for (Command& each : all) update(std::move(each));
  }
  void go(int steps) { update(command::StepLesson{steps}); }
  // To the step whose program is changed, without answers.
  void go_to_repair() {
    while (step() != "repair") {
      if (hides_run(at())) update(command::GiveAnswer{lesson::answer::Skipped{}});
      go(1);
    }
  }
  const LessonState& at() const { return loop.state.lesson; }
  std::string step() const { return step_at(at())->name; }
  std::string shown() const { return loop.state.runs.shown ? loop.state.runs.shown->name : std::string("nothing"); }

  static inline std::shared_ptr<const lesson::Lesson> small_;
  static inline lesson::MakeRun make_;
  testing::StateLoop loop;
};

}  // namespace streamscope::window

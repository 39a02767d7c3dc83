// A lesson by its keys and a clicker, and the device that it runs on.
#include <GLFW/glfw3.h>

#include "tests/app/window/lesson_of_window.h"

namespace streamscope::window {
namespace {

using ::testing::HasSubstr;

TEST_F(LessonOfWindow, IsLedByKeysAndAClicker) {
  const KeyPress next{.key = GLFW_KEY_PAGE_DOWN}, back{.key = GLFW_KEY_PAGE_UP}, reveal{.character = U'h'};
  all_runs();
  EXPECT_EQ(step(), "read");
  press(next, Reach::anywhere);
  EXPECT_EQ(step(), "read") << "somebody types";
  press(next);
  EXPECT_EQ(step(), "guess");
  press(next);
  EXPECT_EQ(step(), "guess") << "a question is not passed by accident";
  EXPECT_TRUE(hides_run(at()));
  EXPECT_THAT(loop.state.status.text, HasSubstr("reveal"));
  press(reveal);
  EXPECT_EQ(at().answers.at("guess"), lesson::Answer(lesson::answer::Skipped{}));
  press(back);
  EXPECT_EQ(step(), "read");
  // To a class: each press of a clicker goes on.
  update(command::Present{true});
  press(next);
  press(next);
  const std::string second = step();
  EXPECT_NE(second, "guess") << "which was revealed before";
  while (!hides_run(at()) && at().step + 1 < at().open->steps.size()) press(next);
  ASSERT_TRUE(hides_run(at()));
  const std::string question = step();
  press(next);
  EXPECT_EQ(step(), question);
  EXPECT_FALSE(hides_run(at()));
  press(next);
  EXPECT_NE(step(), question);
}

TEST_F(LessonOfWindow, WithoutOneItsLetterSaysWhereLessonsAreAndPagingSaysNothing) {
  press({.key = GLFW_KEY_PAGE_DOWN});
  press({.key = GLFW_KEY_PAGE_UP});
  EXPECT_EQ(loop.state.status.text, "") << "somebody pages in a table";
  press({.character = U'h'});
  EXPECT_THAT(loop.state.status.text, HasSubstr("gallery"));
}

TEST_F(LessonOfWindow, ADeviceThatItWasOpenedOnIsItsAlone) {
  const auto device = [&] { return loop.state.settings.device; };
  for (const bool other : {false, true}) {
    ASSERT_EQ(device(), "auto");
    update(command::OpenLesson{"folder", "model:one-copy-engine"});
    EXPECT_EQ(device(), "model:one-copy-engine");
    update(command::LessonOpened{small_});
    update(command::LessonOpened{small_});
    EXPECT_EQ(device(), "model:one-copy-engine") << "another lesson";
    if (other) update(command::SetDevice{"model:h200"});
    update(command::LeaveLesson{});
    EXPECT_EQ(device(), other ? "model:h200" : "auto") << "which a person set meanwhile stays";
  }
}

TEST_F(LessonOfWindow, RunsOnAsManyGpusAsItNeeds) {
  lesson::Lesson two = *small_;
  two.needs.gpus = 2;
  const auto lesson = std::make_shared<const lesson::Lesson>(two);
  for (const int there : {1, 2}) {
    device::DeviceInfo gpu = testing::a_gpu();
    gpu.predicted_by = "model:h200";
    gpu.devices = there;
    loop.event(session::session_event::EngineUp{"streamscope 0.1.0", {{gpu, testing::a_model()}, {}}});
    loop.state.settings.measuring.instrument = device::Instrument::sampled;
    update(command::LessonOpened{lesson});
    const std::string wanted = there == 1 ? "model:h200x2" : "auto";
    EXPECT_EQ(loop.request_sent.device, wanted);
    EXPECT_EQ(lesson_place(at(), loop.state.settings).why.empty(), there == 2);
    finish();
    finish();
    go_to_repair();
    update(command::ShowSolution{});
    loop.checked();
    loop.carry_out();
    EXPECT_EQ(loop.request_sent.device, wanted) << "what the learner changes, too";
    EXPECT_EQ(loop.request_sent.options.instrument,
              there == 1 ? device::Instrument::full : device::Instrument::sampled);
    finish();
    update(command::LeaveLesson{});
    loop.update(command::RunNow{});
    loop.checked();
    EXPECT_EQ(loop.request_sent.device, "auto");
    finish();
  }
}

}  // namespace
}  // namespace streamscope::window

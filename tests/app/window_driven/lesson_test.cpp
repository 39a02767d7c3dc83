// A lesson in the real window: what is asked about is hidden until it is answered, and a goal is reached by typing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/window_driven/window_fixture.h"

namespace streamscope::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class LessonWindow : public AnyWindow {
 protected:
  void SetUp() override {
    AnyWindow::SetUp();
    if (IsSkipped()) return;
    window.emplace(std::vector<std::string>{"lesson", STREAMSCOPE_SOURCE "/tests/support/small_lesson"});
    ASSERT_TRUE(window->wait_for("lesson small_lesson step 0")) << window->all_lines();
  }
  void next(int step) {
    ASSERT_TRUE(window->click("Lesson/Next"));
    ASSERT_TRUE(window->wait_for("lesson small_lesson step " + std::to_string(step)));
  }
};

TEST_F(LessonWindow, ShowsARunOnceItIsPredicted) {
  next(1);
  EXPECT_THAT(window->all_lines(), Not(HasSubstr(" done: ")));
  ASSERT_TRUE(window->click("Lesson/*shorter/*choice"));
  ASSERT_TRUE(window->wait_for("two")) << "its run";
  const auto plot = window->place("Timeline/plot");
  ASSERT_TRUE(plot);
  EXPECT_TRUE(shows(kH2d, 100, *plot));
  EXPECT_TRUE(shows(kKernel, 100, *plot));
}

// With the mouse only: no Enter between the number and Answer.
TEST_F(LessonWindow, ANumberAnOrderAndABarAreGivenByHand) {
  next(1);
  ASSERT_TRUE(window->click("Lesson/*Skip the question"));
  next(2);
  ASSERT_TRUE(window->click("Lesson/*number"));
  ASSERT_TRUE(window->press("ctrl+a"));
  ASSERT_TRUE(window->type("320"));
  ASSERT_TRUE(window->click("Lesson/*Answer"));
  next(3);
  ASSERT_TRUE(window->click("Lesson/*down"));
  ASSERT_TRUE(window->click("Lesson/*Answer"));
  next(4);
  const auto bar = window->place("Lesson/*bar");
  ASSERT_TRUE(bar);
  const int y = bar->y + bar->height / 2;
  ASSERT_TRUE(window->drag(bar->x + 5, y, bar->x + bar->width / 2, y));
  ASSERT_TRUE(window->click("Lesson/*Answer"));
  next(5);
}

TEST_F(LessonWindow, AGoalIsReachedByChangingTheProgram) {
  for (int step = 1; step <= 6; ++step) {
    next(step);
    if (step < 5) {
      ASSERT_TRUE(window->click("Lesson/*Skip the question"));
    }
  }
  window->forget();
  ASSERT_TRUE(window->click("Lesson/*Show me"));
  ASSERT_TRUE(window->wait_for(" done: "));
  ASSERT_TRUE(window->click("Lesson/Save the answers"));
  EXPECT_TRUE(window->wait_for("said: Wrote small_lesson-answers.json"));
}

}  // namespace
}  // namespace streamscope::tests

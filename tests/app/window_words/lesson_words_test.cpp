// The lessons in the window: each step as it asks, as it is answered, with its hint and done.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <imgui.h>
// Dear ImGui before its inner parts.
#include <imgui_internal.h>

#include <algorithm>
#include <filesystem>

#include "app/window/state/lesson.h"
#include "engine/lesson/lesson.h"
#include "tests/app/window_words/spoken_window.h"

namespace streamscope::window {
namespace {

using ::testing::Contains;
using ::testing::Not;

class LessonWords : public SpokenWindow {
 protected:
  const LessonState& lesson() const { return window_->state().lesson; }
  void open(const std::filesystem::path& folder, lesson::Language language) {
    window_->open_lesson(folder, language);
    ASSERT_TRUE(until([&](const State& state) {
      const LessonState& at = state.lesson;
      return at.open && at.open->name == folder.filename() && at.runs.size() + at.failed.size() == at.open->runs.size();
    })) << folder;
  }
  void next() { click(fmt::format("Lesson/{}", tr("Next"))); }
  void skip() { click_in_step(tr("Skip the question")); }
  void click_in_step(const std::string& widget) { click(fmt::format("Lesson/step {}/{}", lesson().step, widget)); }
};

TEST_P(LessonWords, OfAllSteps) {
  const auto language = static_cast<lesson::Language>(std::string_view("enzhko").find(GetParam()) / 2);
  for (const std::filesystem::path& folder : lesson::shipped_lessons()) {
    open(folder, language);
    for (std::size_t i = 0; i < lesson().open->steps.size(); ++i) {
      const lesson::Step& step = lesson().open->steps[i];
      ASSERT_EQ(lesson().step, i);
      const std::string what = fmt::format("{} {}", lesson().open->name, step.name);
      look(what);
      if (hides_run(lesson())) {
        if (step.kind == lesson::StepKind::vote || step.ask != lesson::Ask::choice)
          skip();
        else
          click_in_step(fmt::format("{}/choice", step.choices.front().name));
        ASSERT_FALSE(hides_run(lesson())) << what;
        look(what + ", answered");
      }
      if (step.kind == lesson::StepKind::change) {
        click_in_step(tr("Hint"));
        look(what + ", hint");
        click_in_step(tr("Show me"));
        ASSERT_TRUE(until([](const State& state) { return state.lesson.changed.facts != nullptr; })) << what;
        look(what + ", done");
      }
      if (i + 1 < lesson().open->steps.size()) next();
    }
  }
}

class SkippedQuestion : public LessonWords {};

TEST_P(SkippedQuestion, IsExplainedAllTheSame) {
  open(lesson::find_lesson("two-gpus").value(), lesson::Language::en);
  while (lesson().open->steps[lesson().step].name != "copies") {
    if (hides_run(lesson())) skip();
    next();
  }
  testing::take_drawn_texts();
  frames();
  EXPECT_THAT(testing::take_drawn_texts(), Not(Contains("decides")));
  skip();
  EXPECT_THAT(testing::take_drawn_texts(), Contains("decides"));
}

INSTANTIATE_TEST_SUITE_P(In, SkippedQuestion, ::testing::Values("en"), language_of);
INSTANTIATE_TEST_SUITE_P(In, LessonWords, ::testing::Values("en", "zh", "ko"), language_of);

}  // namespace
}  // namespace streamscope::window

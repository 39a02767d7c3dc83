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

using ::testing::HasSubstr;
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

// The program's lines and its messages, whole; and no more room for these than they take.
void expect_whole_lines(const std::string& what) {
  for (const testing::MisplacedText& each : testing::cut_lines({"editor", "messages"}))
    ADD_FAILURE() << what << ": " << each.text << "\n  in " << each.window << ": only " << each.how;
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    if (!window->Active || std::string_view(window->Name).find("/messages_") == std::string_view::npos) continue;
    if (window->ScrollbarY) continue;
    EXPECT_LT(window->InnerRect.GetHeight(), window->ContentSize.y + ImGui::GetTextLineHeight()) << what;
  }
}

TEST_P(LessonWords, OfAllSteps) {
  const auto language = static_cast<lesson::Language>(std::string_view("enzhko").find(GetParam()) / 2);
  for (const std::filesystem::path& folder : lesson::shipped_lessons()) {
    open(folder, language);
    for (std::size_t i = 0; i < lesson().open->steps.size(); ++i) {
      const lesson::Step& step = lesson().open->steps[i];
      ASSERT_EQ(lesson().step, i);
      const std::string what = fmt::format("{} {}", lesson().open->name, step.name);
      frames();
      expect_whole_lines(what);
      look(what);
      if (hides_run(lesson())) {
        if (step.kind == lesson::StepKind::vote || step.ask != lesson::Ask::choice)
          skip();
        else
          click_in_step(fmt::format("{}/choice", step.choices.front().name));
        ASSERT_FALSE(hides_run(lesson())) << what;
        frames();
        expect_whole_lines(what);
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

class EnglishLesson : public LessonWords {
 protected:
  void go_to(const std::string& name, const std::string& step) {
    open(lesson::find_lesson(name).value(), lesson::Language::en);
    while (lesson().open->steps[lesson().step].name != step) {
      if (hides_run(lesson())) skip();
      next();
    }
  }
  std::string drawn() {
    testing::take_drawn_texts();
    frames();
    std::string all;
    for (const std::string& text : testing::take_drawn_texts()) all += text + " ";
    std::ranges::replace(all, '\n', ' ');
    return all;
  }
};

TEST_P(EnglishLesson, ExplainsASkippedQuestionToo) {
  go_to("two-gpus", "copies");
  EXPECT_THAT(drawn(), Not(HasSubstr("decides")));
  skip();
  EXPECT_THAT(drawn(), HasSubstr("decides"));
}

TEST_P(EnglishLesson, SaysWhyAGoalCannotBeKnown) {
  go_to("double-buffering", "slow");
  EXPECT_THAT(drawn(), Not(HasSubstr("no comment that ends with @kernel")));
  const auto editor = place("Program/editor");
  ASSERT_TRUE(editor);
  point(editor->x + editor->width * 0.9f, editor->y + 65);  // in its fifth line, behind "# @kernel"
  click_here();
  type("s");
  press({.key = GLFW_KEY_ENTER, .control = true});
  ASSERT_TRUE(until([](const State& state) { return state.lesson.changed.facts != nullptr; }));
  EXPECT_THAT(drawn(), HasSubstr("no comment that ends with @kernel"));
}

TEST_P(EnglishLesson, SaysToTheMouseWhatWasMeasuredOfEachQuantityOfARelation) {
  go_to("pinned-or-pageable", "why");
  const auto& relation = step_at(lesson())->relations.front();
  ASSERT_THAT(drawn(), Not(HasSubstr(relation.written)));
  std::string all;
  for (float y = 80; all.find(relation.written) == all.npos && y < height(); y += 10) {
    point(120, y);
    all = drawn();
  }
  const lesson::Runs runs = facts(lesson());
  lesson::each_quantity(relation, [&](const lesson::Expression& one) {
    const auto value = lesson::evaluate(one, lesson::Scope{runs});
    ASSERT_TRUE(value);
    EXPECT_THAT(all, HasSubstr(fmt::format("{}: {}", lesson::in_words(one), lesson::display(*value, one.type))));
  });
}

INSTANTIATE_TEST_SUITE_P(In, EnglishLesson, ::testing::Values("en"), language_of);
// What a sanitizer looks at is the same in each.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
INSTANTIATE_TEST_SUITE_P(In, LessonWords, ::testing::Values("ko"), language_of);
#else
INSTANTIATE_TEST_SUITE_P(In, LessonWords, ::testing::Values("en", "zh", "ko"), language_of);
#endif

}  // namespace
}  // namespace streamscope::window

// The file of answers: whole there and back, graded by the runs in it, and what is wrong in one.
#include "engine/lesson/answers.h"

#include "tests/engine/lesson/lesson_case.h"

namespace streamscope::lesson {
namespace {

using ::testing::HasSubstr;
using Mark = Grade::Mark;

class AnswerFiles : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const Folder folder(small_lesson());
    lesson_ = read_lesson(folder.path());
    ASSERT_TRUE(lesson_) << lesson_.error().message;
    runs_ = *make_runs(*lesson_, on_model());
  }
  static void TearDownTestSuite() { runs_.clear(); }

  static Answers all_right() {
    Answers answers{lesson_->name, "model:h200", runs_, {}};
    for (const Step& step : lesson_->steps)
      if (asks(step)) answers.given.emplace_back(step.name, *right_answer(step, runs_));
    answers.given.emplace_back("repair", answer::Changed{runs_.at("two")->run.program, runs_.at("two")});
    return answers;
  }
  static Result<Answers> read(const std::string& text) { return read_answers(*lesson_, text, "a.json"); }
  static std::string with(const std::string& old, const std::string& now) {
    std::string text = to_json(*lesson_, all_right());
    const std::size_t at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    return at == std::string::npos ? text : text.replace(at, old.size(), now);
  }
  static std::vector<Mark> marks(const Answers& answers) {
    std::vector<Mark> out;
    const auto graded = grade_all(*lesson_, answers);
    EXPECT_TRUE(graded) << graded.error().message;
    for (const Graded& each : *graded) out.push_back(each.grade.mark);
    return out;
  }
  static inline Result<Lesson> lesson_ = Lesson{};
  static inline Runs runs_;
};

TEST_F(AnswerFiles, AreGradedByTheRunsInThem) {
  const auto back = read(to_json(*lesson_, all_right()));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->device, "model:h200");
  EXPECT_EQ(back->given.size(), 5u);
  EXPECT_EQ(marks(*back), std::vector<Mark>(5, Mark::right));
  EXPECT_EQ(back->runs.at("one")->run.trace.spans, runs_.at("one")->run.trace.spans);
}

TEST_F(AnswerFiles, WhatIsNotAnsweredIsSkipped) {
  const auto back = read(blank_sheet(*lesson_, "model:h200", runs_));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(marks(*back), std::vector<Mark>(5, Mark::skipped));
}

TEST_F(AnswerFiles, OneAnswerThatIsWrongIsWrong) {
  const auto back = read(with("\"choice\": \"shorter\"", "\"choice\": \"same\""));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(marks(*back), (std::vector<Mark>{Mark::wrong, Mark::right, Mark::right, Mark::right, Mark::right}));
}

TEST_F(AnswerFiles, AUnitOfTheSameSortIsTaken) {
  const auto back = read(with("\"unit\": \"us\"", "\"unit\": \"ms\""));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(marks(*back)[1], Mark::wrong);  // a thousand times too long
}

TEST_F(AnswerFiles, SayWhatIsWrongInThemAndWhere) {
  for (const auto& [old, now, said] : std::vector<std::tuple<std::string, std::string, std::string>>{
           {"\"schema\": 1", "\"schema\": 2", "a.json:2:"},
           {"\"lesson\": \"", "\"lesson\": \"99-", "these are answers to the lesson '99-"},
           {"\"step\": \"guess\"", "\"step\": \"guss\"", "a.json:6:3: error: the lesson asks nothing in a step 'guss'"},
           {"\"step\": \"guess\"", "\"step\": \"read\"", "the lesson asks nothing in a step 'read'"},
           {"\"unit\": \"us\"", "\"unit\": \"MiB\"", "the unit 'MiB' is not one of this answer: it is in us"},
           {"\"choice\": \"shorter\"", "\"choice\": \"longest\"",
            "a.json:6:3: error: the step 'guess' has no choice 'longest'"},
           {"\"choice\": \"shorter\"", "\"order\": []", "a.json:6:3: error: this is no answer to the step 'guess'"},
           {"\"order\": [", "\"order\": [\"third\", ", "has no item 'third'"},
           {"\"order\": [", "\"order\": [\"copy\", ", "items are to be put in order, each once"},
           {"\"one\": {", "\"three\": {", "the lesson has no run 'three'"},
           // Other programs give other answers.
           {"A: spin 300us  # @kernel\\nhost: sync device\\n\",", "A: spin 400us  # @kernel\\nhost: sync device\\n\",",
            "this run is of another program than the one that was to be run"},
           {"\"runs\": {", "\"rans\": {", "the run 'one' is missing in it"},
           {"\"answers\": [", "\"answers\": ", "a.json:"}}) {
    const auto back = read(with(old, now));
    ASSERT_FALSE(back) << said;
    EXPECT_THAT(back.error().message, HasSubstr(said));
  }
}

}  // namespace
}  // namespace streamscope::lesson

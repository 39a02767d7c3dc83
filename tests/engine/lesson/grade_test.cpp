// Answers against runs; and a lesson tried on a device.
#include "engine/lesson/grade.h"

#include "tests/engine/lesson/lesson_case.h"

namespace streamscope::lesson {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Mark = Grade::Mark;

class Graded : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const Folder folder(small_lesson());
    lesson_ = read_lesson(folder.path());
    ASSERT_TRUE(lesson_) << lesson_.error().message;
    make_ = on_model();
    const auto runs = make_runs(*lesson_, make_);
    ASSERT_TRUE(runs) << runs.error().message;
    runs_ = *runs;
  }
  static void TearDownTestSuite() { runs_.clear(), make_ = nullptr; }

  static std::string reply(std::string_view step, const Answer& given) {
    const auto graded = grade(*step_named(*lesson_, step), given, runs_);
    if (!graded) return graded.error().message;
    EXPECT_EQ(graded->mark == Mark::right, graded->reply == "right" || graded->reply == "done") << graded->reply;
    return graded->reply;
  }
  static Answer right(std::string_view step) { return *right_answer(*step_named(*lesson_, step), runs_); }
  static inline Result<Lesson> lesson_ = Lesson{};
  static inline MakeRun make_;
  static inline Runs runs_;
};

TEST_F(Graded, AChoiceIsWhatTheRunSays) {
  EXPECT_EQ(right("guess"), Answer(answer::Chosen{"shorter"}));
  EXPECT_EQ(reply("guess", answer::Chosen{"shorter"}), "right");
  EXPECT_EQ(reply("guess", answer::Chosen{"same"}), "same");
  EXPECT_THAT(reply("guess", answer::Chosen{"other"}), HasSubstr("has no choice 'other'"));
}

TEST_F(Graded, ANumberHasItsTolerance) {
  const double at = std::get<answer::Number>(right("time")).value;
  EXPECT_GT(at, 200'000);
  EXPECT_EQ(reply("time", answer::Number{at * 1.19}), "right");
  EXPECT_EQ(reply("time", answer::Number{at * 0.81}), "right");
  EXPECT_EQ(reply("time", answer::Number{at * 1.21}), "too-high");
  EXPECT_EQ(reply("time", answer::Number{at * 0.79}), "too-low");
  EXPECT_EQ(reply("time", answer::Number{10}), "at-once");
}

TEST_F(Graded, AnOrderIsNotAskedForInTheRightOneNorAsTheFileHasIt) {
  const Step& step = *step_named(*lesson_, "turns");
  const std::vector<std::string> first = first_order(*lesson_, step, runs_);
  EXPECT_EQ(reply("turns", answer::Ordered{first}), "wrong");
  EXPECT_EQ(first_order(*lesson_, step, runs_), first) << "the same each time";
  // Whatever the step is called, and whichever order the file has: also without runs it is not as written.
  Step other = step;
  for (int i = 0; i < 50; ++i) {
    other.name = "step " + std::to_string(i);
    std::ranges::reverse(other.items);
    const auto shown = first_order(*lesson_, other, runs_);
    EXPECT_EQ(grade(step, answer::Ordered{shown}, runs_)->mark, Mark::wrong) << i;
    EXPECT_NE(first_order(*lesson_, other, {}).front(), other.items.front().name) << i;
  }
}

TEST_F(Graded, AnOrderIsThatOfTheKeys) {
  EXPECT_EQ(right("turns"), Answer(answer::Ordered{{"copy", "kernel"}}));
  EXPECT_EQ(reply("turns", answer::Ordered{{"copy", "kernel"}}), "right");
  EXPECT_EQ(reply("turns", answer::Ordered{{"kernel", "copy"}}), "wrong");
  EXPECT_THAT(reply("turns", answer::Ordered{{"copy"}}), HasSubstr("all 2 items are to be put in order"));
  EXPECT_THAT(reply("turns", answer::Ordered{{"copy", "copy"}}), HasSubstr("each once"));
}

TEST_F(Graded, ABarIsRightWithinAShareOfTheMakespan) {
  const Nanoseconds at = std::get<answer::Start>(right("drag")).at;
  const auto tenth = static_cast<Nanoseconds>(0.1 * static_cast<double>(runs_.at("one")->analysis.makespan));
  EXPECT_EQ(reply("drag", answer::Start{at + tenth - 10}), "right");
  EXPECT_EQ(reply("drag", answer::Start{at + tenth + 10}), "wrong");
  EXPECT_EQ(reply("drag", answer::Start{at - tenth - 10}), "wrong");
}

TEST_F(Graded, AChangeIsItsRun) {
  EXPECT_EQ(reply("repair", answer::Changed{"", runs_.at("two")}), "done");
  EXPECT_EQ(reply("repair", answer::Changed{"", runs_.at("one")}), "hint");
  EXPECT_EQ(reply("repair", answer::Changed{""}), "hint");
}

TEST_F(Graded, SkippingIsNeitherRightNorWrong) {
  const auto graded = grade(*step_named(*lesson_, "guess"), answer::Skipped{}, runs_);
  ASSERT_TRUE(graded);
  EXPECT_EQ(graded->mark, Mark::skipped);
}

TEST_F(Graded, AnAnswerOfAnotherSortIsNone) {
  EXPECT_THAT(reply("guess", answer::Number{1}), HasSubstr("this is no answer to the step 'guess'"));
  EXPECT_THAT(reply("sum", answer::Chosen{"a"}), HasSubstr("this is no answer"));
}

TEST_F(Graded, ATrueLessonIsFoundTrue) {
  const auto trial = try_out(*lesson_, runs_, make_);
  ASSERT_TRUE(trial) << trial.error().message;
  EXPECT_THAT(trial->untrue, IsEmpty());
  EXPECT_THAT(trial->found, Contains("guess: right is shorter"));
}

std::vector<std::string> untrue(const std::string& old, const std::string& now) {
  auto files = small_lesson();
  std::string& text = files["lesson.toml"];
  text.replace(text.find(old), old.size(), now);
  const Folder folder(files);
  const auto lesson = read_lesson(folder.path());
  EXPECT_TRUE(lesson) << lesson.error().message;
  const MakeRun make = on_model();
  const auto runs = make_runs(*lesson, make);
  const auto trial = try_out(*lesson, *runs, make);
  EXPECT_TRUE(trial) << trial.error().message;
  return trial->untrue;
}

TEST(LessonTrial, ReportsWhatIsNotTrue) {
  EXPECT_THAT(untrue("end(@copy) <= start(@kernel)\"]", "end(@copy) > start(@kernel)\"]"),
              ElementsAre(AllOf(HasSubstr("lesson.toml:43:11"), HasSubstr("it does not hold"))));
  EXPECT_THAT(untrue("when = \"else\"", "when = \"makespan > 1us\""),
              ElementsAre(HasSubstr("both 'shorter' and 'same' are right of this run")));
  EXPECT_THAT(untrue("when = \"else\"", "when = \"makespan < 1us and makespan(one) > 0\""), IsEmpty());
  EXPECT_THAT(untrue("< 0.8 * makespan(one)\", \"hazards", "< 1.1 * makespan(one)\", \"hazards"),
              ElementsAre(HasSubstr("the program reaches the goal as it is")));
  EXPECT_THAT(untrue("< 0.8 * makespan(one)\", \"hazards", "< 0.1 * makespan(one)\", \"hazards"),
              ElementsAre(HasSubstr("it does not hold")));
}

TEST(LessonTrial, SaysARelationWithoutSidesInItsWords) {
  EXPECT_THAT(untrue("end(@copy) <= start(@kernel)\"]", "not (end(@copy) <= start(@kernel))\"]"),
              ElementsAre(HasSubstr("it does not hold: not (end(@copy) <= start(@kernel))")));
}

device::DeviceInfo a_model(const std::string& id, int devices = 1) {
  device::DeviceInfo model;
  model.id = model.predicted_by = id, model.compute_capability = "9.0", model.devices = devices;
  return model;
}
device::DeviceInfo a_gpu(int devices) {
  device::DeviceInfo gpu;
  gpu.kind = trace::Provenance::Kind::measured, gpu.id = "cuda:0", gpu.compute_capability = "7.5";
  gpu.predicted_by = "model:h100", gpu.devices = devices;
  return gpu;
}

TEST(LessonPlace, IsTheDeviceAtHandWhereThatDoes) {
  for (const auto& [needs, at_hand] :
       std::vector<std::pair<Needs, device::DeviceInfo>>{{{}, a_model("model:h200")},
                                                         {{.gpu = true}, a_gpu(1)},
                                                         {{.gpus = 2}, a_gpu(2)},
                                                         {{.gpus = 2}, a_gpu(3)},
                                                         {{.gpus = 2}, a_model("model:h200x2", 2)},
                                                         {{.gpus = 2}, a_model("model:h200x4", 4)},
                                                         {{.compute = 9.0}, a_model("model:h200")}}) {
    const Place place = place_of(needs, at_hand);
    EXPECT_EQ(place.why, "");
    EXPECT_EQ(place.device, at_hand.id);
  }
}

TEST(LessonPlace, IsWhatTheLessonNamesWhereItLacksSomething) {
  Place place = place_of({.gpu = true}, a_model("model:h200"));
  EXPECT_EQ(place.device, "") << "it names none";
  EXPECT_THAT(place.why, HasSubstr("is a model"));
  place = place_of({.compute = 8.0, .otherwise = "model:h200"}, a_gpu(1));
  EXPECT_EQ(place.device, "model:h200");
  EXPECT_THAT(place.why, HasSubstr("needs compute capability 8.0, and cuda:0 has 7.5"));
}

TEST(LessonPlace, IsAsManyOfTheSameModelWhereOnlyDevicesAreLacking) {
  const auto where = [](const device::DeviceInfo& at_hand, int gpus) {
    return place_of({.gpus = gpus, .otherwise = "model:h200x8"}, at_hand).device;
  };
  EXPECT_EQ(where(a_model("model:laptop-pcie4x8"), 2), "model:laptop-pcie4x8x2");
  EXPECT_EQ(where(a_model("model:h200,copies.engines=1"), 2), "model:h200x2,copies.engines=1");
  EXPECT_EQ(where(a_model("model:laptop-pcie4x8x2", 2), 4), "model:laptop-pcie4x8x4");
  EXPECT_EQ(where(a_gpu(1), 2), "model:h100x2") << "of a GPU the model that predicts it";
  device::DeviceInfo apart = a_gpu(2);
  apart.peer = false;
  EXPECT_EQ(where(apart, 2), "cuda:0");
  const Place place = place_of({.gpus = 2, .peer = true}, apart);
  EXPECT_EQ(place.device, "model:h100x2");
  EXPECT_EQ(place.why, "the lesson needs GPUs that reach each other's memory, and those here do not (cuda:0)");
  EXPECT_EQ(where(a_model("model:mine.toml"), 2), "model:mine.tomlx2") << "so may a profile of a file be several";
  EXPECT_EQ(place_of({.gpus = 2}, a_gpu(1)).why, "the lesson needs 2 GPUs, and there is only 1 here (cuda:0)");
}

}  // namespace
}  // namespace streamscope::lesson

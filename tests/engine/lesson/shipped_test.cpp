// The lessons that come with the program, on each profile: what they say is true there, right answers pass and wrong
// ones, made by construction, never do.
#include <algorithm>
#include <cmath>
#include <random>

#include "engine/base/files.h"
#include "tests/engine/lesson/lesson_case.h"

namespace streamscope::lesson {
namespace {

using ::testing::IsEmpty;
using Mark = Grade::Mark;

constexpr std::size_t kWrongAnswers = 1000;  // a lesson, over its profiles

// Wrong by what the step and its run are, not by the grader.
class WrongAnswers {
 public:
  WrongAnswers(const Step& step, const Runs& runs, std::uint32_t seed) : step_(step), runs_(runs), random_(seed) {}

  // Nothing where any answer is right, as of an order whose times are all the same.
  std::optional<Answer> next() {
    const Answer right = *right_answer(step_, runs_);
    switch (step_.ask) {
      case Ask::choice: {
        std::vector<std::string> others;
        for (const Choice& each : step_.choices)
          if (each.name != std::get<answer::Chosen>(right).name) others.push_back(each.name);
        return answer::Chosen{others[below(others.size())]};
      }
      case Ask::number: {
        const double is = std::get<answer::Number>(right).value;
        const double room = step_.tolerance.relative ? step_.tolerance.value * std::abs(is) : step_.tolerance.value;
        return answer::Number{is + side() * (room * (1.0001 + 20 * share()) + 1e-9)};
      }
      case Ask::order: return other_order(std::get<answer::Ordered>(right));
      case Ask::bar: break;
    }
    const auto makespan = static_cast<double>(runs_.at(step_.run)->analysis.makespan);
    const double room = step_.tolerance.relative ? step_.tolerance.value * makespan : step_.tolerance.value;
    return answer::Start{std::get<answer::Start>(right).at +
                         static_cast<Nanoseconds>(side() * (room * (1.0001 + 3 * share()) + 2))};
  }

 private:
  std::size_t below(std::size_t most) { return random_() % most; }
  double share() { return static_cast<double>(random_()) / 4294967296.0; }
  double side() { return below(2) == 0 ? 1 : -1; }
  double key(const std::string& name) const {
    const Scope scope{runs_, runs_.at(step_.run).get()};
    return *number(std::ranges::find(step_.items, name, &Item::name)->key, scope);
  }
  // Two that are more than a tie apart are swapped.
  std::optional<Answer> other_order(answer::Ordered right) {
    std::vector<std::pair<std::size_t, std::size_t>> apart;
    const double tie = step_.items[0].key.type.dimension == kTime ? kTie : 0;
    for (std::size_t a = 0; a < right.items.size(); ++a)
      for (std::size_t b = a + 1; b < right.items.size(); ++b)
        if (key(right.items[b]) - key(right.items[a]) > tie) apart.emplace_back(a, b);
    if (apart.empty()) return std::nullopt;
    const auto [a, b] = apart[below(apart.size())];
    std::swap(right.items[a], right.items[b]);
    return right;
  }

  const Step& step_;
  const Runs& runs_;
  std::mt19937 random_;
};

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& folder : shipped_lessons()) all.push_back(folder.filename().string());
  return all;
}

class ShippedLesson : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    lesson_ = read_lesson(assets_folder() / "lessons" / GetParam());
    ASSERT_TRUE(lesson_) << lesson_.error().message;
  }
  // Of a step that asks for a change: nothing is changed; nothing was run; all is left out. How many there were.
  std::size_t wrong_changes(const Step& step, const Runs& runs, const MakeRun& make) const {
    const RunToMake& given = *run_named(*lesson_, step.run);
    const auto idle = experiment::read_input({"idle.streams", "idle.streams", "host: work 1us\n"}, {});
    EXPECT_TRUE(idle);
    auto idle_run = make(*idle, false);
    EXPECT_TRUE(idle_run) << idle_run.error().message;
    const std::vector<answer::Changed> changes{{given.input.program, runs.at(step.run)},
                                               {step.solution->program, nullptr},
                                               {idle->program, *facts_of(std::move(*idle_run), given.causes)}};
    for (const answer::Changed& each : changes) {
      const auto graded = grade(step, each, runs);
      EXPECT_TRUE(graded && graded->mark == Mark::wrong) << step.name << ": " << each.program;
    }
    return changes.size();
  }
  Result<Lesson> lesson_ = Lesson{};
};

TEST_P(ShippedLesson, HasItsWordsInAllLanguages) {
  for (std::size_t i = 0; i < lesson_->words.size(); ++i)
    EXPECT_TRUE(lesson_->words[i]) << name_of(static_cast<Language>(i)) << ".md is missing";
}

TEST_P(ShippedLesson, HasFiveToTwelveSteps) {
  EXPECT_GE(lesson_->steps.size(), 5u);
  EXPECT_LE(lesson_->steps.size(), 12u);
}

// The profiles with the device that the lesson runs on there; one that another profile has is that one's.
std::vector<std::pair<std::string, Place>> profiles_for(const Lesson& lesson) {
  std::vector<device::DeviceInfo> profiles = catalog::list_devices().devices;
  std::erase_if(profiles, [](const device::DeviceInfo& each) { return each.profile.empty(); });
  std::vector<std::pair<std::string, Place>> out;
  for (const device::DeviceInfo& profile : profiles) {
    Place place = place_of(lesson.needs, profile);
    const bool has_its_own = std::ranges::find(profiles, place.device, &device::DeviceInfo::id) != profiles.end();
    if (place.device == profile.id || !has_its_own) out.emplace_back(profile.id, std::move(place));
  }
  return out;
}

TEST_P(ShippedLesson, IsTrueOnEachProfileAndTakesNoWrongAnswer) {
  std::size_t wrong_tried = 0;
  const auto profiles = profiles_for(*lesson_);
  ASSERT_FALSE(profiles.empty());
  const auto questions = static_cast<std::size_t>(std::ranges::count_if(lesson_->steps, asks));
  ASSERT_GT(questions, 0u);
  const std::size_t times = kWrongAnswers / (profiles.size() * questions) + 1;
  for (const auto& [profile, place] : profiles) {
    SCOPED_TRACE(profile + " on " + place.device);
    const auto device = device::parse_device(place.device);
    ASSERT_TRUE(device) << place.why << ", and nothing that would do";
    const MakeRun make = on_model(device->profile);
    const auto runs = make_runs(*lesson_, make);
    ASSERT_TRUE(runs) << runs.error().message;
    const auto trial = try_out(*lesson_, *runs, make);
    ASSERT_TRUE(trial) << trial.error().message;
    EXPECT_THAT(trial->untrue, IsEmpty());
    for (const Step& step : lesson_->steps) {
      if (step.kind == StepKind::change) wrong_tried += wrong_changes(step, *runs, make);
      if (!asks(step)) continue;
      WrongAnswers answers(step, *runs, 25);
      // Nobody is right who only presses Answer.
      if (step.ask == Ask::order) {
        EXPECT_EQ(grade(step, answer::Ordered{first_order(*lesson_, step, *runs)}, *runs)->mark, Mark::wrong)
            << step.name;
      }
      for (std::size_t i = 0; i < times; ++i) {
        const auto given = answers.next();
        if (!given) break;
        const auto graded = grade(step, *given, *runs);
        ASSERT_TRUE(graded) << graded.error().message;
        ASSERT_EQ(graded->mark, Mark::wrong) << step.name << ": " << display(step, *given);
        ASSERT_TRUE(section_of(*lesson_, step, Language::en).answers.contains(graded->reply) ||
                    section_of(*lesson_, step, Language::en).answers.contains("wrong"))
            << graded->reply;
        ++wrong_tried;
      }
    }
  }
  RecordProperty("wrong_answers", static_cast<int>(wrong_tried));
  EXPECT_GE(wrong_tried, kWrongAnswers);
}

INSTANTIATE_TEST_SUITE_P(, ShippedLesson, ::testing::ValuesIn(names()), [](const auto& at) {
  std::string name = at.param;
  std::erase(name, '-');
  return name;
});
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ShippedLesson);

}  // namespace
}  // namespace streamscope::lesson

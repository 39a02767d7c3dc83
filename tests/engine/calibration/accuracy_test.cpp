// What the figures of a comparison mean, on numbers that can be checked by hand.
#include "engine/calibration/accuracy.h"

#include <gmock/gmock.h>

#include "engine/device/catalog/catalog.h"
#include "engine/device/model/model.h"
#include "engine/measure/host_pace.h"
#include "engine/predict/host_pace.h"
#include "engine/program/read_program.h"
#include "tests/support/program_of.h"

namespace streamscope::calibration {
namespace {

using ::testing::ElementsAre;

WallPrediction prediction(Nanoseconds measured, Nanoseconds predicted, std::string family = "a") {
  return {std::to_string(measured), std::move(family), measured, predicted, false};
}

TEST(Accuracy, ErrorsAreOfTheMeasuredTime) {
  const std::vector<WallPrediction> some{prediction(100, 110), prediction(200, 180), prediction(1000, 1000),
                                         prediction(100, 140)};
  const Errors found = errors(some);
  EXPECT_EQ(found.programs, 4u);
  EXPECT_DOUBLE_EQ(found.mean, (0.1 + 0.1 + 0 + 0.4) / 4);
  EXPECT_DOUBLE_EQ(found.bias, (0.1 - 0.1 + 0 + 0.4) / 4);
  EXPECT_DOUBLE_EQ(found.median, 0.1);
  EXPECT_DOUBLE_EQ(found.worst, 0.4);
  EXPECT_EQ(errors({}).programs, 0u);
}

TEST(Accuracy, NinetyFivePerCentDoNotExceedTheirPercentile) {
  std::vector<WallPrediction> many;
  for (int i = 1; i <= 100; ++i) many.push_back(prediction(1000, 1000 + i));
  EXPECT_DOUBLE_EQ(errors(many).percentile_95, 0.095);
  many.push_back(prediction(1000, 2000));  // 95 % of 101 programs are 95.95 of them
  EXPECT_DOUBLE_EQ(errors(many).percentile_95, 0.096);
  const std::vector<WallPrediction> one{prediction(10, 11)};
  EXPECT_DOUBLE_EQ(errors(one).percentile_95, 0.1);
}

TEST(Accuracy, OrderIsJudgedWhereTimesDifferByOverFivePerCent) {
  // 100 and 104 are as good as equal; 106 against 100 is not.
  const std::vector<WallPrediction> close{prediction(104, 90), prediction(100, 95)};
  EXPECT_EQ(order_agreement(close).pairs, 0u);
  EXPECT_DOUBLE_EQ(order_agreement(close).share(), 1);
  const std::vector<WallPrediction> some{prediction(106, 90), prediction(100, 95), prediction(1000, 95),
                                         prediction(2000, 5000)};
  const OrderAgreement found = order_agreement(some);
  EXPECT_EQ(found.pairs, 6u);
  EXPECT_EQ(found.alike, 4u);  // 106 against 100 goes the other way, 100 and 1000 are predicted alike
}

TEST(Accuracy, FamiliesAreJudgedApartAndTheWorstComesFirst) {
  const std::vector<WallPrediction> some{prediction(100, 101, "b"), prediction(100, 50, "a"),
                                         prediction(100, 120, "b")};
  const Accuracy found = accuracy(some);
  ASSERT_EQ(found.families.size(), 2u);
  EXPECT_EQ(found.families[0].name, "b");
  EXPECT_EQ(found.families[0].errors.programs, 2u);
  EXPECT_DOUBLE_EQ(found.families[1].errors.mean, 0.5);
  EXPECT_THAT(found.worst, ElementsAre(1, 2, 0));
}

model::Profile test_profile() {
  auto profile = catalog::read_profile(STREAMSCOPE_SOURCE "/tests/golden/model-profile.toml");
  EXPECT_TRUE(profile);
  return std::move(*profile);
}

TEST(Accuracy, APredictionIsTheModelsWallAndKnowsLargePinnedCopies) {
  const model::Profile profile = test_profile();
  Recording recording;
  const measure::WallTimes wall{25, 25, 25, 25, 1};
  recording.programs = {{"large", "", false, wall, "buffer x 2MiB\nstream A\nA: h2d x[0:1MiB]\nhost: sync A\n"},
                        {"small", "", false, wall, "buffer x 2MiB\nstream A\nA: h2d x[0:1023KiB]\n"},
                        {"pageable", "", false, wall, "buffer x 2MiB host=pageable\nhost: memcpy h2d x\n"},
                        {"two", "", false, wall, "buffer x 2MiB\nstream A\nA: h2d x\nA: d2h x\n"},
                        {"blocking", "", false, wall, "buffer x 2MiB\nhost: memcpy d2h x\n"}};
  const auto found = predict(profile, recording);
  ASSERT_TRUE(found) << found.error().message;
  std::vector<bool> large;
  for (std::size_t i = 0; i < found->size(); ++i) {
    const auto read = program::read_program(recording.programs[i].text, "p");
    ASSERT_TRUE(read);
    EXPECT_EQ((*found)[i].predicted, model::predict_wall(profile, read->program));
    EXPECT_EQ((*found)[i].measured, 25);
    large.push_back((*found)[i].large_pinned_copy);
  }
  EXPECT_THAT(large, ElementsAre(true, false, false, false, true));
  EXPECT_FALSE(predict(profile, Recording{}));
}

TEST(Accuracy, WhatIsPredictedIsAHostAtTheMeasuredPace) {
  const model::Profile profile = test_profile();
  const std::string text = "stream A\nrepeat 40 {\nA: spin 0us\n}\n";
  const auto own = model::predict_wall(profile, measure::pace_program());
  ASSERT_TRUE(own);
  Recording recording;
  measure::WallTimes wall{25, 25, 25, 25, 1};
  for (const double slower : {0.9, 1.0, 1.5, 3.0}) {
    wall.pace = static_cast<Nanoseconds>(slower * static_cast<double>(*own));
    recording.programs.push_back({"p", "", false, wall, text});
  }
  const auto found = predict(profile, recording);
  ASSERT_TRUE(found) << found.error().message;
  const double at_one = static_cast<double>((*found)[1].predicted);
  EXPECT_LT((*found)[0].predicted, (*found)[1].predicted);
  EXPECT_GT((*found)[2].predicted, (*found)[1].predicted);
  EXPECT_NEAR(static_cast<double>((*found)[3].predicted) / at_one, 3, 0.3) << "calls are nearly all of it";
  const auto without = predict(profile, without_pace(recording));
  ASSERT_TRUE(without);
  for (const WallPrediction& one : *without) EXPECT_EQ(one.predicted, (*found)[1].predicted);
  const auto quartiles = pace(profile, recording);
  ASSERT_TRUE(quartiles);
  EXPECT_EQ(quartiles->known, 4u);
  EXPECT_NEAR(quartiles->median, 1.0, 0.01);
  EXPECT_NEAR(quartiles->high, 3.0, 0.01);
}

// The model itself, timed on hosts of two paces: what differs is the pace, and at one pace nothing is left.
TEST(Accuracy, OfAPaceThatIsTakenOutNothingIsLeft) {
  const model::Profile profile = test_profile();
  const auto own = model::predict_wall(profile, measure::pace_program());
  ASSERT_TRUE(own);
  const auto timed = [&](double slower, double noted) {
    Recording recording;
    for (const std::string spin : {"0us", "7us"}) {
      const std::string text = "stream A\nrepeat 40 {\nA: spin " + spin + "\n}\n";
      const auto wall = model::predict_wall(predict::at_pace(profile, slower), tests::program_of(text));
      EXPECT_TRUE(wall);
      recording.programs.push_back({spin, "", false, {*wall, *wall, *wall, *wall, 1}, text});
      recording.programs.back().wall.pace = static_cast<Nanoseconds>(noted * static_cast<double>(*own));
    }
    return recording;
  };
  const Recording first = timed(1, 1), second = timed(1.5, 1.5);
  EXPECT_GT(errors(between(first, second)).mean, 0.1);
  const auto paced = between_at_one_pace(profile, first, second);
  ASSERT_TRUE(paced);
  EXPECT_NEAR(errors(*paced).worst, 0, 0.001);
  // Noted wrongly, the pace that suits best is still found.
  const Recording wrong = timed(1.5, 1);
  const auto predicted = predict(profile, wrong);
  ASSERT_TRUE(predicted);
  EXPECT_GT(errors(*predicted).mean, 0.1);
  const auto best = predict_at_best_pace(profile, wrong);
  ASSERT_TRUE(best);
  EXPECT_LT(errors(*best).worst, 0.015);
}

TEST(Accuracy, AProgramThatCannotRunIsNamed) {
  Recording recording;
  recording.programs = {{"the huge one", "", false, {25, 25, 25, 25, 1}, "buffer x 8TiB\nstream A\nA: h2d x\n"}};
  const auto found = predict(test_profile(), recording);
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, ::testing::HasSubstr("the huge one"));
}

TEST(Accuracy, TwoRecordingsAreHeldAgainstEachOtherByTheirTexts) {
  Recording first, second;
  first.programs = {{"a", "f", false, {100, 100, 100, 100, 1}, "host: work 1us\n"},
                    {"b", "f", false, {200, 200, 200, 200, 1}, "host: work 2us\n"}};
  second.programs = {{"another name", "f", false, {230, 230, 230, 230, 1}, "host: work 2us\n"},
                     {"a", "f", false, {500, 500, 500, 500, 1}, "host: work 3us\n"}};
  const auto pairs = between(first, second);
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].name, "b");
  EXPECT_DOUBLE_EQ(pairs[0].error(), 0.15);
}

}  // namespace
}  // namespace streamscope::calibration

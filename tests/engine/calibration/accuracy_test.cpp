// What the figures of a comparison mean, on numbers that can be checked by hand.
#include "engine/calibration/accuracy.h"

#include <gmock/gmock.h>

#include "tests/engine/device/fake_device.h"

namespace streamscope {
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

TEST(Accuracy, APredictionIsOnePassOfTheModelAndKnowsLargePinnedCopies) {
  Script script;
  script.kind = Provenance::Kind::model;
  script.bare_walls = {10, 20, 30, 40, 50};
  FakeDevice device(script);
  Recording recording;
  const WallTimes wall{25, 25, 25, 25, 1};
  recording.programs = {{"large", "", false, wall, "buffer x 2MiB\nstream A\nA: h2d x[0:1MiB]\nhost: sync A\n"},
                        {"small", "", false, wall, "buffer x 2MiB\nstream A\nA: h2d x[0:1023KiB]\n"},
                        {"pageable", "", false, wall, "buffer x 2MiB host=pageable\nhost: memcpy h2d x\n"},
                        {"two", "", false, wall, "buffer x 2MiB\nstream A\nA: h2d x\nA: d2h x\n"},
                        {"blocking", "", false, wall, "buffer x 2MiB\nhost: memcpy d2h x\n"}};
  const auto found = predict(device, recording);
  ASSERT_TRUE(found) << found.error().message;
  std::vector<Nanoseconds> predicted;
  std::vector<bool> large;
  for (const WallPrediction& one : *found) {
    predicted.push_back(one.predicted);
    large.push_back(one.large_pinned_copy);
  }
  EXPECT_THAT(predicted, ElementsAre(10, 20, 30, 40, 50));
  EXPECT_THAT(large, ElementsAre(true, false, false, false, true));
  EXPECT_FALSE(predict(device, Recording{}));
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
}  // namespace streamscope

// The shipped model of an H200 stays as close to an H200 as it was: against programs that were timed on one and that
// took no part in any fit.
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/calibration/accuracy.h"
#include "engine/device/model/profile_file.h"

namespace streamscope {
namespace {

class RecordedH200 : public testing::TestWithParam<int> {};

TEST_P(RecordedH200, IsPredictedAsCloselyAsItWas) {
  const std::string file = STREAMSCOPE_SOURCE "/tests/recordings/h200-seed" + std::to_string(GetParam()) + ".csv";
  const auto csv = read_text(file);
  ASSERT_TRUE(csv) << csv.error().message;
  const auto recording = recording_from_csv(*csv, file);
  ASSERT_TRUE(recording) << recording.error().message;
  auto profile = read_profile(STREAMSCOPE_SOURCE "/assets/devices/h200.toml");
  ASSERT_TRUE(profile) << profile.error().message;
  const auto predictions = predict(*profile, *recording);
  ASSERT_TRUE(predictions) << predictions.error().message;
  EXPECT_GT(predictions->size(), 200u);
  const Accuracy found = accuracy(*predictions);
  EXPECT_LT(found.all.mean, 0.036);
  EXPECT_LT(found.all.percentile_95, 0.135);
  EXPECT_LT(found.large_pinned_copies.mean, 0.01);
  EXPECT_GT(found.order.share(), 0.99);
}

// Timed on hosts that were slower and faster than the profile's, over all of them it pays to know by how much.
TEST(RecordedH200s, AreCloserAtTheHostsMeasuredPace) {
  double at_pace = 0, at_own = 0;
  for (const int seed : {131, 132, 133, 134}) {
    const std::string file = STREAMSCOPE_SOURCE "/tests/recordings/h200-seed" + std::to_string(seed) + ".csv";
    const auto csv = read_text(file);
    ASSERT_TRUE(csv) << csv.error().message;
    const auto recording = recording_from_csv(*csv, file);
    ASSERT_TRUE(recording) << recording.error().message;
    const auto profile = read_profile(STREAMSCOPE_SOURCE "/assets/devices/h200.toml");
    ASSERT_TRUE(profile) << profile.error().message;
    const auto paced = predict(*profile, *recording), own = predict(*profile, without_pace(*recording));
    ASSERT_TRUE(paced && own);
    at_pace += errors(*paced).mean;
    at_own += errors(*own).mean;
  }
  EXPECT_LT(at_pace, 0.95 * at_own);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RecordedH200, testing::Values(131, 132, 133, 134));

}  // namespace
}  // namespace streamscope

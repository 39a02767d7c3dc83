// How fast a link can be, and what that says of a rate that was measured on it; no GPU is needed for that.
#include "engine/device/cuda/runtime/pcie_link.h"

#include <gtest/gtest.h>

namespace streamscope::cuda {
namespace {

double gigabytes_per_second(const PcieLink& link) { return 1 / least_time(link); }

TEST(PcieLink, CarriesWhatItsGenerationAndLanesAllow) {
  EXPECT_NEAR(gigabytes_per_second({1, 16}), 3.7, 0.1);
  EXPECT_NEAR(gigabytes_per_second({3, 16}), 14.6, 0.1);
  EXPECT_NEAR(gigabytes_per_second({4, 16}), 29.2, 0.1);
  EXPECT_NEAR(gigabytes_per_second({5, 16}), 58.4, 0.1);
  EXPECT_NEAR(gigabytes_per_second({5, 8}), 29.2, 0.1);
  EXPECT_GT(gigabytes_per_second({6, 16}), 100);
}

TEST(PcieLink, IsNotKnownWhereNothingIsSaidOfIt) {
  EXPECT_EQ(least_time(PcieLink{0, 16}), 0);
  EXPECT_EQ(least_time(PcieLink{5, 0}), 0);
  EXPECT_EQ(least_time(PcieLink{7, 16}), 0);
}

TEST(PcieLink, ARateCloseToItIsUndercutByLittle) {
  const double link = least_time(PcieLink{5, 16}), measured = 1 / 54.6;
  EXPECT_FALSE(far_below(measured, link));
  EXPECT_LT(least_time(measured, link), measured);
  EXPECT_GT(least_time(measured, link), 0.96 * measured);
}

TEST(PcieLink, ARateThatWasDisturbedIsUndercutByAllThatTheLinkCanCarry) {
  const double link = least_time(PcieLink{5, 16}), measured = 1 / 43.7;
  EXPECT_TRUE(far_below(measured, link));
  EXPECT_DOUBLE_EQ(least_time(measured, link), link);
}

TEST(PcieLink, ARateThatWasDisturbedALittleIsToo) {
  const double link = least_time(PcieLink{5, 16});
  EXPECT_DOUBLE_EQ(least_time(1.12 * link, link), link);
}

TEST(PcieLink, ARateAboveItIsOfAnotherWayToTheHost) {
  const double link = least_time(PcieLink{5, 16}), measured = 1 / 400.0;
  EXPECT_FALSE(far_below(measured, link));
  EXPECT_LT(least_time(measured, link), measured);
}

TEST(PcieLink, WithoutOneARateMayBeUndercutByAThird) {
  EXPECT_FALSE(far_below(0.03, 0));
  EXPECT_DOUBLE_EQ(least_time(0.03, 0), 0.02);
}

}  // namespace
}  // namespace streamscope::cuda

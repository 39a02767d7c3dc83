// The words for what the referee found of a run.
#include "engine/analysis/second_opinion.h"

#include <gtest/gtest.h>

namespace streamscope::analysis {
namespace {

trace::Referee counted(std::uint64_t compared, std::uint64_t contradicted) {
  return {.passes = 3, .by = "CUPTI", .compared = compared, .contradicted = contradicted, .why_not = {}};
}

TEST(SecondOpinion, CountsTheBarsItAgreesWith) {
  const SecondOpinion many = second_opinion(counted(48, 0));
  EXPECT_EQ(many.verdict, "agrees with 48 bars");
  EXPECT_EQ(many.detail, "CUPTI's records of 3 other passes were compared.");
  EXPECT_FALSE(many.contradicts);
  EXPECT_EQ(second_opinion(counted(1, 0)).verdict, "agrees with 1 bar");
}

TEST(SecondOpinion, CountsTheBarsItContradicts) {
  EXPECT_EQ(second_opinion(counted(48, 2)).verdict, "contradicts 2 of 48: their doubt is widened");
  EXPECT_EQ(second_opinion(counted(48, 1)).verdict, "contradicts 1 of 48: its doubt is widened");
  EXPECT_TRUE(second_opinion(counted(48, 1)).contradicts);
}

TEST(SecondOpinion, DoesNotAgreeWithWhatItHasNoRecordOf) {
  EXPECT_EQ(second_opinion(counted(0, 0)).verdict, "has no record of any bar");
}

TEST(SecondOpinion, SaysWhyThereIsNone) {
  const SecondOpinion none =
      second_opinion({.passes = 0, .by = {}, .compared = 0, .contradicted = 0, .why_not = "CUPTI was not found."});
  EXPECT_EQ(none.verdict, "none: CUPTI was not found.");
  EXPECT_EQ(none.detail, "Bars are as certain as they state.");
}

}  // namespace
}  // namespace streamscope::analysis

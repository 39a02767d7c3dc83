#include "app/reading/query.h"

#include <gmock/gmock.h>

#include <string>

#include "tests/support/timeline_run.h"

namespace streamscope::reading {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The operations of a pipeline over S0 to S3 that the search means.
std::vector<OperationIndex> found(const std::string& words, const trace::Trace& trace) {
  const auto query = parse_query(words);
  EXPECT_TRUE(query) << words << ": " << query.error().message;
  std::vector<OperationIndex> out;
  if (!query) return out;
  const Matcher meant(trace, *query);
  for (const trace::Span& span : trace.spans)
    if (meant(span)) out.push_back(span.operation);
  return out;
}

class Search : public ::testing::Test {
 protected:
  // 0 h2d, 1 axpb, 2 d2h on S0; 3, 4, 5 on S1; the sync is 6.
  trace::Run run = streamscope::testing::pipeline_run({.streams = 2, .chunks = 2});
  trace::Trace& trace = run.trace;
  std::vector<OperationIndex> operator()(const std::string& words) { return found(words, trace); }
  std::vector<OperationIndex> find(const std::string& words) { return found(words, trace); }
};

TEST_F(Search, NothingMeansAll) {
  EXPECT_EQ(find("").size(), 7u);
  EXPECT_EQ(find("  \t ").size(), 7u);
}

TEST_F(Search, WordsOccurInNameKindStreamOrThreadWhateverTheCase) {
  EXPECT_THAT(find("AXPB"), ElementsAre(1, 4));
  EXPECT_THAT(find("xp"), ElementsAre(1, 4));
  EXPECT_THAT(find("kernel"), ElementsAre(1, 4)) << "of that kind";
  EXPECT_THAT(find("s1"), ElementsAre(3, 4, 5));
  EXPECT_EQ(find("main").size(), 7u);
  EXPECT_TRUE(find("nowhere").empty());
}

TEST_F(Search, ANumberIsAnOperationAsItIsCalledEverywhere) {
  EXPECT_THAT(find("4"), ElementsAre(4));
  EXPECT_THAT(find("#4"), ElementsAre(4));
  EXPECT_THAT(find("axpb #4"), ElementsAre(4));
  EXPECT_THAT(find("H2D #4"), ElementsAre());
  EXPECT_THAT(find("S1 -#4"), ElementsAre(3, 5));
  EXPECT_THAT(find("1"), ElementsAre(1, 3, 4, 5)) << "also what has it in a name, as S1 has";
  EXPECT_THAT(find("#1"), ElementsAre(1));
  EXPECT_TRUE(find("#x").empty());
}

TEST_F(Search, AllOfItMustHold) {
  EXPECT_THAT(find("S0 h2d"), ElementsAre(0));
  EXPECT_THAT(find("S0 -kernel"), ElementsAre(0, 2));
  EXPECT_TRUE(find("S0 S1").empty());
}

TEST_F(Search, FieldsTakeOneOfSomeValues) {
  EXPECT_THAT(find("kind:h2d,D2H"), ElementsAre(0, 2, 3, 5));
  EXPECT_THAT(find("KIND:sync"), ElementsAre(6));
  EXPECT_THAT(find("-kind:h2d,d2h,sync"), ElementsAre(1, 4));
  EXPECT_THAT(find("engine:compute"), ElementsAre(1, 4));
  EXPECT_THAT(find("name:axpb stream:s1"), ElementsAre(4));
  trace.spans[5].reason = trace::WaitReason::legacy;
  EXPECT_THAT(find("reason:legacy"), ElementsAre(5));
}

TEST_F(Search, AStreamIsFoundByItsWholeNameElseByAnyPart) {
  trace.streams[3].name = "S10";  // and S0's name is no longer part of one only
  trace.streams[2].name = "S1";
  EXPECT_THAT(find("stream:S1"), ElementsAre(0, 1, 2));
  EXPECT_THAT(find("stream:10"), ElementsAre(3, 4, 5));
  EXPECT_EQ(find("stream:S").size(), 6u);
}

TEST_F(Search, NumbersAreCompared) {
  EXPECT_THAT(find("op:3"), ElementsAre(3));
  EXPECT_THAT(find("line<=2"), ElementsAre(0, 1));
  EXPECT_THAT(find("op>=5"), ElementsAre(5, 6));
  EXPECT_THAT(find("dur:290us"), ElementsAre(1, 4));
  EXPECT_THAT(find("dur<=290us"), ElementsAre(1, 4));
  EXPECT_THAT(find("dur<290us"), ElementsAre());
  EXPECT_THAT(find("dur>0.3ms -kind:sync"), ElementsAre(0, 2, 3, 5));
  EXPECT_THAT(find("dur>=302µs dur<303us"), ElementsAre(0, 3));
  EXPECT_THAT(find("bytes>1MiB S0"), ElementsAre(0, 2));
  EXPECT_THAT(find("host=2us op<2"), ElementsAre(0, 1));
  EXPECT_THAT(find("wait>100us"), ElementsAre(3)) << "for the engine, busy with the first copy";
  EXPECT_THAT(find("wait>500ns"), ElementsAre(3, 5));
  EXPECT_THAT(find("start<10us kind:h2d"), ElementsAre(0));
}

TEST_F(Search, WhatIsNotKnownIsNeitherMoreNorLess) {
  trace.spans[1].end = kAbsent;
  EXPECT_THAT(find("axpb dur>0ns"), ElementsAre(4));
  EXPECT_THAT(find("axpb dur<=1s"), ElementsAre(4));
  EXPECT_THAT(find("axpb -dur>0ns"), ElementsAre(1));
}

TEST_F(Search, QuotesHoldBlanksAndSigns) {
  trace.names[1] = "at::native::kernel<float, 4>";
  EXPECT_THAT(find("\"kernel<FLOAT, 4>\""), ElementsAre(1, 4));
  EXPECT_THAT(find("name:\"float, 4\""), ElementsAre(1, 4));
  EXPECT_THAT(find("-\"float, 4\" -kind:sync,h2d"), ElementsAre(2, 5));
  EXPECT_THAT(find("at::native"), ElementsAre(1, 4)) << "two colons are no field";
}

TEST_F(Search, OfAnEmptyOrOddTraceNothingBreaks) {
  EXPECT_TRUE(found("x stream:y -kind:h2d dur>1us", trace::Trace{}).empty());
  trace.spans[0].name = 4'000'000'000u;
  trace.spans[0].thread = 4'000'000'000u;
  EXPECT_THAT(find("h2d S0"), ElementsAre(0)) << "its kind";
}

struct Wrong {
  const char* words;
  std::size_t column, length;
  const char* message;
};
class WrongSearch : public ::testing::TestWithParam<Wrong> {};
TEST_P(WrongSearch, IsReportedWithItsPlace) {
  const auto query = parse_query(GetParam().words);
  ASSERT_FALSE(query) << GetParam().words;
  EXPECT_EQ(query.error().column, GetParam().column);
  EXPECT_EQ(query.error().length, GetParam().length);
  EXPECT_THAT(query.error().message, HasSubstr(GetParam().message));
}
TEST(ReadableSearch, WhatStandsBeforeItCanBeRead) {
  EXPECT_EQ(parse_query("S0  kind:h2d -dur>5 axpb").error().readable, 13u);
  EXPECT_EQ(parse_query("kind:").error().readable, 0u);
}
INSTANTIATE_TEST_SUITE_P(
    All, WrongSearch,
    ::testing::Values(Wrong{"S0 kind:copi", 9, 4, "'copi' is none of h2d, d2h"}, Wrong{"colour:red", 1, 6, "'colour'"},
                      Wrong{"a duration>10us", 3, 8, "there are name kind"}, Wrong{"dur>10", 5, 2, "ns us ms s"},
                      Wrong{"dur>", 4, 1, "number is missing"}, Wrong{"dur>= 10us", 4, 2, "number is missing"},
                      Wrong{"x dur>ten", 7, 3, "not a duration"}, Wrong{"bytes>5XB", 7, 3, "unknown unit"},
                      Wrong{"kind>h2d", 5, 1, "write kind:"}, Wrong{"kind: h2d", 5, 1, "Nothing stands behind"},
                      Wrong{"kind:h2d,", 9, 1, "comma"}, Wrong{"line:-3", 6, 2, "whole number"},
                      Wrong{"op:12x", 4, 3, "whole number"}, Wrong{"a \"b c", 3, 4, "not closed"},
                      Wrong{"\"\"", 1, 2, "nothing between"}, Wrong{"\"a\"b", 1, 4, "blank is missing"},
                      Wrong{"a -", 3, 1, "'-'"}, Wrong{">10us", 1, 1, "there is no ''"},
                      Wrong{"reason:busy", 8, 4, "is none of none, stream"},
                      Wrong{"line:99999999999", 6, 11, "whole number"}));

}  // namespace
}  // namespace streamscope::reading

// That nothing which is wrong with a file goes without a word, and that no file takes more than it is worth.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/input/imported_trace.h"
#include "tests/engine/input/input_case.h"
#include "tests/engine/input/nsys_case.h"

namespace streamscope::input_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string saved(const std::string& members) {
  return R"({"schema":1,"provenance":{"kind":"model"},"spans":[{"op":0,"kind":"kernel","name":"k"}])" +
         (members.empty() ? "" : "," + members) + "}";
}
std::string notes(const Result<trace::Run>& run) {
  std::string all;
  for (const trace::Note& note : run->notes) all += note.text + "\n";
  return all;
}
std::string with_stage(const std::string& times, const std::string& of_block = R"("begin_ns":0,"end_ns":9)") {
  return saved(R"("stages":{"every":1,"blocks":[{"op":0,"places":1,"tiles":1,)" + of_block + R"(,"tiles_ns":[)" +
               times + "]}]}");
}

TEST(Honest, ATimeInsideAKernelThatIsMissingIsAnError) {
  EXPECT_TRUE(json(with_stage("[0,1,2,3,4]"))) << message(json(with_stage("[0,1,2,3,4]")));
  for (const char* times : {"[0,1,2,3]", "[0,1,2,null,4]", "[0]", "[]"})
    EXPECT_THAT(message(json(with_stage(times))), HasSubstr("a time inside operation 0, block 0, is missing")) << times;
  EXPECT_THAT(message(json(with_stage("[0,1,2,3,4]", R"("begin_ns":0)"))), HasSubstr("is missing"));
}

TEST(Honest, ARunThatDoesNotSayWhereItIsFromIsRefused) {
  for (const char* from : {"", R"("provenance":{},)", R"("provenance":null,)", R"("provenance":{"kind":null},)",
                           R"("prediction":{"provenance":{"kind":"measured"}},)"}) {
    const auto run = json(std::string(R"({"schema":1,)") + from + R"("spans":[]})");
    EXPECT_THAT(message(run), AllOf(StartsWith("t.json:1:1: "), HasSubstr("\"kind\" of its \"provenance\""))) << from;
  }
}

TEST(Honest, MembersThatNobodyKnowsAreNoted) {
  EXPECT_EQ(notes(json(saved(""))), "");
  EXPECT_EQ(notes(json(saved(R"("x":1,"threads":["main"])"))),
            "Members of the file that are not known here were passed over: x (1).\n");
  EXPECT_THAT(
      notes(json(R"({"schema":1,"provenance":{"kind":"model"},"spans":[{"op":0,"start_nr":1},{"start_nr":2}]})")),
      HasSubstr("start_nr (2)"));
}

TEST(Honest, AnEventWithoutItsDurationIsNoted) {
  EXPECT_THAT(notes(json(R"([{"ph":"X","ts":1,"dus":5}])")), HasSubstr("no duration (\"dur\"): 1."));
}

TEST(Honest, ADatabaseThatIsCutSaysSo) {
  const std::string whole = database(kExport);
  ASSERT_TRUE(sqlite(whole)) << message(sqlite(whole));
  for (const std::size_t less : {1u, 100u, 511u, 512u, 600u}) {
    const auto cut = sqlite(std::string_view(whole).substr(0, whole.size() - less));
    EXPECT_THAT(message(cut), AllOf(StartsWith("t.sqlite: "), HasSubstr("the file is cut"))) << less;
  }
}

// Of a page with three rows two are left: it says itself how many it has.
TEST(Honest, ADatabaseThatHasLostRowsSaysSo) {
  const std::string whole = database(
      "CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER); INSERT INTO NVTX_EVENTS VALUES (1,2),(3,4),(5,6);");
  ASSERT_EQ(spans(*sqlite(whole)).size(), 3u);
  std::string damaged = whole;
  ASSERT_EQ(damaged[512 + 4], 3);  // the second page's number of cells
  damaged[512 + 4] = 2;
  EXPECT_THAT(message(sqlite(damaged)), AllOf(StartsWith("t.sqlite: table NVTX_EVENTS: "), HasSubstr("damaged")));
}

TEST(Honest, AsManyTracksAsThereMayBeAreRead) {
  std::string events = "[";
  for (std::uint32_t thread = 0; thread < input::ImportedTrace::kMostTracks; ++thread)
    events += fmt::format(R"({{"ph":"i","ts":1,"tid":{}}},)", thread);
  EXPECT_TRUE(json(events + R"({"ph":"i","ts":1,"tid":0}])"));
  EXPECT_THAT(message(json(events + R"({"ph":"i","ts":1,"tid":-1}])")),
              HasSubstr("more than 100000 threads and streams"));
}

}  // namespace
}  // namespace streamscope::input_test

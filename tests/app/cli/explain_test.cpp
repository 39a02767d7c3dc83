// `streamscope explain` as a user types it.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/app/cli/command_line.h"

namespace streamscope::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ExplainCommand, SaysWhyAndWhatWouldHelp) {
  const ChildResult result = streamscope_child({"explain", "pageable", "--device", "model:h200"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("1. pageable-copy"));
  EXPECT_THAT(result.out, HasSubstr("with pinned host memory: "));
  EXPECT_THAT(result.out, HasSubstr("- host = \"pageable\"\n     + host = \"pinned\"\n"));
  EXPECT_THAT(result.out, HasSubstr("MODEL"));
}

TEST(ExplainCommand, FixTriesWhatItSays) {
  const ChildResult result = streamscope_child({"explain", "one-stream", "--device", "model:h200", "--fix"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Step 1: 4 streams: "));
  EXPECT_THAT(result.out, HasSubstr("times as fast"));
}

TEST(ExplainCommand, NamesTheDeviceOfWhatEachHas) {
  const ChildResult result = streamscope_child({"explain", "halo-exchange", "--device", "model:h200x2"});
  EXPECT_EQ(result.code, 0) << result.err;
  for (const char* words :
       {"Idle, H2D engine, device 0: ", "Idle, H2D engine, device 1: ", "the order of the operations binds"})
    EXPECT_THAT(result.out, HasSubstr(words));
}

TEST(ExplainCommand, APersonReadsWordsAndAFileHasKeys) {
  const std::vector<std::string> command{"explain", "default-stream-trap", "--device", "model:h200"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), command.begin(), command.end());
    return streamscope_child(more).out;
  };
  const std::string english = with({});
  EXPECT_THAT(english, HasSubstr("no work: host in a call"));
  EXPECT_THAT(english, Not(HasSubstr("host-call")));
  EXPECT_THAT(english, Not(HasSubstr("engine:")));
  EXPECT_THAT(with({"--json", "-"}), HasSubstr("\"host-call\""));
  const std::string chinese = with({"--language", "zh"});
  EXPECT_THAT(chinese, Not(HasSubstr("host-call")));
  EXPECT_THAT(chinese, HasSubstr("。代价 "));
}

TEST(ExplainCommand, OfASavedRunNothingIsRun) {
  const std::string saved = STREAMSCOPE_SOURCE "/tests/golden/model-pipeline.json";
  const ChildResult result = streamscope_child({"explain", saved, "--json", "-"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_FALSE(json.at("verdict").empty());
  const ChildResult fixed = streamscope_child({"explain", saved, "--fix"});
  EXPECT_EQ(fixed.code, 2);
  EXPECT_THAT(fixed.err, HasSubstr("nothing can be run"));
}

// Its streams' order is known, and nothing can be simulated.
TEST_F(CommandLine, ExplainsATraceOfAnotherTool) {
  const std::string file = write("their.json",
                                 R"([{"ph":"X","cat":"kernel","name":"first","pid":0,"tid":7,"ts":1,"dur":5,
      "args":{"device":0,"stream":7}},{"ph":"X","cat":"kernel","name":"second","pid":0,"tid":7,"ts":6,"dur":9,
      "args":{"device":0,"stream":7}},{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":0,"dur":2}])");
  const ChildResult result = streamscope_child({"explain", file});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Critical path: execution 14 us (100 %)"));
}

// Path and makespan to the nanosecond, as anybody who reads the file would add them up.
TEST(ExplainCommand, ThePathInTheFileSumsToTheMakespan) {
  const ChildResult result =
      streamscope_child({"explain", "depth-vs-breadth", "--device", "model:h200", "--json", "-"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  std::int64_t sum = 0;
  for (const auto& piece : json.at("path")) {
    sum += piece.at("to_ns").get<std::int64_t>() - piece.at("from_ns").get<std::int64_t>();
  }
  EXPECT_EQ(sum, json.at("makespan_ns").get<std::int64_t>());
}

TEST_F(CommandLine, ExplainsInAPictureToo) {
  const ChildResult result = streamscope_child(
      {"explain", "pageable", "--device", "model:h200", "--svg", path("why.svg"), "--path", "--rulers", "--why"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("1. pageable-copy"));
  const std::string svg = written("why.svg");
  for (const char* what :
       {"critical path: execution 9", ">order ", ">H2D engine ", ", which the H2D engine sets", "Copies of pageable"})
    EXPECT_THAT(svg, HasSubstr(what));
  const ChildResult plain = streamscope_child({"explain", "pageable", "--device", "model:h200", "--svg", "-"});
  EXPECT_THAT(plain.out, ::testing::StartsWith("<svg "));
  EXPECT_THAT(plain.out, Not(HasSubstr("critical path")));
}

TEST(ExplainCommand, RefusesATopThatIsNoNumber) {
  for (const char* top : {"0", "-1", "many"}) {
    const ChildResult result =
        streamscope_child({"explain", "pageable", "--device", "model", std::string("--top=") + top});
    EXPECT_EQ(result.code, 2) << top;
    EXPECT_THAT(result.err, HasSubstr("--top"));
  }
}

}  // namespace
}  // namespace streamscope::cli

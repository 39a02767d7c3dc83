// `streamscope calibrate` on a model, with a budget of seconds: it ends sooner where nothing moves any more.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/app/cli/command_line.h"

namespace streamscope::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST_F(CommandLine, CalibrateWritesAProfileThatRunsAndSaysHowGoodItIs) {
  const std::string profile = path("mine.toml"), json = path("verdict.json"), png = path("verdict.png");
  const ChildResult result =
      streamscope_child({"calibrate", "--device", "model:h200,copies.link=12GB/s,host.launch=5us", "--no-probes",
                         "--programs", "60", "--time", "100s", "-o", profile, "--json", json, "--png", png});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("written to " + profile), HasSubstr("order:")));
  const auto text = read_text(profile);
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, AllOf(HasSubstr("# "), HasSubstr("streamscope calibrate"), HasSubstr("mean error"),
                           HasSubstr("origin = \"measured\"")));
  const auto verdict = nlohmann::json::parse(*read_text(json));
  EXPECT_EQ(verdict["provenance"]["kind"], "model");
  EXPECT_GT(verdict["errors"]["programs"], 5);
  // Programs that it was not fitted on: closer than what it began with.
  EXPECT_LT(verdict["errors"]["mean"].get<double>(), 0.5 * verdict["before"]["mean"].get<double>());
  EXPECT_TRUE(std::filesystem::exists(png));
  const ChildResult run = streamscope_child({"run", "four-streams", "--device", "model:" + profile});
  EXPECT_EQ(run.code, 0) << run.err;
}

TEST_F(CommandLine, CalibrateWithoutAGpuIsThree) {
  const ChildResult result = streamscope_child({"calibrate", "-o", path("mine.toml")}, without_gpu());
  EXPECT_EQ(result.code, 3) << result.err;
  EXPECT_FALSE(std::filesystem::exists(path("mine.toml")));
}

TEST_F(CommandLine, CalibrateThatIsInterruptedWritesNothing) {
  ChildOptions options;
  options.stop_after = "at most";
  const ChildResult result =
      streamscope_child({"calibrate", "--device", "model", "--time", "50s", "-o", path("mine.toml")}, options);
  EXPECT_EQ(result.code, 4) << result.err;
  EXPECT_THAT(result.err, HasSubstr("stopped on request"));
  EXPECT_FALSE(std::filesystem::exists(path("mine.toml")));
}

}  // namespace
}  // namespace streamscope::cli

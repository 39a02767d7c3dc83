// `streamscope sweep` on a model, as a person starts it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/app/cli/command_line.h"

namespace streamscope::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

Arguments with(Arguments all, const Arguments& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

const Arguments kTiles = {"sweep", "four-streams", "--set", "kernel.name=tiles", "--set", "kernel.fma=32",
                          "--set", "streams=1",    "--set", "bytes=256MiB",      "--set", "chunk=256MiB"};

TEST_F(CommandLine, ASweepOfStagesIsATableFilesAndAPlot) {
  const ChildResult result = streamscope_child(with(
      kTiles, {"--device", "model:h200", "--axis", "kernel.stages=[1,2,3]", "--axis", "kernel.copy=[sync,cp.async]",
               "--csv", path("s.csv"), "--json", path("s.json"), "--png", path("s.png")}));
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(StartsWith("Four streams\nMODEL"), HasSubstr("rate of the kernels, GB/s"),
                                HasSubstr("own copy"), HasSubstr("copy=sync has one stage")));
  const std::string csv = written("s.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 7);
  EXPECT_TRUE(std::filesystem::exists(path("s.png")));
  const auto json = nlohmann::json::parse(written("s.json"), nullptr, false);
  ASSERT_TRUE(json.is_object());
  EXPECT_EQ(json["provenance"]["kind"], "model");
  const auto rate = [&](int point) { return json["points"][point]["kernel_bytes_per_s"].get<double>(); };
  EXPECT_EQ(rate(0), rate(4)) << "sync has one stage";
  EXPECT_GT(rate(3), 1.2 * rate(1)) << "two stages hide the copy";
  for (int i = 0; i < 6; ++i) EXPECT_LT(json["points"][i]["share_of_copy_rate"].get<double>(), 1);
}

TEST_F(CommandLine, ASweepGoesOnWhereADeviceCannot) {
  const ChildResult result =
      streamscope_child(with(kTiles, {"--device", "model:laptop-pcie4x8", "--axis", "kernel.copy=[cp.async,bulk]",
                                      "--axis", "kernel.tile=[16KiB,128KiB]", "--csv", "-"}));
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(StartsWith("kernel.copy,kernel.tile,runs,"), HasSubstr("\ncp.async,16KiB,1,"),
                                HasSubstr("\nbulk,16KiB,0,"), HasSubstr("needs compute capability 9.0"),
                                Not(HasSubstr("MODEL  "))));
  const ChildResult none = streamscope_child(
      with(kTiles, {"--device", "model:laptop-pcie4x8", "--set", "kernel.copy=bulk", "--axis", "kernel.stages=[1,2]"}));
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.out, HasSubstr("9.0"));
  EXPECT_THAT(none.err, HasSubstr("can run none of the combinations"));
}

TEST_F(CommandLine, ASweepOfOtherKernelsShowsTheWallTime) {
  const ChildResult result =
      streamscope_child(with({"sweep", "-", "--device", "model", "--axis", "streams=1,2"}, {"--repeat", "3"}),
                        with_input("chunks = 4\n"));
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("median of 3 runs"), HasSubstr("wall"), Not(HasSubstr("GB/s"))));
}

TEST_F(CommandLine, WhatIsWrongWithASweepIsReportedBeforeItRuns) {
  const ChildResult result = streamscope_child({"sweep", "four-streams", "--device", "model", "--axis", "streams=[0,1]",
                                                "--axis", "order=[depth-first,sideways]", "--csv", path("s.csv")});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err, AllOf(HasSubstr("--axis streams=0: error:"), HasSubstr("--axis order=sideways: error:")));
  EXPECT_FALSE(std::filesystem::exists(path("s.csv")));
}

TEST_F(CommandLine, AStoppedSweepKeepsWhatIsThere) {
  ChildOptions options;
  options.stop_after = "100 combinations";
  std::string values = "1";
  for (int i = 2; i <= 50; ++i) values += "," + std::to_string(i);
  const ChildResult result =
      streamscope_child({"sweep", "four-streams", "--device", "model", "--repeat", "1000", "--axis",
                         "kernel.fma=" + values, "--axis", "order=[depth-first,breadth-first]", "--csv", path("s.csv")},
                        options);
  EXPECT_EQ(result.code, 4) << result.err;
  EXPECT_THAT(result.err, HasSubstr("stopped on request"));
  const std::string csv = written("s.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 101);
  EXPECT_THAT(csv, HasSubstr("not run"));
}

}  // namespace
}  // namespace streamscope::cli

// The files that `streamscope run` writes, and those it does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/app/cli/command_line.h"

namespace streamscope::cli {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST_F(CommandLine, JsonOnStandardOutputIsJsonAlone) {
  const ChildResult result = streamscope_child(
      {"run", "four-streams", "--device", "model", "--set", "streams=2", "--repeat", "2", "--json", "-"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.err, IsEmpty());
  const auto json = nlohmann::json::parse(result.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << result.out.substr(0, 200);
  EXPECT_EQ(json.at("schema"), 1);
  EXPECT_EQ(json.at("provenance").at("kind"), "model");
  EXPECT_EQ(json.at("runs"), 2);
  EXPECT_EQ(json.at("experiment").at("streams"), 2) << "with the settings in it";
  EXPECT_EQ(json.at("spans").size(), 3u * 16 + 1);
  EXPECT_GT(json.at("makespan_ns").at("median").get<std::int64_t>(), 0);
  EXPECT_TRUE(json.at("verified").is_null()) << "the model moves no data";
}

TEST_F(CommandLine, APictureNeedsNoDisplay) {
  const ChildResult result = streamscope_child({"run", "four-streams", "--device", "model", "--png", path("t.png"),
                                                "--size", "800x450", "--scale", "2", "--theme", "dark"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, IsEmpty());
  const std::string png = written("t.png");
  ASSERT_GT(png.size(), 1000u);
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  const auto number = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(png[at + i]);
    return value;
  };
  EXPECT_EQ(number(16), 1600u) << "width times scale";
  EXPECT_EQ(number(20), 900u);
}

TEST_F(CommandLine, APictureIsOfThePartThatIsAskedFor) {
  const auto drawn = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"run", "four-streams", "--device", "model", "--svg", path("p.svg")};
    words.insert(words.end(), more.begin(), more.end());
    return streamscope_child(words);
  };
  ChildResult result = drawn({"--interval", "1.2ms..3ms", "--tracks", "s1, engines", "--title", "Mine", "--caption",
                              "A <caption>", "--no-legend", "--no-figures", "--colour", "stream", "--theme", "print"});
  ASSERT_EQ(result.code, 0) << result.err;
  const std::string svg = written("p.svg");
  for (const char* what : {">Mine<", ">A &lt;caption&gt;<", ">S1<", ">Compute<", "1.20 ms to 3.00 ms, of a run of"})
    EXPECT_THAT(svg, HasSubstr(what));
  for (const char* what : {">S0<", ">main<", "Makespan", "copy H2D"}) EXPECT_THAT(svg, Not(HasSubstr(what)));
  result = drawn({"--tracks", "S77"});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("the picture: error: no track is 'S77'; there are main, S0, S1"));
  result = drawn({"--interval", "1ms..60ms"});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.err,
              ContainsRegex("the picture: warning: the interval goes to 60ms, but the run ends at [0-9.]+ ms"));
  result = drawn({"--interval", "10s..20s"});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("from 10s to 20s has nothing of the run, which goes from"));
}

TEST_F(CommandLine, APictureIsDrawnAsVectorsToo) {
  const ChildResult result =
      streamscope_child({"run", "four-streams", "--device", "model", "--svg", path("t.svg"), "--pdf", path("t.pdf"),
                         "--size", "800x450", "--scale", "2", "--theme", "dark"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(written("t.svg"), StartsWith("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1600\" height=\"900\" "
                                           "viewBox=\"0 0 800 450\">"));
  EXPECT_THAT(written("t.pdf"), StartsWith("%PDF-"));
  EXPECT_THAT(written("t.pdf"), HasSubstr("/MediaBox [ 0 0 1200 675 ]"));
}

TEST_F(CommandLine, AnSvgMayGoToStandardOutput) {
  const ChildResult result = streamscope_child({"run", "four-streams", "--device", "model", "--svg", "-"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(StartsWith("<svg "), EndsWith("</svg>\n"), HasSubstr("MODEL")));
  const ChildResult both = streamscope_child({"run", "four-streams", "--svg", "-", "--json", "-"});
  EXPECT_EQ(both.code, 2);
  EXPECT_THAT(both.err, HasSubstr("--svg -: error: cannot write: --json is written there already"));
}

TEST_F(CommandLine, EveryOutputAtOnce) {
  const ChildResult result =
      streamscope_child({"run", "four-streams", "--device", "model", "--json", path("a.json"), "--csv", path("a.csv"),
                         "--trace", path("a.trace.json"), "--png", path("a.png"), "--emit-program", "-"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("# 256MiB in 16 chunks"));
  EXPECT_TRUE(nlohmann::json::parse(written("a.json")).is_object());
  EXPECT_TRUE(nlohmann::json::parse(written("a.trace.json")).at("traceEvents").is_array());
  const std::string csv = written("a.csv");
  EXPECT_GE(std::count(csv.begin(), csv.end(), '\n'), 50) << "a heading and one row for each operation";
  EXPECT_THAT(csv, HasSubstr("model"));
}

TEST_F(CommandLine, AnOutputThatCannotBeWrittenIsReportedBeforeTheRun) {
  write("file", "");
  for (const std::string& bad : {path("no/such/a.json"), path("file/a.json"), folder_.string()}) {
    const ChildResult result = streamscope_child({"run", "four-streams", "--json", bad}, without_gpu());
    EXPECT_EQ(result.code, 2) << bad;
    EXPECT_THAT(result.err, StartsWith("--json " + bad + ": error: cannot write: "));
    EXPECT_THAT(result.err, Not(HasSubstr("device model"))) << "no device was opened";
  }
  for (const char* option : {"--png", "--svg", "--pdf"}) {
    const ChildResult result = streamscope_child({"run", "four-streams", option, path("no/such/a")}, without_gpu());
    EXPECT_EQ(result.code, 2) << option;
    EXPECT_THAT(result.err, StartsWith(option + (" " + path("no/such/a")) + ": error: cannot write: "));
  }
  const ChildResult same =
      streamscope_child({"run", "four-streams", "--json", path("a"), "--csv", path("a"), "--trace", path("no/b")});
  EXPECT_EQ(same.code, 2);
  EXPECT_THAT(same.err, AllOf(HasSubstr("--csv " + path("a")), HasSubstr("--trace " + path("no/b"))));
}

TEST_F(CommandLine, NoOutputReplacesTheInputOrAnother) {
  const std::string text = "stream A\nA: spin 10us\n";
  const std::string file = write("p.streams", text);
  std::filesystem::create_symlink(file, path("link"));
  for (const std::string& bad : {file, folder_.string() + "/./p.streams", path("link")}) {
    const ChildResult result = streamscope_child({"run", file, "--device", "model", "--csv", bad});
    EXPECT_EQ(result.code, 2) << bad;
    EXPECT_THAT(result.err, AllOf(StartsWith("--csv " + bad + ": error: "), HasSubstr("the input")));
  }
  EXPECT_EQ(written("p.streams"), text);
  const ChildResult twice = streamscope_child({"run", file, "--device", "model", "--json", path("a"), "--csv",
                                               folder_.string() + "/../" + folder_.filename().string() + "/a"});
  EXPECT_EQ(twice.code, 2) << twice.err;
  EXPECT_THAT(twice.err, HasSubstr("--json is written there already"));
  EXPECT_FALSE(std::filesystem::exists(path("a")));
  EXPECT_EQ(streamscope_child({"run", file, "--device", "model", "--json", "/dev/null", "--csv", "/dev/null"}).code, 0);
}

TEST_F(CommandLine, StandardOutputMayBeNamedByItsPath) {
  const ChildResult result = streamscope_child({"run", "four-streams", "--device", "model", "--json", "/dev/stdout"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(nlohmann::json::parse(result.out, nullptr, false).is_object());
}

TEST_F(CommandLine, AFullDiskIsAnError) {
  const ChildResult result = streamscope_child({"run", "four-streams", "--device", "model", "--json", "/dev/full"});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("/dev/full"));
}

}  // namespace
}  // namespace streamscope::cli

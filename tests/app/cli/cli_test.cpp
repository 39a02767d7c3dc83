// The real executable: usage, exit codes, and what it does with its standard streams.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/app/cli/command_line.h"

namespace streamscope::cli {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST_F(CommandLine, HelpAndVersionGoToStandardOutput) {
  const ChildResult help = streamscope_child({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.err, IsEmpty());
  for (const char* word : {"run", "sweep", "check", "devices", "engine", "FILE", "--engine", "Exit codes"}) {
    EXPECT_THAT(help.out, HasSubstr(word));
  }
  EXPECT_LE(std::count(help.out.begin(), help.out.end(), '\n'), 33) << "short enough for one screen";
  for (const char* command : {"run", "sweep", "check", "devices", "engine"}) {
    EXPECT_EQ(streamscope_child({command, "--help"}).code, 0) << command;
  }
  const ChildResult version = streamscope_child({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_THAT(version.out, ContainsRegex("^streamscope [0-9]+\\.[0-9]+\\.[0-9]+\n$"));
}

struct BadUse {
  Arguments arguments;
  std::vector<const char*> words;
};
class BadUsage : public ::testing::TestWithParam<BadUse> {};

TEST_P(BadUsage, ExitsWithTwoAndSaysWhyOnStandardError) {
  const ChildResult result = streamscope_child(GetParam().arguments);
  EXPECT_EQ(result.code, 2) << result.err;
  EXPECT_THAT(result.out, IsEmpty());
  for (const char* word : GetParam().words) EXPECT_THAT(result.err, HasSubstr(word));
}

INSTANTIATE_TEST_SUITE_P(
    Table, BadUsage,
    ::testing::Values(
        BadUse{{"run", "nosuch.toml"}, {"nosuch.toml: error: no such file", "four-streams"}},
        BadUse{{"run", "four-stream"}, {"did you mean 'four-streams'?"}},
        BadUse{{"run", "/tmp"}, {"/tmp: error:", "folder"}}, BadUse{{"rnu", "--engine", "x"}, {"did you mean 'run'?"}},
        BadUse{{"calibrat"}, {"did you mean 'calibrate'?"}},
        BadUse{{"rnu", "x", "--theme", "dark"}, {"rnu: error: there is no such command; did you mean 'run'?"}},
        BadUse{{"--theme", "dark"},
               {"--theme: error: it is an option of run, explain and sweep, not of the window",
                "--png dark.png --theme dark"}},
        BadUse{{"check", "--predict=model:h200", "x"},
               {"--predict: error: it is an option of run and explain, not of check"}},
        BadUse{{"run", "--engine", "C", "x"},
               {"--engine: error: it is an option of the window, and run opens none", "ssh gpubox streamscope run"}},
        BadUse{{"--engine", "C", "run", "x"}, {"--engine: error: it is an option of the window, and run opens none"}},
        BadUse{{"--engine", "C", "devices"}, {"--engine: error:", "and devices opens none"}},
        BadUse{{"--engine", "C", "sweep", "--axis", "streams=1,2"}, {"--engine: error:", "and sweep opens none"}},
        BadUse{{"--engine", "C", "help", "run"}, {"--engine: error:", "and help opens none"}},
        BadUse{{"four-streams", "run", "--dry-run"}, {"the command comes first: streamscope run four-streams"}},
        BadUse{{"run", "--pgn", "x.png", "--them=dark", "-jsn"},
               {"--pgn: error: run has no such option; did you mean '--png'?",
                "--them: error: run has no such option; did you mean '--theme'?", "-jsn: error: run has no such option",
                "streamscope run --help"}},
        BadUse{{"run", "--png"}, {"--png: error: a value is missing; write --png F"}},
        BadUse{{"run", "--png", "a.png", "--png", "b.png"}, {"--png: error: it is given more than once"}},
        BadUse{{"run", "--gate=maybe"}, {"--gate: error: it takes no value"}},
        BadUse{{"calibrate", "--no-probes=1"}, {"--no-probes: error: it takes no value"}},
        BadUse{{"calibrate", "--programs", "many"}, {"--programs many: error: write a number", "--programs 600"}},
        BadUse{{"calibrate", "-o"}, {"--output: error: a value is missing; write -o, --output PROFILE.toml"}},
        BadUse{{"run", "--device", "model:h200,copies.engine=1"}, {"did you mean 'copies.engines'?"}},
        BadUse{{"sweep", "--axis", "chunk_size=[1MiB,2MiB]"},
               {"--axis chunk_size: error: unknown key 'chunk_size'; did you mean 'chunk'?"}},
        BadUse{{"run", "--set", "chunk=8"}, {"--set chunk: error:", "write 8MiB for MiB"}},
        BadUse{{"run", "four-streams", "streams=8"}, {"streams=8: error:", "write --set streams=8"}},
        BadUse{{"run", "four-streams", "check"}, {"check: error: run is the command"}},
        BadUse{{"devices", "all"}, {"all: error: devices takes options only"}}, BadUse{{"-"}, {"streamscope run -"}},
        BadUse{{"run", "--bogus"}, {"--bogus", "--help"}},
        BadUse{{"run", "four-streams", "one-stream"},
               {"one-stream: error: run takes one FILE, and that is four-streams"}},
        BadUse{{"check"}, {"check: error: FILE is missing", "streamscope check four-streams"}},
        BadUse{{"run", "four-streams", "--repeat", "0"}, {"--repeat 0", "from 1"}},
        BadUse{{"run", "--repeat", "many"}, {"--repeat many: error: write a number of runs from 1"}},
        BadUse{{"run", "--size", "20000x20000"}, {"--size 20000x20000: error:", "to 16384x16384"}},
        BadUse{{"run", "--png", "x.png", "--size", "6000x6000", "--scale", "3"},
               {"--size 6000x6000: error:", "268 million pixels", "--scale 3"}},
        BadUse{{"run", "--pdf", "x.pdf", "--size", "9000x600", "--scale", "3"},
               {"--size 9000x600: error:", "200 inches"}},
        BadUse{{"run", "--scale", "9"}, {"--scale 9: error: write a factor from 0.25 to 8"}},
        BadUse{{"run", "--png", "x.png", "--interval", "1..2ms"},
               {"--interval 1..2ms: error:", "needs a unit of time"}},
        BadUse{{"run", "--png", "x.png", "--interval", "1ms"}, {"--interval 1ms: error:", "such as 1.2ms..3ms"}},
        BadUse{{"run", "--png", "x.png", "--interval", "3ms..3ms"}, {"--interval 3ms..3ms: error: it is empty"}},
        BadUse{{"run", "--interval", "1ms..3ms", "--tracks", "S0", "--title", "T", "--caption", "C"},
               {"--interval 1ms..3ms: error:", "--tracks S0: error:", "--title T: error:",
                "--caption C: error: it is for a picture, and none is asked for; add one, such as --png F"}},
        BadUse{{"run", "--theme", "light", "--size", "1600x900", "--scale", "1", "--colour", "kind", "--no-legend",
                "--no-figures", "--open", "first"},
               {"--theme light: error: it is for a picture", "--size 1600x900: error: it is for a picture",
                "--scale 1: error: it is for a picture", "--colour kind: error: it is for a picture",
                "--no-legend: error: it is for a picture", "--no-figures: error: it is for a picture",
                "--open first: error: it is for a picture"}},
        BadUse{{"run", "--scale", "abc", "--png", "x.png"}, {"--scale abc: error: write a factor from 0.25 to 8"}},
        BadUse{{"sweep", "--axis", "streams=1,2", "--theme", "print", "--size", "800x600", "--csv", "-"},
               {"--theme print: error: it is for a picture", "--size 800x600: error: it is for a picture"}},
        BadUse{{"run", "--path", "--rulers", "--why"},
               {"--path line: error: it is for a picture", "--rulers: error: it is for a picture",
                "--why: error: it is for a picture"}},
        BadUse{{"run", "--png", "x.png", "--path=thick"}, {"--path thick: error: write line or pale"}},
        BadUse{{"run", "--colour", "red"}, {"--colour red: error: write kind or stream"}},
        BadUse{{"run", "--device", "model", "--instrument", "cupti"}, {"instrument cupti", "use full"}},
        BadUse{{"run", "--device", "model", "--instrument", "sampled", "--share", "1/4"}, {"instrument sampled"}},
        BadUse{{"run", "--device", "model", "--gate"}, {"no gate"}},
        BadUse{{"run", "--share", "4", "--max-noise", "2", "--timeout", "soon", "--min-samples", "2"},
               {"--share 4: error:", "--max-noise 2: error:", "--timeout soon: error:", "--min-samples 2: error:"}},
        BadUse{{"run", "--instrument", "x", "--theme", "blue", "--size", "3", "--scale", "0"},
               {"--instrument x: error:", "--theme blue: error:", "--size 3: error:", "--scale 0: error:"}},
        BadUse{{"run", "--png", "x.png", "--size", "16000x100", "--scale", "3"}, {"--size 16000x100: error:", "32767"}},
        BadUse{{"run", "--size", "x"}, {"--size x"}}, BadUse{{"run", "--size", "100x99999999999"}, {"--size 100x"}},
        BadUse{{"run", "four-streams", "--set", "streams"}, {"--set streams: error:", "key=value"}},
        BadUse{{"run", "four-streams", "--set", "streams=0", "--set", "oder=x", "--set", "chunk=15MiB"},
               {"--set streams: error: streams is 0", "--set oder: error: unknown key", "did you mean 'order'",
                "--set chunk: error: chunks of 15MiB"}},
        BadUse{{"run", "default-stream-trap", "--set", "streams=4"},
               {"--set streams: error:", "stream program of its own"}},
        BadUse{{"run", "four-streams", "--device", "model", "--set", "bytes=1024GiB"}, {"1024GiB"}},
        BadUse{{"run", "four-streams", "--instrument", "bare", "--png", "x.png"}, {"--png x.png: error:", "bare"}},
        BadUse{{"run", "four-streams", "--instrument", "bare", "--svg", "x.svg", "--pdf", "x.pdf"},
               {"--svg x.svg: error:", "--pdf x.pdf: error:", "bare"}},
        BadUse{{"run", "four-streams", "--dry-run", "--json", "-"}, {"--json -: error:", "--dry-run"}},
        BadUse{{"run", "four-streams", "--dry-run", "--svg", "-", "--pdf", "x.pdf"},
               {"--svg -: error:", "--pdf x.pdf: error:", "--dry-run"}},
        BadUse{{"run", "four-streams", "--json", "-", "--csv", "-"}, {"--csv -: error:", "--json"}},
        BadUse{{"sweep", "x.toml", "--axis", "a=1"}, {"x.toml: error: no such file"}},
        BadUse{{"sweep", "four-streams"}, {"--axis: error:", "streams=[1,2,4,8]"}},
        BadUse{{"sweep", "--repeat", "0", "--figure", "x", "--axis", "streams", "--axis", "chunk=[1MiB"},
               {"--repeat 0: error:", "--figure x: error:", "--axis streams: error:", "--axis chunk=[1MiB: error:"}},
        BadUse{{"sweep", "tiles", "--axis", "streams=1,2"}, {"--axis streams: error:", "is a stream program"}},
        BadUse{{"sweep", "--axis", "streams=1,2", "--figure", "kernel-rate"},
               {"--figure kernel-rate: error:", "tiles"}},
        BadUse{{"sweep", "--axis", "streams=1,2", "--csv", "-", "--json", "-"}, {"--json -: error:", "--csv"}},
        BadUse{{"calibrate", "--device", "model", "--time", "soon"}, {"--time soon: error:", "1s"}},
        BadUse{{"calibrate", "--device", "model", "--programs", "0"}, {"--programs 0: error:", "1"}}));

// By a shell, since a child here always has its three streams. Without a display.
int shell(const std::string& arguments) {
  const int status =
      std::system(("exec env -u DISPLAY -u WAYLAND_DISPLAY " STREAMSCOPE_PROGRAM " " + arguments).c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(CommandLine, AStandardErrorThatTakesNothingStopsNothing) {
  for (const std::string& error : {std::string("2>&-"), std::string("2>/dev/full")}) {
    EXPECT_EQ(shell("run four-streams --device auto --json " + path("a.json") + " " + error), 0) << error;
    EXPECT_TRUE(nlohmann::json::parse(written("a.json"), nullptr, false).is_object()) << error;
    std::filesystem::remove(path("a.json"));
    EXPECT_EQ(shell("run --bogus " + error), 2) << error;
    EXPECT_THAT(shell("four-streams " + error), AnyOf(2, 3)) << "the window: not built, or no display; " << error;
  }
}

TEST_F(CommandLine, AStandardOutputThatTakesNothingIsAnError) {
  for (const char* arguments : {"--help", "--version", "help", "run --help", "check four-streams", "devices",
                                "run four-streams --dry-run", "run four-streams --device model"}) {
    for (const char* out : {">/dev/full", ">&-"}) {
      EXPECT_EQ(shell(std::string(arguments) + " " + out + " 2>" + path("err")), 2) << arguments << out;
      EXPECT_THAT(written("err"), HasSubstr("stdout: cannot write")) << arguments << out;
    }
  }
}

TEST_F(CommandLine, NamesCannotSteerTheTerminal) {
  const std::string file =
      write("e.toml", "name = \"red \\u001b[31m\\nMEASURED\"\nchunks = 2\nkernel.name = \"none\"\n");
  for (const Arguments& more : {Arguments{"--device", "model"}, Arguments{"--dry-run"}}) {
    Arguments arguments = {"run", file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ChildResult result = streamscope_child(arguments);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, StartsWith("red \\x1B[31m\\x0AMEASURED"));
  }
  EXPECT_THAT(streamscope_child({"run", "a\x1b[31m.toml"}).err, StartsWith("a\\x1B[31m.toml: error: "));
}

TEST_F(CommandLine, HelpIsACommandToo) {
  const ChildResult help = streamscope_child({"help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.out, streamscope_child({"--help"}).out);
}

TEST_F(CommandLine, DevicesAsATableAndAsJson) {
  const ChildResult table = streamscope_child({"devices"}, without_gpu());
  EXPECT_EQ(table.code, 0);
  EXPECT_THAT(table.out, AllOf(HasSubstr("model:h200"), HasSubstr("MODEL"), HasSubstr("GiB"), HasSubstr("no GPU: ")));
  const ChildResult json = streamscope_child({"devices", "--json", "-"}, without_gpu());
  EXPECT_EQ(json.code, 0);
  const auto list = nlohmann::json::parse(json.out, nullptr, false);
  ASSERT_TRUE(list.is_object()) << json.out;
  EXPECT_TRUE(list.at("why_no_gpu").is_string());
  EXPECT_EQ(list.at("devices").at(0).at("kind"), "model");
}

TEST_F(CommandLine, AnEngineWhoseWindowIsGoneEnds) {
  const ChildResult result = streamscope_child({"engine"});
  EXPECT_EQ(result.signal, 0);
  EXPECT_GE(result.code, 0) << "and does not hang";
}

}  // namespace
}  // namespace streamscope::cli

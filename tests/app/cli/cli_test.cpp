// The real executable on the model device: exit codes, what it says where, and what it writes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/base/files.h"
#include "tests/app/cli/child.h"

namespace streamscope {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

using Arguments = std::vector<std::string>;

ChildOptions with_input(const std::string& input) {
  ChildOptions options;
  options.input = input;
  return options;
}

// With every GPU hidden, so that `auto` and `cuda` mean the same on all machines.
ChildOptions without_gpu() {
  ChildOptions options;
  options.environment["CUDA_VISIBLE_DEVICES"] = "";
  return options;
}

class CommandLine : public ::testing::Test {
 protected:
  CommandLine() {
    char folder[] = "/tmp/streamscope-cli-XXXXXX";
    folder_ = ::mkdtemp(folder);
  }
  ~CommandLine() override {
    std::error_code error;
    std::filesystem::remove_all(folder_, error);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    EXPECT_TRUE(write_text(path(name), text).has_value());
    return path(name);
  }
  std::string written(const std::string& name) const {
    const auto text = read_text(path(name));
    EXPECT_TRUE(text.has_value()) << name << " was not written";
    return text ? *text : "";
  }

  std::filesystem::path folder_;
};

TEST_F(CommandLine, HelpAndVersionGoToStandardOutput) {
  const ChildResult help = streamscope_child({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.err, IsEmpty());
  for (const char* word : {"run", "check", "devices", "engine", "FILE", "--engine", "Exit codes"}) {
    EXPECT_THAT(help.out, HasSubstr(word));
  }
  EXPECT_LE(std::count(help.out.begin(), help.out.end(), '\n'), 30) << "short enough for one screen";
  for (const char* command : {"run", "check", "devices", "engine"}) {
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
        BadUse{{"run", "four-stream"}, {"did you mean four-streams?"}},
        BadUse{{"run", "/tmp"}, {"/tmp: error:", "folder"}}, BadUse{{"rnu", "--engine", "x"}, {"did you mean run?"}},
        BadUse{{"-"}, {"streamscope run -"}}, BadUse{{"run", "--bogus"}, {"--bogus", "--help"}},
        BadUse{{"run", "four-streams", "one-stream"}, {"one-stream"}}, BadUse{{"check"}, {"FILE", "required"}},
        BadUse{{"run", "four-streams", "--repeat", "0"}, {"--repeat 0", "from 1"}},
        BadUse{{"run", "--repeat", "many"}, {"--repeat many: error: write a number of runs from 1"}},
        BadUse{{"run", "--svg", "a.svg"}, {"--svg a.svg: error: not in this version"}},
        BadUse{{"run", "--pdf", "a.pdf"}, {"--pdf a.pdf: error: not in this version"}},
        BadUse{{"run", "--emit-cuda", "a.cu"}, {"--emit-cuda a.cu: error: not in this version"}},
        BadUse{{"run", "--size", "20000x20000"}, {"--size 20000x20000: error:", "100 million pixels"}},
        BadUse{{"run", "--size", "6000x6000", "--scale", "2"}, {"--size 6000x6000: error:", "--scale 2"}},
        BadUse{{"run", "--instrument", "cupti"}, {"--instrument cupti: error: not in this version"}},
        BadUse{{"run", "--instrument", "sampled"}, {"--instrument sampled: error: not in this version"}},
        BadUse{{"run", "--instrument", "x", "--theme", "blue", "--size", "3", "--scale", "0"},
               {"--instrument x: error:", "--theme blue: error:", "--size 3: error:", "--scale 0: error:"}},
        BadUse{{"run", "--size", "20000x100", "--scale", "2"}, {"--scale 2: error:", "32767"}},
        BadUse{{"run", "--size", "x"}, {"--size x"}}, BadUse{{"run", "--size", "100x99999999999"}, {"--size 100x"}},
        BadUse{{"run", "four-streams", "--set", "streams"}, {"--set streams: error:", "key=value"}},
        BadUse{{"run", "four-streams", "--set", "streams=0", "--set", "oder=x", "--set", "chunk=15MiB"},
               {"--set streams: error: streams is 0", "--set oder: error: unknown key", "did you mean 'order'",
                "--set chunk: error: chunks of 15MiB"}},
        BadUse{{"run", "default-stream-trap", "--set", "streams=4"},
               {"--set streams: error:", "stream program of its own"}},
        BadUse{{"run", "four-streams", "--device", "model", "--set", "bytes=1024GiB"}, {"1024GiB"}},
        BadUse{{"run", "four-streams", "--instrument", "bare", "--png", "x.png"}, {"--png x.png: error:", "bare"}},
        BadUse{{"run", "four-streams", "--dry-run", "--json", "-"}, {"--json -: error:", "--dry-run"}},
        BadUse{{"run", "four-streams", "--json", "-", "--csv", "-"}, {"--csv -: error:", "--json"}},
        BadUse{{"sweep", "x.toml", "--axis", "a=1"}, {"sweep", "not in this version"}},
        BadUse{{"calibrate"}, {"not in this version"}}, BadUse{{"lessons"}, {"not in this version"}}));

TEST_F(CommandLine, ADeviceThatIsNotThereIsThreeWithOneLine) {
  for (const char* device : {"cuda", "cuda:7", "model:nosuch", "toaster"}) {
    const ChildResult result = streamscope_child({"run", "four-streams", "--device", device}, without_gpu());
    EXPECT_EQ(result.code, 3) << device;
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, HasSubstr(device));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
}

TEST_F(CommandLine, ASummaryLabelsItsOriginAndItsUnits) {
  const ChildResult result = streamscope_child({"run", "four-streams", "--repeat", "3"}, without_gpu());
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("Four streams\n"));
  EXPECT_THAT(result.out, Not(HasSubstr("MEASURED")));
  EXPECT_THAT(result.out, ContainsRegex("MODEL +NVIDIA H200"));
  EXPECT_THAT(result.out, ContainsRegex("wall +[0-9.]+ ms"));
  EXPECT_THAT(result.out, ContainsRegex("makespan +[0-9.]+ ms"));
  EXPECT_THAT(result.out, ContainsRegex("speed-up +[0-9.]+ times"));
  EXPECT_THAT(result.out, ContainsRegex("H2D engine +[0-9.]+ % .*256 MiB at [0-9.]+ GB/s"));
  EXPECT_THAT(result.out, ContainsRegex("verified +not checked"));
  EXPECT_THAT(result.err, AllOf(HasSubstr("device model:h200"), HasSubstr("MODEL"), HasSubstr("no GPU")))
      << "auto says which device it took";
  EXPECT_THAT(result.err, Not(HasSubstr("run 1 of"))) << "no progress where there is no terminal";
}

TEST_F(CommandLine, TheDefaultExperimentNeedsNoFile) {
  const ChildResult result = streamscope_child({"run", "--device", "model"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("Four streams\n"));
  EXPECT_THAT(result.err, HasSubstr("four-streams"));
}

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

TEST_F(CommandLine, TheEmittedProgramGivesTheSameRun) {
  for (const char* experiment : {"four-streams", "depth-vs-breadth", "synchronous", "pageable", "event-dependency"}) {
    const ChildResult first = streamscope_child(
        {"run", experiment, "--device", "model", "--json", path("a.json"), "--emit-program", path("p.streams")});
    ASSERT_EQ(first.code, 0) << first.err;
    const ChildResult second =
        streamscope_child({"run", path("p.streams"), "--device", "model", "--json", path("b.json")});
    ASSERT_EQ(second.code, 0) << second.err;
    const auto a = nlohmann::json::parse(written("a.json")), b = nlohmann::json::parse(written("b.json"));
    EXPECT_GT(a.at("spans").size(), 10u);
    EXPECT_EQ(a.at("spans"), b.at("spans")) << experiment;
    EXPECT_EQ(a.at("wall_ns"), b.at("wall_ns")) << experiment;
    EXPECT_EQ(a.at("program"), b.at("program"));
    EXPECT_TRUE(a.at("experiment").is_object());
    EXPECT_TRUE(b.at("experiment").is_null());
  }
}

TEST_F(CommandLine, EmittingAndADryRunTouchNoDevice) {
  const ChildResult result = streamscope_child({"run", "four-streams", "--dry-run", "--emit-program", "-"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\nstreams S 4 nonblocking\n"));
  const ChildResult quiet = streamscope_child({"run", "four-streams", "--dry-run"});
  EXPECT_EQ(quiet.code, 0);
  EXPECT_THAT(quiet.out, AllOf(HasSubstr("49 operations in 4 streams, 256 MiB"), HasSubstr("nothing was run")));
}

TEST_F(CommandLine, ADryRunAsksTheDeviceThatIsNamed) {
  EXPECT_EQ(streamscope_child({"run", "four-streams", "--device", "toaster", "--dry-run"}).code, 3);
  const Arguments large = {"run", "four-streams", "--set", "bytes=1024GiB", "--dry-run"};
  EXPECT_EQ(streamscope_child(large).code, 0) << "no device is named, so none is asked";
  Arguments named = large;
  named.insert(named.end(), {"--device", "model"});
  const ChildResult refused = streamscope_child(named);
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("1024GiB"));
  EXPECT_THAT(refused.out, IsEmpty());
}

TEST_F(CommandLine, StandardInputIsToldByItsFirstLine) {
  const Arguments run = {"run", "-", "--device", "model", "--json", "-"};
  const ChildResult program = streamscope_child(run, with_input("# a program\n\nstream A\nA: spin 10us\n"));
  ASSERT_EQ(program.code, 0) << program.err;
  EXPECT_EQ(nlohmann::json::parse(program.out).at("spans").size(), 2u);
  const ChildResult experiment =
      streamscope_child(run, with_input("# an experiment\n\nkernel.name = \"none\"\nchunks = 2\n"));
  ASSERT_EQ(experiment.code, 0) << experiment.err;
  EXPECT_EQ(nlohmann::json::parse(experiment.out).at("spans").size(), 5u);
  const ChildResult table = streamscope_child(run, with_input("[kernel]\nname = \"none\"\n"));
  ASSERT_EQ(table.code, 0) << table.err;
  EXPECT_EQ(nlohmann::json::parse(table.out).at("spans").size(), 33u);

  EXPECT_THAT(streamscope_child(run, with_input("stream A\nB: spin 10us\n")).err, StartsWith("<stdin>:2:1: error:"));
  EXPECT_THAT(streamscope_child(run, with_input("streams = 0\n")).err, StartsWith("<stdin>:1:11: error:"));
  EXPECT_EQ(streamscope_child(run, with_input("streams = 0\n")).code, 2);
  EXPECT_EQ(streamscope_child(run, with_input(std::string("\0\xff\x01", 3))).code, 2);
}

TEST_F(CommandLine, SettingsAreForExperimentsOnly) {
  const std::string file = write("p.streams", "stream A\nA: spin 10us\n");
  const ChildResult result = streamscope_child({"run", file, "--device", "model", "--set", "streams=4"});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, AllOf(StartsWith("--set streams: error: "), HasSubstr(file)));
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

TEST_F(CommandLine, AnOutputThatCannotBeWrittenIsToldBeforeTheRun) {
  write("file", "");
  for (const std::string& bad : {path("no/such/a.json"), path("file/a.json"), folder_.string()}) {
    const ChildResult result = streamscope_child({"run", "four-streams", "--json", bad}, without_gpu());
    EXPECT_EQ(result.code, 2) << bad;
    EXPECT_THAT(result.err, StartsWith("--json " + bad + ": error: cannot write: "));
    EXPECT_THAT(result.err, Not(HasSubstr("device model"))) << "no device was opened";
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

// By a shell, since a child here always has its three streams.
int shell(const std::string& arguments) {
  const int status = std::system(("exec " STREAMSCOPE_PROGRAM " " + arguments).c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(CommandLine, AStandardErrorThatTakesNothingStopsNothing) {
  for (const std::string& error : {std::string("2>&-"), std::string("2>/dev/full")}) {
    EXPECT_EQ(shell("run four-streams --device auto --json " + path("a.json") + " " + error), 0) << error;
    EXPECT_TRUE(nlohmann::json::parse(written("a.json"), nullptr, false).is_object()) << error;
    std::filesystem::remove(path("a.json"));
    EXPECT_EQ(shell("run --bogus " + error), 2) << error;
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

TEST_F(CommandLine, AFullDiskIsAnError) {
  const ChildResult result = streamscope_child({"run", "four-streams", "--device", "model", "--json", "/dev/full"});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("/dev/full"));
}

TEST_F(CommandLine, CheckTellsErrorsByPlaceAndAllOfThem) {
  const std::string file = write("bad.streams", "stream A\nA: sipn 10us\nA: h2d y\n");
  const ChildResult result = streamscope_child({"check", file});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err,
              AllOf(HasSubstr(file + ":2:4: error: "), HasSubstr("spin"), HasSubstr(file + ":3:8: error: ")));
  const ChildResult good = streamscope_child({"check", "four-streams"});
  EXPECT_EQ(good.code, 0);
  EXPECT_THAT(good.err, IsEmpty());
  EXPECT_THAT(good.out, HasSubstr("49 operations in 4 streams"));
}

TEST_F(CommandLine, ErrorsInAnExperimentsOwnProgramAreToldByTheFilesLines) {
  const std::string file = write("own.toml", "name = 'x'\nabout = 'y'\nprogram = '''\nstream A\nA: sipn 10us\n'''\n");
  EXPECT_THAT(streamscope_child({"check", file}).err, StartsWith(file + ":5:4: error: "));
}

TEST_F(CommandLine, AHazardIsAWarningAndNoError) {
  const std::string file =
      write("hazard.streams", "buffer x 1MiB\nstream A nonblocking\nstream B nonblocking\nA: h2d x\nB: memset x 0\n");
  const ChildResult result = streamscope_child({"check", file});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr(file + ":5:"));
  EXPECT_THAT(result.err, HasSubstr("warning: "));
  EXPECT_EQ(streamscope_child({"run", file, "--device", "model"}).code, 0);
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

TEST_F(CommandLine, ABareRunHasWallTimesAndNoSpans) {
  const ChildResult result =
      streamscope_child({"run", "four-streams", "--device", "model", "--instrument", "bare", "--json", "-"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_TRUE(json.at("spans").empty());
  EXPECT_EQ(json.at("provenance").at("instrument"), "bare");
  EXPECT_TRUE(json.at("makespan_ns").is_null());
  EXPECT_TRUE(json.at("observer_effect").is_null());
  EXPECT_EQ(streamscope_child({"run", "four-streams", "--device", "model", "--instrument", "bare"}).code, 0);
}

TEST_F(CommandLine, WhatTheDeviceCannotDoIsToldByTheFilesLine) {
  const std::string program = write("large.streams", "stream A\nbuffer x 1024GiB\nA: memset x 0\n");
  const ChildResult first = streamscope_child({"run", program, "--device", "model"});
  EXPECT_EQ(first.code, 2) << first.err;
  EXPECT_THAT(first.err, AllOf(StartsWith(program + ":2:1: error: "), HasSubstr("1024GiB")));
  const std::string own = write("large.toml", "program = '''\nstream A\nbuffer x 1024GiB\nA: memset x 0\n'''\n");
  EXPECT_THAT(streamscope_child({"run", own, "--device", "model"}).err, StartsWith(own + ":3:1: error: "));
  const std::string pipeline = write("pipeline.toml", "bytes = \"1024GiB\"\nchunks = 16\n");
  EXPECT_THAT(streamscope_child({"run", pipeline, "--device", "model"}).err,
              AllOf(StartsWith(pipeline + ": error: "), HasSubstr("line 2 of its program")));
}

TEST_F(CommandLine, LongKernelsMayBeAskedFor) {
  const std::string file = write("long.streams", "stream A\nA: spin 2s\n");
  EXPECT_EQ(streamscope_child({"run", file, "--device", "model", "--long-kernels"}).code, 0);
}

TEST_F(CommandLine, ASavedRunIsNoProgram) {
  const std::string file = write("saved", "{ \"schema\": 1 }\n");
  const ChildResult result = streamscope_child({"run", file});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, AllOf(StartsWith(file + ":1:1: error: "), HasSubstr("JSON")));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1);
}

TEST_F(CommandLine, CtrlCStopsARunPolitely) {
  ChildOptions options = without_gpu();
  options.stop_after = "device model:h200";
  const ChildResult result =
      streamscope_child({"run", "four-streams", "--set", "chunk=64KiB", "--repeat", "1000000"}, options);
  EXPECT_EQ(result.signal, 0) << "it ended by itself";
  EXPECT_EQ(result.code, 4) << result.err;
  EXPECT_THAT(result.out, IsEmpty());
}

TEST_F(CommandLine, AnEngineWhoseWindowIsGoneEnds) {
  const ChildResult result = streamscope_child({"engine"});
  EXPECT_EQ(result.signal, 0);
  EXPECT_GE(result.code, 0) << "and does not hang";
}

}  // namespace
}  // namespace streamscope

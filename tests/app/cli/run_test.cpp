// `streamscope run`: devices, input, settings, what it says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/app/cli/command_line.h"

namespace streamscope::cli {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST_F(CommandLine, ADeviceThatIsNotThereIsThreeWithOneLine) {
  for (const char* device : {"cuda", "cuda:7", "model:nosuch", "toaster"}) {
    const ChildResult result = streamscope_child({"run", "four-streams", "--device", device}, without_gpu());
    EXPECT_EQ(result.code, 3) << device;
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, HasSubstr(device));
    EXPECT_THAT(result.err, Not(HasSubstr("did you mean"))) << device;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
  for (const auto& [device, meant] : {std::pair{"modle", "model"}, {"model:h20,host.launch=5us", "model:h200"}}) {
    const ChildResult result = streamscope_child({"run", "four-streams", "--device", device}, without_gpu());
    EXPECT_EQ(result.code, 3) << device;
    EXPECT_THAT(result.err, HasSubstr(std::string("; did you mean '") + meant + "'? Devices here: ")) << device;
  }
}

TEST_F(CommandLine, AProgramOfMoreDevicesThanThereAreIsThree) {
  const std::string file = write("two.streams",
                                 "buffer x 1MiB device=0,1\nstream A\nstream B device=1\nA: peer x@1 x@0\n"
                                 "A: record e\nB: wait e\nB: axpb x fma=1\n");
  const ChildResult refused = streamscope_child({"run", file, "--device", "model:h200"}, without_gpu());
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.out, IsEmpty());
  EXPECT_THAT(refused.err, HasSubstr("the program is for 2 devices, counted from 0, and the model h200 is one device; "
                                     "model:h200x2 is 2 of them"));
  const ChildResult ran = streamscope_child({"run", file, "--device", "model:h200x2"}, without_gpu());
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("device 1: "));
  EXPECT_EQ(streamscope_child({"check", file}).code, 0);
}

TEST_F(CommandLine, ExperimentsOfTwoDevicesRunOnAModelOfTwoAndSayItOfOne) {
  for (const char* name : {"data-split", "device-pipeline", "halo-exchange", "all-gather"}) {
    const ChildResult refused = streamscope_child({"run", name, "--device", "model:h200"}, without_gpu());
    EXPECT_EQ(refused.code, 3) << name;
    EXPECT_THAT(refused.err, HasSubstr("model:h200x2 is 2 of them")) << name;
    for (const std::vector<std::string>& device : {std::vector<std::string>{}, {"--device", "model:h200x2"}}) {
      std::vector<std::string> arguments{"run", name};
      arguments.insert(arguments.end(), device.begin(), device.end());
      const ChildResult ran = streamscope_child(arguments, without_gpu());
      EXPECT_EQ(ran.code, 0) << ran.err;
      EXPECT_THAT(ran.out, AllOf(HasSubstr("profile h200x2"), HasSubstr("MODEL"), HasSubstr("device 1: "),
                                 HasSubstr("2 devices, ")))
          << name;
      EXPECT_EQ(ran.err.find("model:h200x2: 2 × NVIDIA H200, MODEL") != std::string::npos, device.empty()) << ran.err;
    }
    EXPECT_EQ(streamscope_child({"run", name, "--dry-run", "--device", "auto"}, without_gpu()).code, 0) << name;
  }
}

TEST_F(CommandLine, ASweepOverDevicesTakesAModelOfTheMost) {
  const ChildResult swept = streamscope_child(
      {"sweep", "data-split", "--set", "kernel.fma=1", "--axis", "devices=[1,2,4]", "--csv", "-"}, without_gpu());
  EXPECT_EQ(swept.code, 0) << swept.err;
  EXPECT_THAT(swept.err, HasSubstr("device model:h200x4: 4 × NVIDIA H200, MODEL"));
  EXPECT_THAT(swept.out, Not(HasSubstr("the program is for")));
}

// A bare container has no font: Cairo's own strokes must do.
TEST_F(CommandLine, PicturesAreDrawnWhereThereIsNoFont) {
  std::ofstream(path("no-fonts.conf")) << "<fontconfig></fontconfig>";
  ChildOptions no_fonts = without_gpu();
  no_fonts.environment["FONTCONFIG_FILE"] = path("no-fonts.conf");
  const std::string png = path("x.png"), pdf = path("x.pdf");
  const ChildResult result =
      streamscope_child({"run", "four-streams", "--device", "model", "--png", png, "--pdf", pdf}, no_fonts);
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_GT(std::filesystem::file_size(png), 10'000u);
  EXPECT_GT(std::filesystem::file_size(pdf), 10'000u);
}

TEST_F(CommandLine, ASummaryLabelsItsOriginAndItsUnits) {
  const ChildResult result = streamscope_child({"run", "four-streams", "--repeat", "3"}, without_gpu());
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("Four streams\n"));
  EXPECT_THAT(result.out, Not(HasSubstr("MEASURED")));
  EXPECT_THAT(result.out, ContainsRegex("MODEL +NVIDIA H200"));
  EXPECT_THAT(result.out, ContainsRegex("wall +[0-9.]+ ms"));
  EXPECT_THAT(result.out, ContainsRegex("makespan +[0-9.]+ ms"));
  EXPECT_THAT(result.out, ContainsRegex("speed-up +[0-9.]+×, serial [0-9.]+ ms, simulated in one stream"));
  EXPECT_THAT(result.out, ContainsRegex("H2D engine +[0-9.]+ % .*256 MiB at [0-9.]+ GB/s"));
  EXPECT_THAT(result.out, ContainsRegex("verified +not checked"));
  EXPECT_THAT(result.err, AllOf(HasSubstr("device model:h200"), HasSubstr("MODEL"), HasSubstr("no GPU")))
      << "auto says which device it took";
  EXPECT_THAT(result.err, Not(HasSubstr("run 1 of"))) << "no progress where there is no terminal";
}

TEST_F(CommandLine, APredictionIsHeldAgainstTheRun) {
  const ChildResult result =
      streamscope_child({"run", "--predict", "four-streams", "--device", "model:h200,copies.engines=1"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, ContainsRegex("MODEL .*profile h200, changed: copies.engines 1 .was "));
  EXPECT_THAT(result.out, ContainsRegex("prediction +predicted [0-9.]+ ms .h200., this model [0-9.]+ ms: -"));
  EXPECT_THAT(result.out, ContainsRegex("deviates at +[+][0-9.]+ us: "));

  const ChildResult named = streamscope_child({"run", "four-streams", "--device", "model", "--json", path("a.json"),
                                               "--predict=model:h200,compute.multiprocessors=8"});
  ASSERT_EQ(named.code, 0) << named.err;
  const auto json = nlohmann::json::parse(written("a.json"));
  EXPECT_THAT(json["prediction"]["profile"].get<std::string>(), HasSubstr("compute.multiprocessors 8 (was 132)"));
  EXPECT_EQ(json["prediction"]["spans"].size(), json["spans"].size());
  EXPECT_GT(json["prediction"]["differences"].size(), 0u);
  EXPECT_GT(json["prediction"]["wall_error"], 0.0);
}

TEST_F(CommandLine, AWrongPredictorIsReportedBeforeAnythingRuns) {
  const ChildResult no_model = streamscope_child({"run", "four-streams", "--device", "model", "--predict=cuda"});
  EXPECT_EQ(no_model.code, 2);
  EXPECT_THAT(no_model.err, HasSubstr("--predict cuda: error: only a model predicts"));
  const ChildResult nosuch = streamscope_child({"run", "four-streams", "--device", "model", "--predict=model:nosuch"});
  EXPECT_EQ(nosuch.code, 3);
  EXPECT_THAT(nosuch.err, HasSubstr("model:nosuch"));
  EXPECT_THAT(nosuch.out, IsEmpty());
}

TEST_F(CommandLine, TheDefaultExperimentNeedsNoFile) {
  const ChildResult result = streamscope_child({"run", "--device", "model"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("Four streams\n"));
  EXPECT_THAT(result.err, HasSubstr("four-streams"));
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
  const ChildResult cuda = streamscope_child({"run", "four-streams", "--dry-run", "--emit-cuda", "-"});
  EXPECT_EQ(cuda.code, 0) << cuda.err;
  EXPECT_THAT(cuda.out, AllOf(StartsWith("// nvcc "), HasSubstr("cudaStreamNonBlocking")));
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

TEST_F(CommandLine, StandardInputIsReportedByItsFirstLine) {
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

TEST_F(CommandLine, WhatTheDeviceCannotDoIsReportedByTheFilesLine) {
  const std::string program = write("large.streams", "stream A\nbuffer x 1024GiB\nA: memset x 0\n");
  const ChildResult first = streamscope_child({"run", program, "--device", "model"});
  EXPECT_EQ(first.code, 2) << first.err;
  EXPECT_THAT(first.err, AllOf(StartsWith(program + ":2:1: error: "), HasSubstr("1024GiB")));
  const std::string own = write("large.toml", "program = '''\nstream A\nbuffer x 1024GiB\nA: memset x 0\n'''\n");
  EXPECT_THAT(streamscope_child({"run", own, "--device", "model"}).err, StartsWith(own + ":3:1: error: "));
  const std::string pipeline = write("pipeline.toml", "bytes = \"1024GiB\"\nchunks = 16\n");
  EXPECT_THAT(streamscope_child({"run", pipeline, "--device", "model"}).err,
              AllOf(StartsWith(pipeline + ":1:9: error: bytes: "), Not(HasSubstr("line "))));
  EXPECT_THAT(streamscope_child({"run", "four-streams", "--device", "model", "--set", "bytes=1024GiB"}).err,
              AllOf(StartsWith("--set bytes: error: bytes: "), Not(HasSubstr("line "))));
}

TEST_F(CommandLine, LongKernelsMayBeAskedFor) {
  const std::string file = write("long.streams", "stream A\nA: spin 2s\n");
  EXPECT_EQ(streamscope_child({"run", file, "--device", "model", "--long-kernels"}).code, 0);
}

TEST_F(CommandLine, JsonOnStandardInputIsNoProgram) {
  const ChildResult result = streamscope_child({"run", "-"}, with_input("{ \"schema\": 1 }\n"));
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, AllOf(StartsWith("<stdin>:1:1: error: "), HasSubstr("JSON")));
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

TEST_F(CommandLine, DataThatIsWrongOnPurposeExitsWithFiveOnAModelToo) {
  const std::string file =
      write("mistake.streams", "buffer x 1MiB\nstream A\nA: h2d x\nA: tiles x fma=1 leave-out=wait\nA: d2h x\n");
  const ChildResult checked = streamscope_child({"check", file});
  EXPECT_EQ(checked.code, 0);
  EXPECT_THAT(checked.err, HasSubstr("4:1: warning: wrong on purpose: leave-out=wait"));
  const ChildResult run = streamscope_child({"run", file, "--device", "model", "--json", path("run.json")});
  EXPECT_EQ(run.code, 5);
  EXPECT_THAT(run.err, HasSubstr("Line 4, tiles: leave-out=wait: without the wait a block would read data that has not "
                                 "come. It is so on purpose."));
  EXPECT_THAT(written("run.json"), HasSubstr("on purpose"));
}

}  // namespace
}  // namespace streamscope::cli

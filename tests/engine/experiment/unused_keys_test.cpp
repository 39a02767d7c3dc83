// Keys without effect are reported, and change nothing; which key decides a line of a built program.
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/base/files.h"
#include "engine/experiment/build.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/experiment_file.h"
#include "engine/program/program.h"
#include "engine/program/read_program.h"
#include "tests/support/kernel_options.h"

namespace streamscope::experiment {
namespace {

using test_support::set_kernel;
using test_support::set_option;

std::string warnings(const std::string& toml, const std::vector<std::string>& settings = {}) {
  std::vector<Setting> all;
  for (const std::string& text : settings) all.push_back(parse_setting(text).value());
  const auto file = parse_experiment(toml, "e.toml", all);
  EXPECT_TRUE(file.has_value()) << toml << "\n" << (file ? "" : file.error().message);
  return file ? file->warnings : "it was refused";
}

struct UnusedCase {
  const char* toml;
  std::vector<std::string> settings;
  const char* warning;  // how it begins; empty: there is none
};
class UnusedKeysInAFile : public ::testing::TestWithParam<UnusedCase> {};

TEST_P(UnusedKeysInAFile, AreReportedAtTheirLocation) {
  const std::string reported = warnings(GetParam().toml, GetParam().settings);
  const std::string wanted = GetParam().warning;
  EXPECT_EQ(reported.substr(0, wanted.empty() ? reported.size() : wanted.size()), wanted);
  EXPECT_EQ(reported.find('\n'), std::string::npos) << "one warning: " << reported;
}

INSTANTIATE_TEST_SUITE_P(
    Table, UnusedKeysInAFile,
    ::testing::Values(
        UnusedCase{"", {"kernel.duration=2ms"}, "--set kernel.duration: warning: kernel.duration does nothing: "},
        UnusedCase{"", {"kernel.duration=300us"}, "--set kernel.duration: warning: "},  // the default, but asked for
        UnusedCase{"", {"kernel.name=spin", "kernel.fma=7"}, "--set kernel.fma: warning: kernel.fma does nothing: "},
        UnusedCase{"", {"kernel.name=none", "kernel.blocks=7"}, "--set kernel.blocks: warning: "},
        UnusedCase{"", {"mode=sync", "streams=7"}, "--set streams: warning: "},
        UnusedCase{"", {"mode=sync", "stream_flags=blocking"}, "--set stream_flags: warning: "},
        UnusedCase{"", {"stream_flags=per-thread", "streams=7"}, "--set streams: warning: "},
        UnusedCase{"[kernel]\nduration = \"2ms\"\n", {}, "e.toml:2:12: warning: kernel.duration does nothing: "},
        UnusedCase{"mode = \"sync\"\nstreams = 7\n", {}, "e.toml:2:11: warning: streams does nothing: "},
        UnusedCase{
            "chunk = \"16MiB\"\nchunks = 16\n", {}, "e.toml:1:9: warning: chunk does nothing: chunks comes after"},
        UnusedCase{
            "chunks = 16\nchunk = \"16MiB\"\n", {}, "e.toml:1:10: warning: chunks does nothing: chunk comes after"},
        UnusedCase{
            "", {"chunk=4MiB", "chunks=2"}, "--set chunk: warning: chunk does nothing: --set chunks comes after"},
        UnusedCase{"", {"host=mapped", "h2d=true"}, "--set h2d: warning: h2d does nothing: "},
        UnusedCase{
            "host = \"mapped\"\nh2d = true\nd2h = false\n", {}, "e.toml:3:7: warning: d2h does nothing: nothing is"},
        UnusedCase{"", {"across=halo"}, "--set across: warning: across does nothing: there is one device; write 2"},
        UnusedCase{"peer_access = false\n", {}, "e.toml:1:15: warning: peer_access does nothing: there is one device"},
        UnusedCase{"steps = 9\n", {}, "e.toml:1:9: warning: steps does nothing: there is one device"},
        UnusedCase{"devices = 2\npeer_access = false\n", {}, "e.toml:2:15: warning: peer_access does nothing: nothing"},
        UnusedCase{"devices = 2\n", {"steps=9"}, "--set steps: warning: steps does nothing: each chunk is done once"},
        UnusedCase{"devices = 2\nacross = \"pipeline\"\n", {"steps=9"}, "--set steps: warning: "},
        UnusedCase{"devices = 2\nacross = \"halo\"\nstreams = 2\n", {}, "e.toml:3:11: warning: streams does nothing"},
        UnusedCase{"devices = 2\nacross = \"all-gather\"\n",
                   {"order=breadth-first"},
                   "--set order: warning: order does nothing: each device has one stream"},
        // What does something.
        UnusedCase{"devices = 2\nacross = \"halo\"\nsteps = 9\npeer_access = false\n", {}, ""},
        UnusedCase{"devices = 2\nacross = \"pipeline\"\nstreams = 2\npeer_access = false\n", {}, ""},
        UnusedCase{"", {"host=managed", "h2d=false"}, ""},
        UnusedCase{"", {"kernel.name=spin", "kernel.duration=2ms", "kernel.blocks=2", "kernel.threads=64"}, ""},
        UnusedCase{"", {"kernel.fma=7", "streams=7", "stream_flags=blocking"}, ""},
        UnusedCase{"mode = \"async\"\nstream_flags = \"blocking\"\nstreams = 7\n", {}, ""},
        // A --set takes the place of what the file says, or puts it out of effect: that is what it is for.
        UnusedCase{"chunk = \"16MiB\"\n", {"chunks=4"}, ""},
        UnusedCase{"streams = 7\n[kernel]\nfma = 7\n", {"kernel.name=spin", "mode=sync"}, ""}));

TEST(UnusedKeysInAFile, AFileThatSpellsOutTheDefaultsHasNone) {
  for (const char* kernel : {"axpb", "spin", "none"}) {
    for (const char* mode : {"sync", "async"}) {
      ExperimentFile file =
          parse_experiment("", "", {{"kernel.name", kernel}, {"mode", mode}, {"stream_flags", "per-thread"}}).value();
      file.experiment.stream_flags = StreamFlags::nonblocking;
      EXPECT_EQ(warnings(to_toml(file.experiment)), "") << kernel << ", " << mode;
    }
  }
}

TEST(UnusedKeysInAFile, TheShippedExperimentsHaveNone) {
  int read = 0;
  for (const auto& entry : std::filesystem::directory_iterator(STREAMSCOPE_SOURCE "/assets/experiments")) {
    EXPECT_EQ(warnings(read_text(entry.path()).value()), "") << entry.path();
    ++read;
  }
  EXPECT_GE(read, 7);
}

TEST(KeyBehind, ALineOfABuiltProgram) {
  Experiment experiment;
  set_kernel(experiment, "spin");
  const auto keys = [&] {
    const std::string text = build(experiment);
    const program::Program program = program::read_program(text, "built").value().program;
    std::string all;
    std::uint32_t line = 0;
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
      if (const std::string_view key = key_behind(program, ++line); !key.empty()) {
        const std::string_view rest = std::string_view(text).substr(at);
        all += std::string(rest.substr(0, rest.find('\n'))) + " <- " + std::string(key) + "\n";
      }
    }
    return all;
  };
  EXPECT_EQ(keys(),
            "buffer x 256MiB host=pinned <- bytes\n"
            "  S{i%4}: spin 300us threads=256 <- kernel.duration\n");
  set_kernel(experiment, "axpb");
  EXPECT_EQ(keys(),
            "buffer x 256MiB host=pinned <- bytes\n"
            "  S{i%4}: axpb x[{i*16}MiB:16MiB] fma=2100 threads=256 <- kernel.fma\n");
  set_kernel(experiment, "tiles");
  EXPECT_EQ(
      keys(),
      "buffer x 256MiB host=pinned <- bytes\n"
      "  S{i%4}: tiles x[{i*16}MiB:16MiB] fma=2100 copy=cp.async stages=2 tile=16KiB threads=256 <- kernel.fma\n");
  set_kernel(experiment, "attention");
  EXPECT_EQ(keys(),
            "buffer x 256MiB host=pinned <- bytes\n"
            "  S{i%4}: attention x[{i*16}MiB:16MiB] heads=8 head=64 type=fp32 buffers=2 <- kernel.heads\n");
}

TEST(UnusedKeys, WhatIsOfTilesDoesNothingForOtherKernelsAndStagesNothingThroughRegisters) {
  Experiment experiment;
  const auto unused = [&] {
    std::string all;
    for (const UnusedKey& one : unused_keys(experiment))
      if (one.because != "devices") all += std::string(one.key) + " ";
    return all;
  };
  const std::string tiles =
      "kernel.copy kernel.stages kernel.tile kernel.bytes kernel.l1 kernel.align kernel.diverge kernel.producers "
      "kernel.per_sm kernel.wait kernel.leave_out kernel.smem_align ";
  const std::string spin = "kernel.duration kernel.smem ";
  const std::string heads = "kernel.heads kernel.head kernel.type kernel.buffers kernel.waits ";
  EXPECT_EQ(unused(), spin + tiles + heads);
  set_kernel(experiment, "tiles");
  EXPECT_EQ(unused(), spin + "kernel.producers " + heads);
  set_option(experiment.kernel, "bytes", 8);
  set_option(experiment.kernel, "blocks", 132);
  EXPECT_EQ(unused(), spin + "kernel.l1 kernel.producers kernel.per_sm " + heads);
  set_option(experiment.kernel, "blocks", 0);
  set_option(experiment.kernel, "copy", 6);
  EXPECT_EQ(unused(), spin + "kernel.l1 kernel.diverge kernel.wait kernel.leave_out " + heads);
  set_option(experiment.kernel, "copy", 0);
  EXPECT_EQ(unused(),
            spin +
                "kernel.stages kernel.bytes kernel.l1 kernel.diverge kernel.producers kernel.wait kernel.leave_out " +
                heads);
  EXPECT_EQ(build(experiment).find("stages"), std::string::npos);
  set_kernel(experiment, "spin");
  EXPECT_EQ(unused(), "kernel.fma " + tiles + heads);
  set_kernel(experiment, "attention");
  EXPECT_EQ(unused(), "kernel.fma " + spin + tiles + "kernel.blocks kernel.threads ");
}

}  // namespace
}  // namespace streamscope::experiment

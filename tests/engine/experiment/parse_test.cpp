// Experiment files and settings: what each key means, and what is said where one is wrong.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "engine/experiment/check.h"
#include "engine/experiment/description.h"
#include "engine/experiment/experiment_file.h"
#include "engine/experiment/keys.h"
#include "tests/support/kernel_options.h"

namespace streamscope::experiment {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Experiment read(const std::string& toml, const std::vector<std::string>& settings = {}) {
  std::vector<Setting> all;
  for (const std::string& text : settings) all.push_back(parse_setting(text).value());
  const auto file = parse_experiment(toml, "e.toml", all);
  EXPECT_TRUE(file.has_value()) << toml << "\n" << (file ? "" : file.error().message);
  return file ? file->experiment : Experiment{};
}

std::string errors(const std::string& toml, const std::vector<std::string>& settings = {}) {
  std::vector<Setting> all;
  for (const std::string& text : settings) all.push_back(parse_setting(text).value());
  const auto file = parse_experiment(toml, "e.toml", all);
  if (file) {
    ADD_FAILURE() << "accepted: " << toml;
    return {};
  }
  EXPECT_EQ(file.error().kind, ErrorKind::bad_input);
  return file.error().message;
}

TEST(ExperimentFileText, EmptyIsTheDefaultExperiment) { EXPECT_EQ(read(""), Experiment{}); }

TEST(ExperimentFileText, DefaultsAreThoseOfTheIssuePage) {
  const Experiment e = read("");
  EXPECT_EQ(e.bytes, 256u << 20);
  EXPECT_EQ(e.chunk, 16u << 20);
  EXPECT_EQ(e.streams, 4u);
  EXPECT_EQ(e.order, IssueOrder::depth_first);
  EXPECT_EQ(e.host, program::HostMemory::pinned);
  EXPECT_EQ(e.stream_flags, StreamFlags::nonblocking);
  EXPECT_EQ(e.mode, Mode::async);
  EXPECT_EQ(e.sync, FinalSync::device);
  EXPECT_TRUE(e.h2d && e.d2h && e.kernel == standard_kernel() && e.verify);
}

struct KeyCase {
  const char* line;  // of a file
  const char* setting;
  std::function<void(Experiment&)> change;
};

class EveryKey : public ::testing::TestWithParam<KeyCase> {};

TEST_P(EveryKey, MeansTheSameInAFileAndAsASetting) {
  Experiment expected;
  GetParam().change(expected);
  EXPECT_EQ(read(GetParam().line), expected);
  EXPECT_EQ(read("", {GetParam().setting}), expected);
}

INSTANTIATE_TEST_SUITE_P(
    Keys, EveryKey,
    ::testing::Values(
        KeyCase{"name = \"N\"", "name=N", [](Experiment& e) { e.name = std::string("N"); }},
        KeyCase{"about = \"two words\"", "about=two words", [](Experiment& e) { e.about = std::string("two words"); }},
        KeyCase{"about = \"8\"", "about=8", [](Experiment& e) { e.about = std::string("8"); }},
        KeyCase{"bytes = \"512MiB\"", "bytes=512MiB", [](Experiment& e) { e.bytes = 512u << 20; }},
        KeyCase{"bytes = 33554432", "bytes=33554432", [](Experiment& e) { e.bytes = 32u << 20; }},
        KeyCase{"chunk = \"4MiB\"", "chunk = 4MiB", [](Experiment& e) { e.chunk = 4u << 20; }},
        KeyCase{"chunk = 1_048_576", "chunk=\"1MiB\"", [](Experiment& e) { e.chunk = 1u << 20; }},
        KeyCase{"chunks = 64", "chunks=64", [](Experiment& e) { e.chunk = 4u << 20; }},
        KeyCase{"streams = 7", "streams=7", [](Experiment& e) { e.streams = 7; }},
        KeyCase{"order = \"breadth-first\"", "order=breadth-first",
                [](Experiment& e) { e.order = IssueOrder::breadth_first; }},
        KeyCase{"host = \"pageable\"", "host=pageable", [](Experiment& e) { e.host = program::HostMemory::pageable; }},
        KeyCase{"host = \"mapped\"", "host=mapped", [](Experiment& e) { e.host = program::HostMemory::mapped; }},
        KeyCase{"host = \"managed\"", "host=managed", [](Experiment& e) { e.host = program::HostMemory::managed; }},
        KeyCase{"host = \"write-combined\"", "host=write-combined",
                [](Experiment& e) { e.host = program::HostMemory::write_combined; }},
        KeyCase{"stream_flags = \"blocking\"", "stream_flags=blocking",
                [](Experiment& e) { e.stream_flags = StreamFlags::blocking; }},
        KeyCase{"stream_flags = \"default\"", "stream_flags=default",
                [](Experiment& e) { e.stream_flags = StreamFlags::legacy_default; }},
        KeyCase{"stream_flags = \"per-thread\"", "stream_flags=per-thread",
                [](Experiment& e) { e.stream_flags = StreamFlags::per_thread; }},
        KeyCase{"mode = \"sync\"", "mode=sync", [](Experiment& e) { e.mode = Mode::sync; }},
        KeyCase{"sync = \"stream\"", "sync=stream", [](Experiment& e) { e.sync = FinalSync::stream; }},
        KeyCase{"sync = \"event\"", "sync=event", [](Experiment& e) { e.sync = FinalSync::event; }},
        KeyCase{"sync = \"poll\"", "sync=poll", [](Experiment& e) { e.sync = FinalSync::poll; }},
        KeyCase{"h2d = false", "h2d=false", [](Experiment& e) { e.h2d = false; }},
        KeyCase{"d2h = false", "d2h=false", [](Experiment& e) { e.d2h = false; }},
        KeyCase{"verify = false", "verify=false", [](Experiment& e) { e.verify = false; }},
        KeyCase{"[kernel]\nname = \"spin\"", "kernel.name=spin",
                [](Experiment& e) { test_support::set_kernel(e, "spin"); }},
        KeyCase{"kernel.name = \"none\"", "kernel.name=none", [](Experiment& e) { e.kernel = {}; }},
        KeyCase{"[kernel]\nfma = 128", "kernel.fma=128",
                [](Experiment& e) { test_support::set_option(e.kernel, "fma", 128); }},
        KeyCase{"[kernel]\nblocks = 264", "kernel.blocks=264",
                [](Experiment& e) { test_support::set_option(e.kernel, "blocks", 264); }},
        KeyCase{"[kernel]\nthreads = 1024", "kernel.threads=1024",
                [](Experiment& e) { test_support::set_option(e.kernel, "threads", 1024); }}));

TEST(EveryOptionOfAKernel, GoesToTheKernelThatIsNamedWhereverItsNameStands) {
  Experiment expected;
  test_support::set_kernel(expected, "spin", {{"duration", 1'500'000}});
  EXPECT_EQ(read("[kernel]\nduration = \"1.5ms\"\nname = \"spin\""), expected);
  EXPECT_EQ(read("", {"kernel.duration=1.5ms", "kernel.name=spin"}), expected);
  EXPECT_EQ(read("", {"kernel.name=spin", "kernel.duration=1.5ms"}), expected);
}

struct BadCase {
  const char* toml;
  const char* place;               // with the colon
  std::vector<const char*> words;  // what the message must say: what was found, and what to write instead
};

class BadFile : public ::testing::TestWithParam<BadCase> {};

TEST_P(BadFile, IsRefusedWithLocationReasonAndSuggestion) {
  const std::string message = errors(GetParam().toml);
  EXPECT_THAT(message, StartsWith(std::string(GetParam().place) + " error: "));
  for (const char* word : GetParam().words) EXPECT_THAT(message, HasSubstr(word));
  EXPECT_EQ(message.find('\n'), std::string::npos) << "one thing is wrong, so one line: " << message;
}

INSTANTIATE_TEST_SUITE_P(
    Table, BadFile,
    ::testing::Values(
        BadCase{"strems = 4", "e.toml:1:1:", {"strems", "did you mean 'streams'?"}},
        BadCase{"\n\n  fma = 4", "e.toml:3:3:", {"did you mean 'kernel.fma'?"}},
        BadCase{"[kernel]\nfam = 4", "e.toml:2:1:", {"kernel.fam", "did you mean 'kernel.fma'?"}},
        BadCase{"zzzzzz = 4", "e.toml:1:1:", {"unknown key 'zzzzzz'", "the keys are", "stream_flags"}},
        BadCase{"[tune]\na = 1\nb = 2", "e.toml:1:2:", {"unknown key 'tune'"}},
        BadCase{"kernel = \"axpb\"", "e.toml:1:1:", {"[kernel]", "name = \"axpb\""}},
        BadCase{"streams = 0", "e.toml:1:11:", {"streams is 0", "from 1 to 1024"}},
        BadCase{"streams = -3", "e.toml:1:11:", {"-3", "from 1"}},
        BadCase{"streams = 9223372036854775807", "e.toml:1:11:", {"from 1 to 1024"}},
        BadCase{"streams = \"4\"", "e.toml:1:11:", {"\"4\"", "whole number"}},
        BadCase{"streams = 4.0", "e.toml:1:11:", {"whole number"}},
        BadCase{"streams = [4]", "e.toml:1:11:", {"an array"}}, BadCase{"streams = {a=1}", "e.toml:1:11:", {"a table"}},
        BadCase{"streams = 2024-01-01", "e.toml:1:11:", {"a date"}},
        BadCase{"h2d = 1", "e.toml:1:7:", {"true or false"}},
        BadCase{"h2d = \"yes\"", "e.toml:1:7:", {"true or false"}},
        BadCase{"name = 3", "e.toml:1:8:", {"text in quotes"}}, BadCase{"bytes = 0", "e.toml:1:9:", {"above 0"}},
        BadCase{"bytes = -1", "e.toml:1:9:", {"-1", "above 0"}},
        BadCase{"bytes = \"64 apples\"", "e.toml:1:9:", {"apples", "MiB"}},
        BadCase{"bytes = 1.5", "e.toml:1:9:", {"16MiB"}},
        BadCase{"bytes = \"99999999999GiB\"", "e.toml:1:9:", {"too large"}},
        BadCase{"bytes = \"8GiB\"\nchunk = \"3MiB\"", "e.toml:2:9:", {"do not divide 8GiB", "\"2MiB\"", "\"4MiB\""}},
        BadCase{
            "chunk = \"15MiB\"", "e.toml:1:9:", {"15MiB", "256MiB", "\"16MiB\" (16 chunks)", "\"8MiB\" (32 chunks)"}},
        BadCase{"chunk = \"1GiB\"", "e.toml:1:9:", {"1GiB", "more than bytes", "256MiB"}},
        BadCase{"bytes = \"8MiB\"", "e.toml:1:9:", {"chunk is 16MiB", "8MiB"}},
        BadCase{"chunks = 15", "e.toml:1:10:", {"15 chunks", "256MiB", "16 and 8"}},
        BadCase{"chunks = 0", "e.toml:1:10:", {"from 1"}},
        BadCase{"bytes = 6\nchunk = 3", "e.toml:2:9:", {"multiple of 4"}},
        BadCase{"bytes = 60\nchunks = 10", "e.toml:2:10:", {"multiple of 4", "15 and 5"}},
        BadCase{"chunk = \"16MiB\"\nchunks = 4", "e.toml:2:10:", {"chunks is 4", "chunk is 16MiB", "remove"}},
        BadCase{"bytes = \"1GiB\"\nchunk = 64", "e.toml:2:9:", {"10000000", "larger chunks"}},
        BadCase{"h2d = false\nd2h = false\nkernel.name = \"none\"", "e.toml:3:15:", {"nothing to do", "switch one on"}},
        BadCase{"order = \"depth\"", "e.toml:1:9:", {"\"depth\"", "breadth-first", "did you mean 'depth-first'?"}},
        BadCase{"host = \"maped\"", "e.toml:1:8:", {"maped", "did you mean 'mapped'?", "managed"}},
        BadCase{"host = \"mapped\"\nkernel.name = \"none\"", "e.toml:2:15:", {"nothing to do", "not copied"}},
        BadCase{"host = \"pined\"", "e.toml:1:8:", {"did you mean 'pinned'?"}},
        BadCase{"stream_flags = \"legacy\"", "e.toml:1:16:", {"blocking, nonblocking, default, per-thread"}},
        BadCase{"mode = true", "e.toml:1:8:", {"true", "async, sync"}},
        BadCase{"sync = \"devise\"", "e.toml:1:8:", {"did you mean 'device'?"}},
        BadCase{"[kernel]\nthreads = 2048", "e.toml:2:11:", {"2048", "1 to 1024"}},
        BadCase{"[kernel]\nfma = 0", "e.toml:2:7:", {"from 1"}},
        BadCase{"[kernel]\nduration = 300", "e.toml:2:12:", {"\"300us\""}},
        BadCase{"[kernel]\nduration = \"300\"", "e.toml:2:12:", {"unit of time"}},
        BadCase{"[kernel]\nduration = \"0us\"", "e.toml:2:12:", {"above 0"}},
        BadCase{"[kernel]\nblocks = 3000000000", "e.toml:2:10:", {"2147483647"}},
        BadCase{"[kernel]\ncopy = \"cp\"", "e.toml:2:8:", {"write one of", "cp.async"}},
        BadCase{"[kernel]\nstages = 9", "e.toml:2:10:", {"9", "1 to 8"}},
        BadCase{"[kernel]\nname = \"tiles\"\ntile = \"1000\"", "e.toml:3:8:", {"multiple of 16"}},
        BadCase{"[kernel]\nname = \"tiles\"\ntile = \"64KiB\"\nstages = 4", "e.toml:4:10:", {"4 stages", "3 fit"}},
        BadCase{"[kernel]\nname = \"tiles\"\ntile = \"227KiB\"", "e.toml:3:8:", {"smaller tile"}},
        BadCase{"[kernel]\nname = \"tiles\"\ncopy = \"warp-specialised\"\nthreads = 33",
                "e.toml:4:11:",
                {"multiple of 32"}},
        BadCase{"bytes = 24\nchunk = 12\n[kernel]\nname = \"tiles\"", "e.toml:2:9:", {"aligned to 16 bytes"}},
        BadCase{"devices = 0", "e.toml:1:11:", {"devices is 0", "from 1 to 64"}},
        BadCase{"devices = 65", "e.toml:1:11:", {"from 1 to 64"}},
        BadCase{"steps = 0", "e.toml:1:9:", {"from 1 to 10000000"}},
        BadCase{"across = \"gather\"", "e.toml:1:10:", {"split, pipeline, halo, all-gather"}},
        BadCase{"mode = \"sync\"\ndevices = 2", "e.toml:1:8:", {"mode is sync", "write async, or devices = 1"}},
        BadCase{"devices = 2\nhost = \"managed\"", "e.toml:2:8:", {"host is managed", "write pinned"}},
        BadCase{"devices = 2\nhost = \"mapped\"", "e.toml:2:8:", {"host is mapped", "write pinned"}},
        BadCase{"stream_flags = \"per-thread\"\ndevices = 2", "e.toml:1:16:", {"per-thread", "write nonblocking"}},
        BadCase{"stream_flags = \"default\"\ndevices = 2", "e.toml:1:16:", {"default", "write nonblocking"}},
        BadCase{"devices = 64\nchunks = 64\nstreams = 1024", "e.toml:3:11:", {"1024 streams on each of 64", "fewer"}},
        BadCase{"devices = 2\nchunks = 1", "e.toml:1:11:", {"1 chunk cannot be dealt out", "smaller chunk"}},
        BadCase{"devices = 3\nacross = \"halo\"", "e.toml:1:11:", {"16 chunks", "3 devices", "that divides 16"}},
        BadCase{"devices = 3\nacross = \"all-gather\"", "e.toml:1:11:", {"equal parts", "all-gather needs them"}},
        BadCase{"devices = 2\nacross = \"halo\"\nsteps = 9999999", "e.toml:3:9:", {"steps make 12", "833332 or fewer"}},
        BadCase{"program = \"  \"", "e.toml:1:11:", {"program is empty"}},
        BadCase{"program = \"host: sync device\"\nstreams = 4", "e.toml:2:11:", {"streams", "remove"}},
        BadCase{"streams 4", "e.toml:1:9:", {}}, BadCase{"streams = 4\nstreams = 5", "e.toml:2:11:", {"streams"}},
        BadCase{"name = \"\xff\"", "e.toml:1:8:", {}}, BadCase{"a = [", "e.toml:1:6:", {}}));

TEST(ExperimentFileText, AllErrorsAreReportedAtOnceInOrder) {
  EXPECT_EQ(
      errors("streams = 0\nchunk = \"15MiB\"\nspeed = 3\n[kernel]\nthreads = 0\n", {"order=sideways"}),
      "e.toml:1:11: error: streams is 0; write a number from 1 to 1024\n"
      "e.toml:2:9: error: chunks of 15MiB do not divide 256MiB evenly; nearest that do: \"8MiB\" (32 chunks) and "
      "\"16MiB\" (16 chunks)\n"
      "e.toml:3:1: error: unknown key 'speed'; the keys are: name, about, keywords.en, keywords.zh, keywords.ko, "
      "program, bytes, chunk, chunks, devices, across, peer_access, steps, streams, stream_flags, order, host, mode, "
      "sync, h2d, d2h, verify, "
      "kernel.name, kernel.fma, kernel.duration, kernel.smem, "
      "kernel.copy, kernel.stages, kernel.tile, kernel.bytes, kernel.l1, kernel.align, kernel.diverge, "
      "kernel.producers, kernel.per_sm, kernel.wait, kernel.leave_out, kernel.smem_align, kernel.heads, "
      "kernel.head, kernel.type, kernel.buffers, kernel.waits, kernel.blocks, "
      "kernel.threads\n"
      "e.toml:5:11: error: kernel.threads is 0; write a number from 1 to 1024\n"
      "--set order: error: order is \"sideways\"; write one of: depth-first, breadth-first");
}

TEST(ExperimentFileText, ASettingWithATextThatIsNoTomlIsReportedToo) {
  const std::string message = errors("streams = = 4", {"streams=0"});
  EXPECT_THAT(message, AllOf(HasSubstr("e.toml:1:11: error:"), HasSubstr("--set streams: error: streams is 0")));
}

TEST(Settings, ComeAfterTheFileAndTheLastOneCounts) {
  EXPECT_EQ(read("streams = 2", {"streams=3"}).streams, 3u);
  EXPECT_EQ(read("streams = 2", {"streams=3", "streams=5"}).streams, 5u);
}

TEST(Settings, ChunkAndChunksTakeEachOthersPlace) {
  EXPECT_EQ(read("chunk = \"16MiB\"", {"chunks=8"}).chunk, 32u << 20);
  EXPECT_EQ(read("chunks = 8", {"chunk=4MiB"}).chunk, 4u << 20);
  EXPECT_EQ(read("", {"chunk=4MiB", "chunks=2"}).chunk, 128u << 20);
  EXPECT_EQ(read("chunks = 8", {"bytes=64MiB"}).chunk, 8u << 20) << "a count stays a count";
  EXPECT_EQ(read("chunk = \"8MiB\"\nchunks = 32").chunk, 8u << 20) << "both, and they agree";
}

TEST(Settings, AWrongValueInTheFileIsStillReported) {
  EXPECT_THAT(errors("streams = 0", {"streams=3"}), StartsWith("e.toml:1:11: error: streams is 0"));
}

TEST(Settings, ErrorsNameTheSetting) {
  EXPECT_THAT(errors("", {"strems=3"}),
              StartsWith("--set strems: error: unknown key 'strems'; did you mean 'streams'?"));
  EXPECT_THAT(errors("", {"streams="}), StartsWith("--set streams: error: "));
  EXPECT_THAT(errors("", {"kernel=spin"}), AllOf(StartsWith("--set kernel: error: "), HasSubstr("kernel.name")));
  EXPECT_THAT(errors("chunk = \"16MiB\"", {"bytes=40MiB"}), StartsWith("--set bytes: error: "));
  EXPECT_THAT(errors("", {"name=\xff"}), AllOf(StartsWith("--set name: error: "), HasSubstr("UTF-8")));
}

TEST(Settings, AKeyWithAPartMoreIsNearToItsBeginning) {
  EXPECT_THAT(errors("", {"chunk_size=8MiB"}),
              StartsWith("--set chunk_size: error: unknown key 'chunk_size'; did you mean 'chunk'?"));
}

TEST(Settings, ASizeOfAFewBytesSaysThatAUnitIsMissing) {
  EXPECT_THAT(errors("", {"chunk=8"}), AllOf(StartsWith("--set chunk: error: "), HasSubstr("write 8MiB for MiB")));
  EXPECT_THAT(errors("", {"bytes=64"}), AllOf(StartsWith("--set bytes: error: "), HasSubstr("write 64MiB for MiB")));
  EXPECT_THAT(errors("", {"bytes=8MiB"}), Not(HasSubstr("without a unit")));
}

TEST(Settings, SeveralDevicesAreAskedForByTheOneThatCameLast) {
  EXPECT_THAT(errors("mode = \"sync\"", {"devices=2"}), StartsWith("--set devices: error: mode is sync"));
  EXPECT_THAT(errors("devices = 2", {"mode=sync"}), StartsWith("--set mode: error: mode is sync"));
  EXPECT_THAT(errors("devices = 3", {"across=halo"}), StartsWith("--set across: error: 16 chunks do not make equal"));
  EXPECT_EQ(read("devices = 3\nacross = \"halo\"", {"bytes=48MiB", "chunks=48"}).devices, 3u);
}

TEST(Settings, CannotSmuggleInASecondKey) {
  EXPECT_THAT(errors("", {"streams=3\nchunks = 4"}), StartsWith("--set streams: error: "));
  EXPECT_EQ(read("", {"name=3\nchunks = 4"}).name, "3\nchunks = 4");
}

TEST(Settings, AreKeyEqualsValue) {
  EXPECT_EQ(parse_setting(" a.b = c = d ")->key, "a.b");
  EXPECT_EQ(parse_setting(" a.b = c = d ")->value, "c = d");
  EXPECT_THAT(parse_setting("streams").error().message,
              AllOf(StartsWith("--set streams: error:"), HasSubstr("key=value")));
  EXPECT_FALSE(parse_setting("=4").has_value());
  EXPECT_FALSE(parse_setting("").has_value());
}

TEST(ProgramsOfTheirOwn, KeepTheirTextAndTheirLine) {
  const auto file =
      parse_experiment("name = 'P'\nverify = false\n\nprogram = '''\nstream A\nA: spin 1us\n'''\n", "e.toml");
  ASSERT_TRUE(file.has_value()) << file.error().message;
  EXPECT_EQ(file->experiment.program, "stream A\nA: spin 1us\n");
  EXPECT_EQ(file->program_line, 4u);
  EXPECT_EQ(file->experiment.name, "P");
  EXPECT_FALSE(file->experiment.verify);
  EXPECT_EQ(parse_experiment("program = 'host: sync device'", "e.toml")->program_line, 0u);
}

// Its lines are not the file's: a place in the file would be beside the point.
TEST(ProgramsOfTheirOwn, WithEscapesForTheirLineEndsHaveNoLine) {
  const std::string quotes = "\"\"\"";
  for (const char* text : {"stream A\\nA: spin 1us\n", "stream A\nA: spin \\\n  1us\n", "\\\nstream A\n"})
    EXPECT_EQ(parse_experiment("program = " + quotes + "\n" + text + quotes, "e.toml")->program_line, 0u) << text;
  EXPECT_EQ(parse_experiment("program = " + quotes + "\r\nstream A\r\n" + quotes, "e.toml")->program_line, 1u);
}

std::string repeated(const std::string& begin, const std::string& piece, int times, const std::string& end) {
  std::string out = begin;
  for (int i = 0; i < times; ++i) out += piece;
  return out + end;
}

TEST(Texts, WithAnEndlessKeyAreAnErrorAtItsPlace) {
  for (const std::string& key : {repeated("a", ".a", 100'000, ""), repeated("\"b\"", " . a", 100'000, "")})
    EXPECT_THAT(errors("streams = 4\n" + key + " = 1\n"),
                AllOf(StartsWith("e.toml:2:"), HasSubstr("a key has over 256 parts")));
  EXPECT_THAT(errors(repeated("[a", ".a", 100'000, "]\n")), StartsWith("e.toml:1:"));
  EXPECT_THAT(errors("", {repeated("streams={a", ".a", 100'000, "=1}")}),
              StartsWith("--set streams: error: a key has"));
  // What only looks like one.
  EXPECT_EQ(read(repeated("# ", ".a", 1'000, "\n") + repeated("about = 'See", ", e.g. this", 500, "'\n")).streams, 4u);
}

TEST(Texts, OfMoreThanAMegabyteAreRefused) {
  EXPECT_EQ(read(repeated("", "# a comment\n", 80'000, "streams = 3\n")).streams, 3u);
  EXPECT_THAT(errors(repeated("", "# a comment\n", 90'000, "")),
              AllOf(StartsWith("e.toml:1:1: error: "), HasSubstr("1048576 are the most")));
}

TEST(Texts, WithThousandsOfUnknownKeysNameAThousand) {
  std::string text;
  for (int i = 0; i < 5'000; ++i) text += fmt::format("key{} = 1\n", i);
  const std::string all = errors(text);
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 999);
}

TEST(ProgramsOfTheirOwn, RefuseThePipelinesSettings) {
  EXPECT_THAT(errors("program = 'host: sync device'", {"streams=4"}),
              AllOf(StartsWith("--set streams: error: "), HasSubstr("stream program of its own")));
}

TEST(Check, ReportsAllErrorsOfAStructFilledByHand) {
  EXPECT_TRUE(check(Experiment{}).has_value());
  Experiment e;
  e.streams = 0;
  test_support::set_kernel(e, "spin", {{"threads", 2048}, {"smem", -1}, {"duration", -1}});
  e.chunk = 0;
  const auto checked = check(e);
  ASSERT_FALSE(checked.has_value());
  EXPECT_THAT(checked.error().message, AllOf(HasSubstr("streams: error: "), HasSubstr("kernel.threads: error: "),
                                             HasSubstr("kernel.smem: error: "), HasSubstr("kernel.duration: error: "),
                                             HasSubstr("chunk: error: "), Not(HasSubstr("bytes: error"))));
  e = Experiment{};
  e.bytes = 0;
  EXPECT_FALSE(check(e).has_value());
}

TEST(Keys, AreAllExplained) {
  schema::each_member<Experiment>([](const auto& member) { EXPECT_FALSE(member.meaning.empty()) << member.key; });
  for (const std::string& key : keys::of_options()) {
    EXPECT_FALSE(keys::any_option_behind(key)->meaning.empty()) << key;
  }
  EXPECT_EQ(keys::all().size(), 45u);
  EXPECT_EQ(keys::of_options().size(), 22u);
}

}  // namespace
}  // namespace streamscope::experiment

// Programs of several devices: what is of which one, what CUDA refuses, and what orders what.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/program/order/order.h"
#include "engine/program/syntax/print.h"
#include "tests/engine/program/bad_input.h"
#include "tests/engine/program/dependencies.h"
#include "tests/support/program_of.h"

namespace streamscope::program {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr DeviceId kFirst{0}, kSecond{1};

constexpr std::string_view kAll = R"(buffer x 16MiB device=0,1
buffer y 16MiB device=1
buffer z 16MiB host=pageable device=2
stream A
stream B device=1 nonblocking priority=-1
streams S 2 device={1+1}
event e device=1
event quiet device=1 notiming blockingsync
host: peer 0 1 on
host: peer 1 2 on
A: h2d x
A: peer x[0:8MiB]@1 x[8MiB:8MiB]@0
A: record done
B: wait done
B: axpb x fma=16
B: record e
repeat 2 as i {
  host: device {i}
}
host: sync device
host: peer 0 1 off
)";

TEST(Devices, AreWrittenAndReadBack) {
  const std::string printed = print(parse(kAll).syntax);
  EXPECT_EQ(printed, kAll);
  const Program program = tests::program_of(printed);
  EXPECT_EQ(device_count(program), 3u);
  EXPECT_TRUE(has_side(program.buffers[0], kSecond));
  EXPECT_FALSE(has_side(program.buffers[1], kFirst));
  EXPECT_EQ(program.buffers[2].device, DeviceId{2});
  EXPECT_EQ(program.streams[3].device, kSecond);
  EXPECT_EQ(program.streams[5].device, DeviceId{2});
  EXPECT_THAT(
      tests::described(program),
      AllOf(Contains("operation 3, line 12: A: peer x[0:8388608]@1 x[8388608:8388608]@0"),
            Contains("operation 0, line 9: host: peer 0 1 on"), Contains("operation 8, line 18: host: device 0")));
}

TEST(Devices, ACopyBetweenThemIsWorkOfTheLinkOutOfTheOneThatIsRead) {
  const Program program = tests::program_of(kAll);
  const Operation& copy = program.operations[3];
  EXPECT_EQ(kind(copy.work), OperationKind::peer);
  EXPECT_EQ(engine_of(copy.work), Engine::peer);
  EXPECT_EQ(device_of(program, copy), kFirst);
  EXPECT_EQ(bytes(copy.work), 8u << 20);
}

TEST(Devices, AnEventIsOfTheStreamThatRecordsItFirst) {
  const Program program = tests::program_of("stream B device=1\nB: record e\nB: record e\nhost: sync e\n");
  EXPECT_EQ(program.events[0].device, kSecond);
}

TEST(Devices, TheRunEndsWhenAllOfThemAreDone) {
  EXPECT_THAT(tests::described(tests::program_of("stream B device=1\nB: spin 1us\n")),
              ElementsAre("operation 0, line 2: B: spin 1000ns blocks=1 threads=128 smem=0",
                          "operation 1, implied at the end: host: sync device",
                          "operation 2, implied at the end: host: device 1",
                          "operation 3, implied at the end: host: sync device"));
  const Program program = tests::program_of("stream B device=1\nhost: device 1\nB: spin 1us\nhost: sync device\n");
  EXPECT_EQ(std::get<op::SyncDevice>(program.operations[2].work).device, kSecond);
  EXPECT_EQ(std::get<op::SyncDevice>(program.operations.back().work).device, kFirst);
}

TEST(Devices, WhatHasNoStreamIsOfTheCurrentOne) {
  const Program program = tests::program_of(
      "buffer x 1MiB device=0,1\nhost: memcpy h2d x\nhost: device 1\nhost: memcpy h2d x\ndefault: memset x 1\n"
      "per-thread: memset x 2\nhost: malloc t 1MiB\nhost: create-stream C\nhost: create-event f\nC: axpb t fma=1\n"
      "C: record f\n");
  const auto of = [&](std::size_t i) { return device_of(program, program.operations[i]); };
  EXPECT_EQ(of(0), kFirst);
  EXPECT_EQ(of(2), kSecond);
  EXPECT_EQ(of(3), kSecond);
  EXPECT_EQ(of(4), kSecond);
  EXPECT_EQ(program.buffers[1].device, kSecond);
  EXPECT_EQ(of(8), kSecond);
  EXPECT_EQ(program.streams[program.operations[3].stream->value].name, "default@1");
  EXPECT_EQ(program.operations[2].stream, program.operations[3].stream);
  EXPECT_EQ(program.streams[program.operations[4].stream->value].name, "per-thread@1");
  EXPECT_TRUE(is_legacy(program, *program.operations[3].stream));
}

TEST(Devices, AThreadBeginsWithTheFirst) {
  const Program program = tests::program_of(
      "host: device 1\nthread T {\n  per-thread: spin 1us\n  host: device 1\n  per-thread: spin 1us\n}\n"
      "default: spin 1us\n");
  EXPECT_EQ(program.streams[program.operations[2].stream->value].name, "T.per-thread");
  EXPECT_EQ(program.streams[program.operations[4].stream->value].name, "T.per-thread@1");
  EXPECT_EQ(program.streams[program.operations[5].stream->value].name, "default@1");
}

// Rule 2, of each device by itself.
TEST(Devices, EachLegacyDefaultStreamWaitsForItsOwn) {
  const Program program = tests::program_of(
      "stream A\nstream B device=1\nA: spin 1us\nB: spin 1us\ndefault: spin 1us\nhost: device 1\ndefault: spin 1us\n"
      "A: spin 1us\nB: spin 1us\n");
  using enum DependencyKind;
  EXPECT_THAT(of(program, 2), ElementsAre(Dependency{0, legacy}));
  EXPECT_THAT(of(program, 4), ElementsAre(Dependency{1, legacy}));
  EXPECT_THAT(of(program, 5), ElementsAre(Dependency{0, stream}, Dependency{2, legacy}));
  EXPECT_THAT(of(program, 6), ElementsAre(Dependency{1, stream}, Dependency{4, legacy}));
}

TEST(Devices, ASynchronisationWaitsForTheCurrentOne) {
  const Program program = tests::program_of(
      "stream A\nstream B device=1\nA: spin 1us\nB: spin 1us\nhost: sync device\nhost: device 1\nhost: sync device\n"
      "A: spin 1us\nhost: sync default\n");
  using enum DependencyKind;
  EXPECT_THAT(of(program, 2), ElementsAre(Dependency{0, host}));
  EXPECT_THAT(of(program, 4), ElementsAre(Dependency{1, host}));
  EXPECT_THAT(of(program, 6), IsEmpty());  // the legacy stream of the second, which waits for its own
}

TEST(Devices, AStreamWaitsForAnEventOfAnother) {
  const Program program = tests::program_of("stream A\nstream B device=1\nA: record e\nB: wait e\n");
  EXPECT_THAT(of(program, 1), ElementsAre(Dependency{0, DependencyKind::event}));
}

TEST(Devices, HazardsAreOfOneSide) {
  const std::string head =
      "buffer x 1MiB device=0,1\nstream A nonblocking\nstream B device=1 nonblocking\nA: memset x 1\n";
  EXPECT_TRUE(hazards(tests::program_of(head + "B: memset x 2\n"), 9).empty());
  EXPECT_EQ(hazards(tests::program_of(head + "B: peer x@1 x@0\n"), 9).size(), 1u);
  EXPECT_EQ(hazards(tests::program_of(head + "B: peer x@0 x@1\n"), 9).size(), 1u);
  EXPECT_TRUE(hazards(tests::program_of(head + "A: record e\nB: wait e\nB: peer x@1 x@0\n"), 9).empty());
  EXPECT_EQ(hazards(tests::program_of(head + "A: record e\nB: wait e\nB: peer x@1 x@0\nA: memset x 3\n"), 9).size(),
            1u);
  // The host has one side for both.
  EXPECT_EQ(hazards(tests::program_of(head + "A: d2h x\nB: d2h x\n"), 9).size(), 1u);
}

TEST(Devices, TheFirstLineBeyondThoseThatThereAre) {
  const Program program = tests::program_of("stream A\nstream B device=2\nhost: device 1\nA: spin 1us\n");
  EXPECT_EQ(line_beyond(program, 1), 2u);
  EXPECT_EQ(line_beyond(program, 2), 2u);
  EXPECT_EQ(line_beyond(program, 3), 0u);
  EXPECT_EQ(line_beyond(tests::program_of("stream A\nhost: device 1\nA: spin 1us\n"), 1), 2u);
}

class WrongDevice : public ::testing::TestWithParam<Row> {};
TEST_P(WrongDevice, IsRefused) { expect_one_error(GetParam()); }
INSTANTIATE_TEST_SUITE_P(
    Rows, WrongDevice,
    ::testing::Values(
        Row{"stream A device=1\nevent e\nA: record e\n",
            3,
            11,
            {"'e' is an event of device 0", "device 1", "cudaErrorInvalidResourceHandle", "event e device=1"}},
        Row{"stream A\nstream B device=1\nA: record e\nB: record e\n", 4, 11, {"cudaErrorInvalidResourceHandle"}},
        Row{"buffer x 1MiB\nstream B device=1\nB: axpb x fma=1\n",
            3,
            9,
            {"'x' (line 1) has no side on device 1", "buffer x 1MiB device=0,1"}},
        Row{"buffer x 1MiB\nhost: device 1\nhost: memcpy h2d x\n", 3, 18, {"has no side on device 1"}},
        Row{"stream B device=1\nhost: malloc t 1MiB\nB: axpb t fma=1\n", 3, 9, {"'t' (line 2) is memory of device 0"}},
        Row{"buffer x 1MiB device=0,1\nstream A\nA: peer x@1 x@1\n", 3, 15, {"both sides are of device 1", "`d2d`"}},
        Row{"buffer x 1MiB device=0,1\nstream C device=2\nC: peer x@1 x@0\n", 3, 1, {"a stream of device 2"}},
        Row{"buffer x 1MiB device=0,1\nstream A\nA: peer x[0:16]@1 x[0:8]@0\n", 3, 19, {"16 bytes to, 8 bytes from"}},
        Row{"buffer x 1MiB device=0,1\nstream A\nA: peer x x\n", 3, 11, {"expected '@' and the device"}},
        Row{"buffer x 1MiB device=0,1\nstream A\nA: h2d x@1\n", 3, 9, {"found '@1'"}},
        Row{"buffer x 1MiB device=0,0\n", 1, 24, {"device 0 is named twice"}},
        Row{"buffer x 1MiB host=managed device=0,1\n", 1, 8, {"'x' is managed"}},
        Row{"stream A device=64\n", 1, 17, {"the number of a device must be from 0 to 63"}},
        Row{"host: peer 0 1 off\n", 1, 12, {"cudaErrorPeerAccessNotEnabled"}},
        Row{"host: peer 0 1 on\nhost: peer 1 0 on\n", 2, 12, {"since line 1", "cudaErrorPeerAccessAlreadyEnabled"}},
        Row{"host: peer 1 1 on\n", 1, 14, {"name two devices"}},
        Row{"thread T {\n  host: peer 0 1 on\n}\n", 2, 3, {"only the main thread"}},
        Row{"stream A\nstream B device=1\ngraph G on A {\n  A: record e\n  B: wait e\n  B: spin 1us\n  B: record f\n"
            "  A: wait f\n}\n",
            5,
            3,
            {"a graph is of one device"}},
        Row{"stream A\nstream B device=1\ngraph G on A {\n  A: spin 1us\n}\nB: launch G\n",
            6,
            11,
            {"'G' is captured from a stream of device 0"}}));

}  // namespace
}  // namespace streamscope::program

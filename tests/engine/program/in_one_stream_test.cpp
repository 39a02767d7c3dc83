// A program's operations in one stream: what is left out, and that nothing is lost.
#include "engine/program/order/in_one_stream.h"

#include <gmock/gmock.h>

#include "engine/program/order/order.h"
#include "tests/support/program_of.h"

namespace streamscope::program {
namespace {

using ::testing::ElementsAre;
using tests::described;
using tests::program_of;

TEST(InOneStream, WhatOrdersStreamsOnlyIsLeftOut) {
  const Program program = program_of(
      "buffer x 2MiB\nstreams S 2 nonblocking\nevent e\nevent f\nS0: h2d x\nS0: record e\nS1: wait e\nS1: axpb x "
      "fma=8\n"
      "S1: record f\nhost: sync f\nhost: work 5us\nS0: d2h x\nhost: sync S1\n");
  ASSERT_FALSE(is_in_one_stream(program));
  const auto serial = in_one_stream(program);
  ASSERT_TRUE(serial);
  EXPECT_TRUE(is_in_one_stream(*serial));
  EXPECT_THAT(
      described(*serial),
      ElementsAre("operation 0, line 5: serial: h2d x[0:2097152]",
                  "operation 1, line 8: serial: axpb x[0:2097152] fma=8 threads=256",
                  "operation 2, line 9: serial: record f", "operation 3, line 10: host: sync f",
                  "operation 4, line 11: host: work 5000ns", "operation 5, line 12: serial: d2h x[0:2097152]",
                  "operation 6, line 13: host: sync serial", "operation 7, implied at the end: host: sync device"));
  EXPECT_EQ(std::get<op::SyncEvent>(serial->operations[3].work).record, 2u) << "the record, where it is now";
}

TEST(InOneStream, ThreadsBecomeOne) {
  const Program program = program_of(
      "buffer x 1MiB\nstreams S 2 nonblocking\nS0: h2d x\nthread t {\nS1: spin 5us\nper-thread: spin 5us\n}\n"
      "S0: spin 5us\nhost: join t\n");
  ASSERT_FALSE(is_in_one_stream(program));
  const auto serial = in_one_stream(program);
  ASSERT_TRUE(serial);
  EXPECT_EQ(serial->threads.size(), 1u);
  EXPECT_EQ(serial->operations.size(), 5u);
  EXPECT_TRUE(is_in_one_stream(*serial));
  for (const Operation& operation : serial->operations) EXPECT_EQ(operation.thread, ThreadId{0});
}

TEST(InOneStream, AGraphBecomesAChain) {
  const Program program = program_of(
      "buffer x 1MiB\nstreams S 2 nonblocking\nevent e\nevent f\ngraph G on S0 {\nS0: record e\nS1: wait e\nS0: spin "
      "5us\n"
      "S1: memset x 7\nS1: record f\nS0: wait f\nS0: d2h x\n}\nS0: launch G\nS1: launch G\n");
  ASSERT_FALSE(is_in_one_stream(program));
  const auto serial = in_one_stream(program);
  ASSERT_TRUE(serial);
  EXPECT_TRUE(is_in_one_stream(*serial));
  ASSERT_EQ(serial->graphs.size(), 1u);
  const Graph& graph = serial->graphs[0];
  EXPECT_EQ(graph.body.size(), 3u);
  ASSERT_EQ(graph.nodes.size(), 3u);
  EXPECT_THAT(graph.nodes[0].after, ElementsAre());
  EXPECT_THAT(graph.nodes[2].after, ElementsAre(1u));
  ASSERT_EQ(serial->operations.size(), 9u);
  EXPECT_EQ(serial->operations[3].launch, 0u);
  EXPECT_EQ(serial->operations[5].launch, 4u);
}

TEST(InOneStream, ABlockingCopyTakesItsTurn) {
  const Program program = program_of("buffer x 1MiB\nstream A nonblocking\nA: spin 5us\nhost: memcpy d2h x\n");
  ASSERT_FALSE(is_in_one_stream(program)) << "it is in the legacy default stream";
  const auto serial = in_one_stream(program);
  ASSERT_TRUE(serial);
  const Dependencies dependencies(*serial);
  ASSERT_EQ(dependencies.of(1).size(), 1u);
  EXPECT_EQ(dependencies.of(1)[0], (Dependency{0, DependencyKind::legacy}));
}

TEST(InOneStream, SeveralDevicesTakeTurns) {
  const Program program = program_of(
      "buffer x 1MiB device=0,1\nstream A nonblocking\nstream B device=1 nonblocking\nevent e device=1\n"
      "A: h2d x\nB: h2d x\nB: axpb x fma=1\nB: record e\nA: wait e\nA: peer x@0 x@1\nhost: sync B\n");
  ASSERT_FALSE(is_in_one_stream(program));
  const auto serial = in_one_stream(program);
  ASSERT_TRUE(serial);
  EXPECT_EQ(device_count(*serial), 2u);
  EXPECT_THAT(
      described(*serial),
      ElementsAre(
          "operation 0, line 5: serial: h2d x[0:1048576]", "operation 1, implied at the end: serial: record turn1",
          "operation 2, implied at the end: serial@1: wait turn1", "operation 3, line 6: serial@1: h2d x[0:1048576]",
          "operation 4, line 7: serial@1: axpb x[0:1048576] fma=1 threads=256",
          "operation 5, implied at the end: serial@1: record turn2",
          "operation 6, implied at the end: serial: wait turn2",
          "operation 7, line 10: serial: peer x[0:1048576]@0 x[0:1048576]@1",
          "operation 8, line 11: host: sync serial@1", "operation 9, implied at the end: host: sync device",
          "operation 10, implied at the end: host: device 1", "operation 11, implied at the end: host: sync device"));
  EXPECT_EQ(serial->events[std::get<op::Record>(serial->operations[5].work).event.value].device, DeviceId{1});
  EXPECT_EQ(std::get<op::Wait>(serial->operations[6].work).record, 5u);
}

TEST(InOneStream, ABlockingCopyOfAnotherDeviceIsInItsLegacyStream) {
  const Program program = program_of(
      "buffer x 1MiB device=1\nstream A\nstream B device=1\nA: spin 5us\nhost: device 1\nhost: memcpy h2d x\n"
      "B: axpb x fma=1\n");
  const auto serial = in_one_stream(program);
  ASSERT_TRUE(serial);
  const Dependencies dependencies(*serial);
  const auto copy =
      std::ranges::find_if(serial->operations, [](const Operation& one) { return is_blocking_copy(one.work); });
  ASSERT_NE(copy, serial->operations.end());
  ASSERT_TRUE(copy->stream);
  EXPECT_TRUE(is_legacy(*serial, *copy->stream));
  EXPECT_EQ(serial->streams[copy->stream->value].device, DeviceId{1});
  const auto at = static_cast<OperationIndex>(copy - serial->operations.begin());
  ASSERT_EQ(dependencies.of(at).size(), 1u);  // the wait in its device's stream for what went before
  const Dependency behind = dependencies.of(at)[0];
  EXPECT_EQ(behind.kind, DependencyKind::legacy);
  EXPECT_TRUE(std::holds_alternative<op::Wait>(serial->operations[behind.on].work));
}

TEST(InOneStream, ThreadsOnSeveralDevicesBecomeOne) {
  const auto serial = in_one_stream(
      program_of("buffer x 1MiB\nstream A\nstream B device=1\nthread t {\nB: spin 5us\nhost: sync B\nhost: memcpy h2d "
                 "x\nhost: sync device\n}\nhost: join t\nhost: device 1\nhost: sync device\n"));
  ASSERT_TRUE(serial) << "the first device is the current one of both until the thread has ended";
  EXPECT_EQ(serial->threads.size(), 1u);
  EXPECT_THAT(
      described(*serial),
      ElementsAre(
          "operation 0, line 5: serial@1: spin 5000ns blocks=1 threads=128 smem=0",
          "operation 1, line 6: host: sync serial@1", "operation 2, implied at the end: serial@1: record turn0",
          "operation 3, implied at the end: serial: wait turn0", "operation 4, line 7: host: memcpy h2d x[0:1048576]",
          "operation 5, line 8: host: sync device", "operation 6, line 11: host: device 1",
          "operation 7, line 12: host: sync device", "operation 8, implied at the end: host: sync device",
          "operation 9, implied at the end: host: device 0", "operation 10, implied at the end: host: sync device"));
}

TEST(InOneStream, NotWhereThreadsMeanAnotherDevice) {
  EXPECT_FALSE(in_one_stream(program_of("stream A\nstream B device=1\nthread t {\nhost: device 1\nB: spin 5us\n}\n")));
  const auto behind_choice = [](const std::string& call) {
    return in_one_stream(program_of("buffer x 1MiB\nstream A\nstream B device=1\nB: spin 5us\nhost: device 1\nthread t "
                                    "{\n" +
                                    call + "\n}\n"))
        .has_value();
  };
  EXPECT_FALSE(behind_choice("host: sync device"));
  EXPECT_FALSE(behind_choice("host: malloc y 1MiB\nhost: free y"));
  EXPECT_FALSE(behind_choice("host: memcpy h2d x"));
  EXPECT_TRUE(behind_choice("A: h2d x\nhost: sync A\ndefault: spin 5us\nhost: work 5us")) << "it names its stream";
}

}  // namespace
}  // namespace streamscope::program

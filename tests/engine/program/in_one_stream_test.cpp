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
  EXPECT_THAT(described(*serial),
              ElementsAre("operation 0, line 5: serial: h2d x[0:2097152]", "operation 1, line 8: serial: axpb x[0:2097152] fma=8 threads=256",
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

TEST(InOneStream, NotOnSeveralDevices) {
  Program program = program_of("stream A\nstream B\nA: spin 5us\nB: spin 5us\n");
  program.streams[3].device = DeviceId{1};
  EXPECT_FALSE(is_in_one_stream(program));
  EXPECT_FALSE(in_one_stream(program));
}

}  // namespace
}  // namespace streamscope::program

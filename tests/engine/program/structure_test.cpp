// Graphs, threads, shared memory and allocation in a stream: what a right text comes to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/program/dependencies.h"
#include "tests/support/program_of.h"

namespace streamscope::program {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using enum DependencyKind;

// A forks to B and C and ends after both.
constexpr std::string_view kFork =
    "buffer x 4KiB\nbuffer y 4KiB\nstream A\nstream B\nstream C\n"
    "graph G on A {\n"
    "  A: h2d x\n"  // line 7
    "  A: record f\n"
    "  B: wait f\n"
    "  B: spin 1us\n"  // 10
    "  C: wait f\n"
    "  repeat 2 {\n"
    "    C: spin 2us\n"  // 13
    "  }\n"
    "  B: record b\n"
    "  C: record c\n"
    "  A: memset y 0\n"  // 17
    "  A: wait b\n"
    "  A: wait c\n"
    "}\n";

TEST(Graphs, RecordsAndWaitsBecomeEdges) {
  const Program p = tests::program_of(kFork);
  ASSERT_EQ(p.graphs.size(), 1u);
  const Graph& graph = p.graphs[0];
  EXPECT_EQ(graph.name, "G");
  EXPECT_EQ(p.streams[graph.origin.value].name, "A");
  EXPECT_EQ(graph.line, 6u);
  EXPECT_EQ(graph.body.size(), 12u);
  ASSERT_EQ(graph.nodes.size(), 5u);
  EXPECT_THAT(graph.nodes[0].after, IsEmpty());
  EXPECT_THAT(graph.nodes[1].after, ElementsAre(0u));
  EXPECT_THAT(graph.nodes[2].after, ElementsAre(0u));
  EXPECT_THAT(graph.nodes[3].after, ElementsAre(2u));
  EXPECT_THAT(graph.nodes[4].after, ElementsAre(0u));
  EXPECT_EQ(graph.body[graph.nodes[4].body].line, 17u);
  EXPECT_EQ(std::get<op::Wait>(graph.body[2].work).record, 1u);
  EXPECT_EQ(p.operations.size(), 1u) << "the body is not carried out where it stands";
}

// Of `host: capture` each call is an operation; an external record or wait is a node.
TEST(Graphs, AreCapturedByCallsInTheRun) {
  const Program p = tests::program_of(
      "event e\nstream A\nstream B\n"
      "graph G on A mode=global {\n"
      "  A: spin 1us\n"
      "  A: record f\n"
      "  B: wait f\n"
      "  host: capture-info B\n"
      "  B: wait e external\n"
      "  B: record g\n"
      "  A: wait g\n"
      "  A: record h external\n"
      "}\n"
      "host: capture G\nA: record e\nB: launch G\nA: wait h\n");
  const Graph& graph = p.graphs[0];
  EXPECT_EQ(graph.mode, CaptureMode::global);
  EXPECT_TRUE(graph.captured_in_run);
  EXPECT_EQ(graph.body.size(), 8u);
  ASSERT_EQ(graph.nodes.size(), 3u);
  EXPECT_THAT(graph.nodes[1].after, ElementsAre(0u)) << "the wait for e";
  EXPECT_THAT(graph.nodes[2].after, ElementsAre(0u, 1u)) << "the record of h";
  EXPECT_THAT(
      tests::described(p),
      ElementsAre(
          "operation 0, line 14: host: capture G",
          "operation 1, line 5: host: capture G, A: spin 1000ns blocks=1 threads=128 smem=0",
          "operation 2, line 6: host: capture G, A: record f", "operation 3, line 7: host: capture G, B: wait f",
          "operation 4, line 8: host: capture-info B", "operation 5, line 9: host: capture G, B: wait e external",
          "operation 6, line 10: host: capture G, B: record g", "operation 7, line 11: host: capture G, A: wait g",
          "operation 8, line 12: host: capture G, A: record h external", "operation 9, line 14: host: capture G",
          "operation 10, line 14: host: capture G", "operation 11, line 15: A: record e",
          "operation 12, line 16: B: launch G", "operation 13, line 5: B: spin 1000ns blocks=1 threads=128 smem=0",
          "operation 14, line 9: G.B: wait e external", "operation 15, line 12: B: record h external",
          "operation 16, line 17: A: wait h", "operation 17, implied at the end: host: sync device"));
  EXPECT_EQ(label(p, p.operations[0].work), "cudaStreamBeginCapture");
  EXPECT_EQ(label(p, p.operations[1].work), "cudaLaunchKernel");
  EXPECT_EQ(label(p, p.operations[8].work), "cudaEventRecordWithFlags");
  EXPECT_EQ(label(p, p.operations[9].work), "cudaStreamEndCapture");
  EXPECT_EQ(label(p, p.operations[10].work), "cudaGraphInstantiate");
  EXPECT_EQ(std::get<op::Wait>(p.operations[14].work).record, 11u) << "the latest before the launch";
  EXPECT_EQ(std::get<op::Wait>(p.operations[16].work).record, 15u) << "the node of the latest launch";
  const Dependencies dependencies(p);
  EXPECT_THAT(dependencies.of(14), ::testing::Contains(Dependency{11, event}));
  EXPECT_THAT(dependencies.of(16), ::testing::Contains(Dependency{15, event}));
  EXPECT_THAT(dependencies.of(1), IsEmpty()) << "under capture nothing runs";
}

TEST(Graphs, ExternalEventsOrderDataBetweenThemAndOthers) {
  const std::string text =
      "buffer x 4KiB\nevent e\nstream A nonblocking\nstream B nonblocking\n"
      "graph G on A {\n  A: wait e external\n  A: axpb x fma=1\n  A: record f external\n  A: spin 1us\n}\n"
      "B: h2d x\nB: record e\nA: launch G\n";
  EXPECT_TRUE(hazards(tests::program_of(text + "B: wait f\nB: d2h x\n")).empty());
  EXPECT_EQ(hazards(tests::program_of(text + "B: d2h x\n")).size(), 1u) << "behind the launch without a wait";
}

TEST(Graphs, EachNodeOfALaunchIsAnOperation) {
  const Program p = tests::program_of(std::string(kFork) + "B: launch G\nB: spin 5us\n");
  EXPECT_THAT(tests::described(p),
              ElementsAre("operation 0, line 21: B: launch G", "operation 1, line 7: B: h2d x[0:4096]",
                          "operation 2, line 10: G.B: spin 1000ns blocks=1 threads=128 smem=0",
                          "operation 3, line 13: G.C: spin 2000ns blocks=1 threads=128 smem=0",
                          "operation 4, line 13: G.C: spin 2000ns blocks=1 threads=128 smem=0",
                          "operation 5, line 17: B: memset y[0:4096] 0",
                          "operation 6, line 22: B: spin 5000ns blocks=1 threads=128 smem=0",
                          "operation 7, implied at the end: host: sync device"));
  for (OperationIndex i = 1; i <= 5; ++i) EXPECT_EQ(p.operations[i].launch, 0u);
  EXPECT_EQ(p.operations[6].launch, kNoOperation);
  const Stream& lane = p.streams[p.operations[2].stream->value];
  EXPECT_EQ(lane.of_graph, GraphId{0});
}

// docs/cuda-rules.md 20
TEST(Graphs, ALaunchComesAfterItsStreamAndTheStreamAfterAllItsLastNodes) {
  const Program p =
      tests::program_of(std::string(kFork) + "B: spin 1us\nB: launch G\nB: record e\nA: launch G\nhost: sync A\n");
  // 0 spin, 1 launch (2..6), 7 record, 8 launch (9..13), 14 sync
  EXPECT_THAT(of(p, 1), ElementsAre(Dependency{0, stream}));
  EXPECT_THAT(of(p, 2), ElementsAre(Dependency{1, graph}));
  EXPECT_THAT(of(p, 3), ElementsAre(Dependency{2, graph}));
  EXPECT_THAT(of(p, 5), ElementsAre(Dependency{4, graph}));
  EXPECT_THAT(of(p, 7), UnorderedElementsAre(Dependency{3, stream}, Dependency{5, stream}, Dependency{6, stream}));
  EXPECT_THAT(of(p, 8), UnorderedElementsAre(Dependency{3, graph}, Dependency{5, graph}, Dependency{6, graph}))
      << "the launch before of the same graph, in another stream";
  EXPECT_THAT(of(p, 14), UnorderedElementsAre(Dependency{10, host}, Dependency{12, host}, Dependency{13, host}));
}

TEST(Graphs, LegacyAndTheDeviceWaitForAllLastNodes) {
  const Program p = tests::program_of(std::string(kFork) + "A: launch G\ndefault: spin 1us\nC: spin 1us\n");
  EXPECT_THAT(of(p, 6), UnorderedElementsAre(Dependency{2, legacy}, Dependency{4, legacy}, Dependency{5, legacy}));
  EXPECT_THAT(of(p, 7), ElementsAre(Dependency{6, legacy}));
  EXPECT_THAT(of(p, 8), UnorderedElementsAre(Dependency{6, host}, Dependency{7, host}, Dependency{2, host},
                                             Dependency{4, host}, Dependency{5, host}));
}

TEST(Graphs, OfTwoNodesOfAStreamTheLaterOneIsWaitedFor) {
  const Program p = tests::program_of(
      "stream A\nstream B\ngraph G on A {\nA: spin 1us\nA: record a\nA: spin 2us\nA: record b\n"
      "B: wait a\nB: wait b\nB: spin 3us\nB: record c\nA: wait c\nA: spin 4us\n}\n");
  ASSERT_EQ(p.graphs[0].nodes.size(), 4u);
  EXPECT_THAT(p.graphs[0].nodes[2].after, ElementsAre(1u));
  EXPECT_THAT(p.graphs[0].nodes[3].after, ElementsAre(1u, 2u)) << "a direct edge that follows from others may stand";
}

TEST(Graphs, PerThreadAndNamesFromRepeats) {
  const Program p = tests::program_of(
      "graph G on per-thread {\nper-thread: spin 1us\n}\nstreams S 2\n"
      "repeat 2 as i {\ngraph H{i} on S{i} {\nS{i}: hostfn {i}us\n}\nS{i}: launch H{i}\n}\nper-thread: launch G\n");
  ASSERT_EQ(p.graphs.size(), 3u);
  EXPECT_EQ(p.graphs[2].name, "H1");
  EXPECT_EQ(p.operations.size(), 7u);
}

TEST(Graphs, EventsOfACaptureAreItsOwn) {
  const Program p = tests::program_of(
      "stream A\nstream B\nA: record e\ngraph G on A {\nA: record e\nB: wait e\nB: spin 1us\nB: record f\nA: wait "
      "f\n}\n"
      "B: wait e\nA: record f\nB: wait f\n");
  EXPECT_EQ(std::get<op::Wait>(p.operations[1].work).record, 0u);
  EXPECT_EQ(std::get<op::Wait>(p.operations[3].work).record, 2u);
}

TEST(Threads, FollowTheirStartAndAreJoinedAtTheEnd) {
  const Program p = tests::program_of(
      "stream A\nthread T {\n  A: spin 1us\n  per-thread: spin 2us\n  host: sync per-thread\n}\n"
      "repeat 2 as i {\n  thread U{i} {\n    host: work 1us\n  }\n}\nper-thread: spin 3us\nhost: join U1\nhost: sync "
      "device\n");
  EXPECT_THAT(
      tests::described(p),
      ElementsAre("operation 0, line 2: host: thread T",
                  "operation 1, line 3: A (thread T): spin 1000ns blocks=1 threads=128 smem=0",
                  "operation 2, line 4: T.per-thread (thread T): spin 2000ns blocks=1 threads=128 smem=0",
                  "operation 3, line 5: host (thread T): sync T.per-thread", "operation 4, line 8: host: thread U0",
                  "operation 5, line 9: host (thread U0): work 1000ns", "operation 6, line 8: host: thread U1",
                  "operation 7, line 9: host (thread U1): work 1000ns",
                  "operation 8, line 12: per-thread: spin 3000ns blocks=1 threads=128 smem=0",
                  "operation 9, line 13: host: join U1", "operation 10, line 14: host: sync device",
                  "operation 11, implied at the end: host: join T", "operation 12, implied at the end: host: join U0",
                  "operation 13, implied at the end: host: sync device"));
  EXPECT_EQ(p.streams[p.operations[2].stream->value].per_thread, ThreadId{1});
  ASSERT_EQ(p.threads.size(), 4u);
  EXPECT_EQ(p.threads[3].name, "U1");
}

// The order of issue decides what a wait is bound to, and what comes before what in a stream.
TEST(Threads, DependenciesFollowTheOrderOfIssue) {
  const Program p = tests::program_of(
      "stream A\nstream B\nA: record e\nthread T {\nA: spin 1us\nA: record e\n}\nB: wait e\nA: spin 2us\nhost: join "
      "T\n");
  // 0 record, 1 start, 2 spin, 3 record, 4 wait, 5 spin, 6 join, 7 sync
  EXPECT_THAT(of(p, 4), ElementsAre(Dependency{3, event}));
  EXPECT_THAT(of(p, 5), ElementsAre(Dependency{3, stream}));
  const std::vector<OperationIndex> issued{0, 1, 4, 5, 2, 3, 6, 7};
  EXPECT_THAT(of(p, 4, issued), ElementsAre(Dependency{0, event}));
  EXPECT_THAT(of(p, 5, issued), ElementsAre(Dependency{0, stream}));
  EXPECT_THAT(of(p, 2, issued), ElementsAre(Dependency{5, stream}));
  EXPECT_THAT(of(p, 3, issued), ElementsAre(Dependency{2, stream}));
  EXPECT_THAT(of(p, 7, issued), UnorderedElementsAre(Dependency{3, host}, Dependency{4, host}));
}

TEST(Threads, WhatOneThreadWaitedForAnotherHasNot) {
  const Program p = tests::program_of(
      "stream A\nA: spin 1us\nthread T {\nhost: sync A\nhost: sync A\n}\nhost: sync A\nhost: join T\n");
  // 0 spin, 1 start, 2 sync, 3 sync, 4 sync, 5 join, 6 sync
  EXPECT_THAT(of(p, 2), ElementsAre(Dependency{0, host}));
  EXPECT_THAT(of(p, 3), IsEmpty());
  EXPECT_THAT(of(p, 4), ElementsAre(Dependency{0, host}));
  const Program q = tests::program_of("stream A\nA: spin 1us\nhost: sync device\nthread T {\nhost: sync device\n}\n");
  EXPECT_THAT(of(q, 3), IsEmpty()) << "a thread knows what its starter had waited for";
  const Program r =
      tests::program_of("stream A\nA: spin 1us\nthread T {\nhost: sync device\n}\nhost: join T\nhost: sync device\n");
  EXPECT_THAT(of(r, 4), IsEmpty()) << "and hands on what it waited for";
}

TEST(Threads, IssueOrderFollowsTimeWithinEachThreadsOwn) {
  const Program p = tests::program_of(
      "stream A\ngraph G on A {\nA: spin 1us\nA: spin 1us\n}\n"
      "thread T {\nA: launch G\nhost: work 1us\n}\nhost: work 1us\nhost: work 2us\nhost: join T\n");
  // 0 start, 1 launch (2, 3), 4 work, 5 work, 6 work, 7 join, 8 sync
  const auto order = [&](std::vector<Nanoseconds> begin) { return issue_order(p, begin); };
  EXPECT_THAT(order({0, 10, kAbsent, kAbsent, 20, 5, 15, 30, 40}), ElementsAre(0u, 5u, 1u, 2u, 3u, 6u, 4u, 7u, 8u));
  EXPECT_THAT(order({0, 10, kAbsent, kAbsent, 20, 10, 20, 15, 40}), ElementsAre(0u, 5u, 1u, 2u, 3u, 6u, 4u, 7u, 8u))
      << "of one instant the threads in their order";
  EXPECT_THAT(order({0, 10, 0, 0, 5, 7, 8, 1, 1}), ElementsAre(0u, 5u, 6u, 1u, 2u, 3u, 4u, 7u, 8u))
      << "times that go back";
  const std::vector<Nanoseconds> unknown(9, kAbsent);
  EXPECT_THAT(order(unknown), ElementsAre(0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u));
}

TEST(Graphs, EdgesGrowWithTheNodesAndNotWithTheStreams) {
  const Program p = tests::program_of(
      "stream A\nstreams S 500\ngraph G on A {\nA: record f\nrepeat 500 as i {\nS{i}: wait f\nS{i}: spin 1us\n"
      "S{i}: record e{i}\nA: wait e{i}\n}\n}\n"
      "repeat 250 as i {\nA: launch G\ndefault: spin 1us\nhost: sync default\nthread T{i} {\nhost: sync device\n}\n"
      "host: join T{i}\nhost: sync device\n}\n");
  const Dependencies dependencies(p);
  std::size_t edges = 0;
  for (OperationIndex i = 0; i < p.operations.size(); ++i) edges += dependencies.of(i).size();
  EXPECT_GT(p.operations.size(), 120'000u);
  EXPECT_LT(edges, 6 * p.operations.size());
}

TEST(Memory, SharedAndStreamOrderedBuffers) {
  const Program p = tests::program_of(
      "buffer m 64 host=managed\nbuffer w 64 host=mapped\nstream A\n"
      "A: prefetch m[0:32] to=device\nA: axpb m fma=1\nA: prefetch m to=host\nA: d2d w m\nhost: sync A\nhost: touch w\n"
      "A: malloc t 1KiB\nA: memset t 0\nA: free t\nA: malloc t 2KiB\n");
  EXPECT_EQ(p.buffers[0].host, HostMemory::managed);
  EXPECT_EQ(p.buffers[1].host, HostMemory::mapped);
  const auto& prefetch = std::get<op::Prefetch>(p.operations[0].work);
  EXPECT_EQ(prefetch.range.bytes, 32u);
  EXPECT_EQ(prefetch.to, MemoryLocation::device);
  EXPECT_EQ(std::get<op::Prefetch>(p.operations[2].work).to, MemoryLocation::host);
  ASSERT_EQ(p.buffers.size(), 4u);
  EXPECT_TRUE(p.buffers[2].made_in_run && p.buffers[2].stream_ordered);
  EXPECT_EQ(std::get<op::MallocAsync>(p.operations[6].work).buffer, BufferId{2});
  EXPECT_EQ(std::get<op::FreeAsync>(p.operations[8].work).buffer, BufferId{2});
  EXPECT_EQ(std::get<op::MallocAsync>(p.operations[9].work).buffer, BufferId{3});
  EXPECT_EQ(describe(p, 6), "operation 6, line 10: A: malloc t 1024");
}

}  // namespace
}  // namespace streamscope::program

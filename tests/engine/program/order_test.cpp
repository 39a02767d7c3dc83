// What waits for what, by the rules of CUDA. Each test names the rule it holds the graph against.
#include "engine/program/order/order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "tests/engine/program/dependencies.h"
#include "tests/support/program_of.h"

namespace streamscope::program {

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using enum DependencyKind;

// Whether the graph orders the first before the second, directly or not (host waits hold back what is issued later).
bool ordered(const Program& program, OperationIndex first, OperationIndex second) {
  const Dependencies dependencies(program);
  std::vector<OperationIndex> open{second};
  std::vector<bool> seen(program.operations.size(), false);
  while (!open.empty()) {
    const OperationIndex at = open.back();
    open.pop_back();
    if (at == first) return true;
    if (seen[at]) continue;
    seen[at] = true;
    for (const Dependency& one : dependencies.of(at)) open.push_back(one.on);
    for (OperationIndex earlier = 0; earlier < at; ++earlier) {
      if (!ordered_in(program.operations[earlier])) open.push_back(earlier);
    }
  }
  return false;
}

// Rule 1
TEST(Order, AStreamRunsInIssueOrder) {
  const Program p = tests::program_of("stream A\nA: spin 1us\nA: record e\nA: spin 1us\n");
  EXPECT_THAT(of(p, 0), IsEmpty());
  EXPECT_THAT(of(p, 1), ElementsAre(Dependency{0, stream}));
  EXPECT_THAT(of(p, 2), ElementsAre(Dependency{1, stream}));
}

TEST(Order, StreamsAreIndependent) {
  const Program p = tests::program_of("stream A\nstream B\nA: spin 1us\nB: spin 1us\nper-thread: spin 1us\n");
  EXPECT_THAT(of(p, 1), IsEmpty());
  EXPECT_THAT(of(p, 2), IsEmpty());
}

// docs/cuda-rules.md 10: cudaMemcpy from pageable memory returns when the data is staged, before it has arrived; so a
// later wait for the legacy stream still has something to wait for. From pinned memory the call has waited already.
TEST(Order, ABlockingCopyFromPageableMemoryIsNotAwaited) {
  const std::string after = "host: memcpy h2d x\nhost: sync default\n";
  EXPECT_THAT(of(tests::program_of("buffer x 4MiB host=pageable\n" + after), 1), ElementsAre(Dependency{0, host}));
  EXPECT_THAT(of(tests::program_of("buffer x 4MiB\n" + after), 1), IsEmpty());
  const std::string back = "buffer x 4MiB host=pageable\nhost: memcpy d2h x\nhost: sync default\n";
  EXPECT_THAT(of(tests::program_of(back), 1), IsEmpty());
}

// Rule 2
TEST(Order, LegacyWaitsForAllBlockingStreamsAndTheyForIt) {
  const Program p = tests::program_of("stream A\nstream B\nA: spin 1us\ndefault: spin 1us\nB: spin 1us\n");
  EXPECT_THAT(of(p, 1), ElementsAre(Dependency{0, legacy}));
  EXPECT_THAT(of(p, 2), ElementsAre(Dependency{1, legacy}));
}

TEST(Order, NonblockingStreamsAreExemptInBothDirections) {
  const Program p = tests::program_of("stream A nonblocking\nA: spin 1us\ndefault: spin 1us\nA: spin 1us\n");
  EXPECT_THAT(of(p, 1), IsEmpty());
  EXPECT_THAT(of(p, 2), ElementsAre(Dependency{0, stream}));
}

TEST(Order, AWaitInLegacyIsABarrierToo) {
  const Program p = tests::program_of(
      "stream A\nstream B\nstream N nonblocking\n"
      "N: record e\nA: spin 1us\ndefault: wait e\nB: spin 1us\n");
  EXPECT_THAT(of(p, 2), UnorderedElementsAre(Dependency{0, event}, Dependency{1, legacy}));
  EXPECT_THAT(of(p, 3), ElementsAre(Dependency{2, legacy}));
}

TEST(Order, OnlyTheLatestLegacyOperationIsADirectDependency) {
  const Program p = tests::program_of(
      "stream A\nstream B\n"
      "A: spin 1us\ndefault: spin 1us\ndefault: spin 1us\nA: spin 1us\nA: spin 1us\nB: spin 1us\ndefault: spin 1us\n");
  EXPECT_THAT(of(p, 2), ElementsAre(Dependency{1, stream}));
  EXPECT_THAT(of(p, 3), UnorderedElementsAre(Dependency{0, stream}, Dependency{2, legacy}));
  EXPECT_THAT(of(p, 4), ElementsAre(Dependency{3, stream}));
  EXPECT_THAT(of(p, 5), ElementsAre(Dependency{2, legacy}));
  EXPECT_THAT(of(p, 6), UnorderedElementsAre(Dependency{2, stream}, Dependency{4, legacy}, Dependency{5, legacy}));
}

// Rule 3
TEST(Order, PerThreadIsABlockingStream) {
  const Program p = tests::program_of("per-thread: spin 1us\ndefault: spin 1us\nper-thread: spin 1us\n");
  EXPECT_THAT(of(p, 1), ElementsAre(Dependency{0, legacy}));
  EXPECT_THAT(of(p, 2), UnorderedElementsAre(Dependency{0, stream}, Dependency{1, legacy}));
}

// Rule 5
TEST(Order, AWaitIsBoundToTheLatestRecordSoFar) {
  const Program p = tests::program_of(
      "stream A\nstream B\n"
      "A: record e\nB: wait e\nA: spin 1us\nA: record e\nB: wait e\n");
  EXPECT_EQ(std::get<op::Wait>(p.operations[1].work).record, 0u);
  EXPECT_EQ(std::get<op::Wait>(p.operations[4].work).record, 3u);
  EXPECT_THAT(of(p, 1), ElementsAre(Dependency{0, event}));
  EXPECT_THAT(of(p, 4), UnorderedElementsAre(Dependency{1, stream}, Dependency{3, event}));
}

TEST(Order, AWaitForAnEventThatIsNotRecordedWaitsForNothing) {
  const Program p =
      tests::program_of("stream A\nstream B\nA: wait e\nB: record e\nA: wait e\nhost: sync f\nA: record f\n");
  EXPECT_EQ(std::get<op::Wait>(p.operations[0].work).record, kNoOperation);
  EXPECT_THAT(of(p, 0), IsEmpty());
  EXPECT_EQ(std::get<op::Wait>(p.operations[2].work).record, 1u);
  EXPECT_EQ(std::get<op::SyncEvent>(p.operations[3].work).record, kNoOperation);
  EXPECT_THAT(of(p, 3), IsEmpty());
}

TEST(Order, AWaitInTheStreamOfItsRecordNeedsNoEdge) {
  const Program p = tests::program_of("stream A\nA: record e\nA: wait e\n");
  EXPECT_THAT(of(p, 1), ElementsAre(Dependency{0, stream}));
}

// Rule 10, and host waits
TEST(Order, BlockingCopiesAreLegacyWork) {
  const Program p = tests::program_of("buffer x 4\nstream A\nA: spin 1us\nhost: memcpy h2d x\nA: spin 1us\n");
  EXPECT_THAT(of(p, 1), ElementsAre(Dependency{0, legacy}));
  EXPECT_THAT(of(p, 2), UnorderedElementsAre(Dependency{0, stream}, Dependency{1, legacy}));
}

TEST(Order, DeviceSynchronisationWaitsForTheLastOfEveryStream) {
  const Program p = tests::program_of(
      "stream A\nstream N nonblocking\n"
      "A: spin 1us\nA: spin 1us\nN: spin 1us\nper-thread: spin 1us\nhost: sync device\nA: spin 1us\nhost: sync "
      "device\n");
  EXPECT_THAT(of(p, 4), UnorderedElementsAre(Dependency{1, host}, Dependency{2, host}, Dependency{3, host}));
  EXPECT_THAT(of(p, 6), ElementsAre(Dependency{5, host})) << "what it waited for before is left out";
}

TEST(Order, StreamAndEventSynchronisationAndPolls) {
  const Program p = tests::program_of(
      "stream A\nstream B\n"
      "A: record e\nA: spin 1us\nB: spin 1us\nhost: sync e\nhost: sync A\nhost: poll B\nhost: poll e\nhost: sync A\n");
  EXPECT_THAT(of(p, 3), ElementsAre(Dependency{0, host}));
  EXPECT_THAT(of(p, 4), ElementsAre(Dependency{1, host}));
  EXPECT_THAT(of(p, 5), ElementsAre(Dependency{2, host}));
  EXPECT_THAT(of(p, 6), ElementsAre(Dependency{0, host}));
  EXPECT_THAT(of(p, 7), IsEmpty());
}

TEST(Order, SynchronisingLegacyWaitsForTheBlockingStreams) {
  const Program p = tests::program_of(
      "stream A\nstream N nonblocking\nA: spin 1us\nN: spin 1us\ndefault: spin 1us\nA: spin 1us\nhost: sync default\n");
  EXPECT_THAT(of(p, 4), UnorderedElementsAre(Dependency{2, host}, Dependency{3, host}));
}

TEST(Order, TheImpliedSynchronisationComesLast) {
  const Program p = tests::program_of("stream A\nA: spin 1us\nhost: work 1us\n");
  ASSERT_EQ(p.operations.size(), 3u);
  EXPECT_EQ(p.operations[2].line, 0u);
  EXPECT_THAT(of(p, 2), ElementsAre(Dependency{0, host}));
}

// A walk over the graph and the rules themselves agree on random programs.
TEST(Order, RandomProgramsAgreeWithTheRulesTakenOneByOne) {
  unsigned state = 7;
  const auto next = [&](unsigned below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 16) % below;
  };
  for (int round = 0; round < 200; ++round) {
    std::string text =
        "buffer x 64\nstream A\nstream B\nstream N nonblocking\nstream M nonblocking\nevent e0\nevent e1\n";
    const char* streams[] = {"A", "B", "N", "M", "default", "per-thread"};
    for (int i = 0; i < 24; ++i) {
      const std::string stream_name = streams[next(6)];
      const std::string event_name = next(2) == 0 ? "e0" : "e1";
      switch (next(8)) {
        case 0: text += stream_name + ": record " + event_name + "\n"; break;
        case 1: text += stream_name + ": wait " + event_name + "\n"; break;
        case 2: text += "host: sync " + (next(2) == 0 ? stream_name : event_name) + "\n"; break;
        case 3: text += next(4) == 0 ? "host: memcpy d2h x\n" : "host: work 1us\n"; break;
        default: text += stream_name + ": spin 1us\n"; break;
      }
    }
    const Program p = tests::program_of(text);
    // before[j][i]: i has ended before j starts, by the rules applied to every pair.
    const std::size_t n = p.operations.size();
    std::vector<std::vector<bool>> before(n, std::vector<bool>(n, false));
    const auto blocking = [&](StreamId id) { return !p.streams[id.value].nonblocking; };
    for (std::size_t j = 0; j < n; ++j) {
      const auto sj = ordered_in(p.operations[j]);
      for (std::size_t i = 0; i < j; ++i) {
        const auto si = ordered_in(p.operations[i]);
        bool direct = !si || is_blocking_copy(p.operations[i].work);
        if (si && sj) {
          direct |= *si == *sj;
          direct |= blocking(*si) && blocking(*sj) && (*si == kLegacyStream || *sj == kLegacyStream);
        }
        std::visit(
            [&](const auto& work) {
              using T = std::decay_t<decltype(work)>;
              if constexpr (requires { work.record; }) direct |= work.record == i;
              if constexpr (std::is_same_v<T, op::SyncDevice>) direct = true;
              if constexpr (std::is_same_v<T, op::SyncStream>) {
                direct |= si && (*si == work.stream || (work.stream == kLegacyStream && blocking(*si)));
              }
            },
            p.operations[j].work);
        if (!direct) continue;
        before[j][i] = true;
        for (std::size_t k = 0; k < i; ++k) before[j][k] = before[j][k] || before[i][k];
      }
    }
    // The walk below takes a blocking copy for no host wait, so compare only programs without one.
    const bool copies = text.find("memcpy") != std::string::npos;
    for (OperationIndex j = 0; j < n && !copies; ++j) {
      for (OperationIndex i = 0; i < j; ++i) ASSERT_EQ(ordered(p, i, j), before[j][i]) << text << i << " " << j;
    }
  }
}

TEST(Order, AMillionOperationsInAThousandStreams) {
  const Program p = tests::program_of(
      "streams S 1000\n"
      "repeat 1000 {\n"
      "  repeat 990 as i {\n    S{i}: spin 1us\n  }\n"
      "  default: spin 1us\n  host: sync default\n  S0: record e\n  S1: wait e\n  host: sync device\n"
      "}\n");
  const Dependencies dependencies(p);
  std::size_t edges = 0;
  for (OperationIndex i = 0; i < p.operations.size(); ++i) edges += dependencies.of(i).size();
  EXPECT_LT(edges, 6 * p.operations.size()) << "edges grow with the operations, not with the streams";
}

}  // namespace
}  // namespace streamscope::program

// Hazards in graphs, among threads, in shared memory and in memory that comes in stream order; and what two threads do
// in one stream or with one event in no order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "engine/program/diagnostic.h"
#include "engine/program/order/order.h"
#include "engine/program/read_program.h"

namespace streamscope::program {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kDeclared =
    "buffer x 1MiB\nbuffer y 1MiB\nbuffer m 1MiB host=managed\nbuffer w 1MiB host=mapped\nbuffer p 1MiB host=pageable\n"
    "stream A\nstream B\nstream M nonblocking\nstream N nonblocking\n";

struct Pair {
  OperationIndex first, second;
  friend bool operator==(const Pair&, const Pair&) = default;
  friend void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.first << "-" << pair.second; }
};
using Pairs = std::vector<Pair>;

Pairs found(const std::string& statements) {
  const auto read = read_program(std::string(kDeclared) + statements, "test");
  EXPECT_TRUE(read) << read.error().message;
  Pairs pairs;
  if (!read) return pairs;
  for (const Hazard& hazard : hazards(read->program)) pairs.push_back({hazard.first, hazard.second});
  return pairs;
}

struct Case {
  std::string statements;
  Pairs expected = {};
};

void expect(const std::vector<Case>& cases) {
  for (const Case& one : cases) EXPECT_EQ(found(one.statements), one.expected) << one.statements;
}

TEST(Disorder, BothSidesOfSharedMemoryAreTheSameBytes) {
  expect({
      {"A: axpb m fma=1\nhost: touch m\n", {{0, 1}}},
      {"A: axpb w fma=1\nhost: touch w\n", {{0, 1}}},
      {"A: axpb m fma=1\nhost: sync A\nhost: touch m\nB: axpb m fma=1\n"},
      {"A: axpb m[0:512KiB] fma=1\nhost: touch m[512KiB:512KiB]\n"},
      {"A: axpb m fma=1\nB: memset m 0\n", {{0, 1}}},
      {"A: axpb m fma=1\nB: prefetch m to=host\nhost: sync A\nhost: touch m\n"},
      {"A: d2d x m\nB: d2d w m\nM: memset m 0\n", {{0, 2}, {1, 2}}},
  });
}

TEST(Disorder, StreamOrderedMemory) {
  expect({
      {"A: malloc t 4KiB\nA: memset t 0\nA: free t\n"},
      {"A: malloc t 4KiB\nB: memset t 0\n", {{0, 1}}},
      {"A: malloc t 4KiB\nA: record e\nB: wait e\nB: memset t 0\nB: record f\nA: wait f\nA: free t\n"},
      {"A: malloc t 4KiB\nhost: sync A\nB: memset t 0\nA: free t\n", {{2, 3}}},
      {"A: malloc t 4KiB\nA: memset t 0\nB: free t\n", {{1, 2}}},
      {"A: malloc t 4KiB\nA: free t\nB: malloc t 4KiB\nB: memset t 0\n"},
      {"A: malloc t 4KiB\ndefault: memset t 0\nB: free t\n"},
      {"host: malloc t 4KiB\nA: memset t 0\nA: free t\n"},
      {"host: malloc t 4KiB\nA: memset t 0\nB: free t\n", {{1, 2}}},
      {"host: malloc t 4KiB\nA: memset t 0\nhost: free t\n"},
      {"A: malloc t 4KiB\nA: memset t 0\nhost: sync A\nhost: free t\n"},
      {"A: malloc t 4KiB\nA: memset t 0\nhost: free t\n", {{1, 2}}},
  });
}

const std::string kFork =
    "graph G on A {\nA: h2d x\nA: record f\nB: wait f\nB: axpb x fma=1\nA: memset y 0\nB: record j\nA: wait j\n}\n";

TEST(Disorder, NodesOfAGraphAreOrderedByItsEdges) {
  const std::string bad =
      "graph H on M {\nM: memset x 0\nM: record f\nN: wait f\nN: axpb x fma=1\nM: axpb x fma=1\nN: record j\nM: wait "
      "j\n}\n";
  expect({
      {kFork + "A: launch G\n"},
      {bad + "M: launch H\n", {{2, 3}}},
      {bad},
      {kFork + "A: launch G\nA: d2h x\nA: launch G\n"},
      {kFork + "M: launch G\nM: d2h y\nM: d2h x\n"},
      {kFork + "M: launch G\nN: d2h x\n", {{1, 4}, {2, 4}}},
      {kFork + "M: launch G\nM: record e\nN: wait e\nN: d2h x\nN: memset y 0\n"},
      {kFork + "M: launch G\nhost: sync M\nN: axpb x fma=1\nN: axpb y fma=1\n"},
      {kFork + "M: launch G\nhost: sync device\nN: axpb x fma=1\n"},
      {kFork + "N: memset x 0\nM: launch G\n", {{0, 2}}},
      {kFork + "N: memset x 0\nN: record e\nM: wait e\nM: launch G\n"},
      {kFork + "A: launch G\ndefault: spin 1us\nB: axpb x fma=1\n"},
      {kFork + "default: launch G\nB: axpb x fma=1\nB: axpb y fma=1\n"},
      {kFork + "B: memset x 0\ndefault: launch G\n"},
      {kFork + "M: launch G\ndefault: spin 1us\nB: axpb y fma=1\n", {{3, 5}}},
  });
}

// docs/cuda-rules.md 20
TEST(Disorder, LaunchesOfOneGraphAreOrderedWhateverTheirStreams) {
  expect({
      {kFork + "M: launch G\nN: launch G\nN: memset y 0\n"},
      {kFork + "M: memset x 0\nM: launch G\nN: launch G\nN: memset x 0\n"},
      {kFork + "default: launch G\nN: launch G\nN: memset x 0\n"},
      {kFork + "B: memset x 0\ndefault: launch G\nN: launch G\nN: memset x 0\n"},
      {kFork + "graph H on A {\nA: axpb x fma=1\n}\nM: launch G\nN: launch H\n", {{2, 5}}},
  });
}

TEST(Disorder, ThreadsAreOrderedByStartAndJoinOnly) {
  const auto thread = [](const std::string& body) { return "thread T {\n" + body + "}\n"; };
  expect({
      {"M: memset x 0\nhost: sync M\n" + thread("N: memset x 0\n")},
      {"M: memset x 0\n" + thread("host: sync M\nN: memset x 0\n")},
      {"M: memset x 0\n" + thread("N: memset x 0\n"), {{0, 2}}},
      {"M: memset x 0\n" + thread("M: memset x 0\n")},
      {thread("M: memset x 0\nhost: sync M\n") + "N: memset x 0\n", {{1, 3}}},
      {thread("M: memset x 0\nhost: sync M\n") + "host: join T\nN: memset x 0\n"},
      {thread("M: memset x 0\n") + "host: join T\nM: memset x 0\n"},
      {thread("M: memset x 0\n") + "host: join T\nN: memset x 0\n", {{1, 3}}},
      {thread("M: memset x 0\n") + "host: join T\nhost: sync M\nN: memset x 0\n"},
      {thread("M: memset x 0\n") + "host: sync M\nN: memset x 0\n", {{1, 3}}},
      {thread("M: memset x 0\n") + "host: sync device\nN: memset x 0\n", {{1, 3}}},
      {thread("M: memset x 0\n") + "M: memset x 0\n", {{1, 2}}},
      {thread("M: memset x 0\n") + "M: memset y 0\n"},
      {thread("host: touch x\n") + "host: touch x\n", {{1, 2}}},
      {thread("host: touch x\n") + "host: join T\nhost: touch x\n"},
      {"host: touch x\n" + thread("host: touch x\n")},
      {thread("host: touch x\n") + "A: h2d x\n", {{1, 2}}},
      {thread("host: memcpy h2d p\n") + "host: touch p\n", {{1, 2}}},
      {thread("host: memcpy h2d p\n") + "host: join T\nhost: touch p\n"},
      {thread("host: memcpy h2d x\n") + "host: join T\nN: memset x 0\n"},
      {thread("per-thread: memset x 0\n") + "per-thread: memset x 0\n", {{1, 2}}},
  });
}

TEST(Disorder, TheLegacyBarrierHoldsWithinWhatIsOrdered) {
  expect({
      {"thread T {\nA: memset x 0\n}\ndefault: spin 1us\nB: memset x 0\n", {{1, 3}}},
      {"thread T {\nA: memset x 0\n}\nhost: join T\ndefault: spin 1us\nB: memset x 0\n"},
      {"thread T {\nA: memset x 0\ndefault: spin 1us\n}\nhost: join T\nB: memset x 0\n"},
      {"A: memset x 0\nthread T {\ndefault: spin 1us\nB: memset x 0\n}\n"},
      {"thread T {\nA: memset x 0\ndefault: spin 1us\n}\nthread U {\nB: memset x 0\n}\n", {{1, 4}}},
      {"thread T {\nA: memset x 0\n}\nthread U {\nB: memset y 0\n}\nhost: join T\nhost: join U\ndefault: axpb x fma=1\n"
       "default: axpb y fma=1\n"},
      {"thread T {\ndefault: memset x 0\n}\nthread U {\ndefault: memset y 0\n}\nhost: join T\nhost: join U\n"
       "A: axpb x fma=1\nB: axpb y fma=1\n"},
      {"thread T {\nM: memset x 0\n}\nthread U {\nM: memset y 0\n}\nhost: join T\nhost: join U\n"
       "M: axpb x fma=1\nM: record e\nN: wait e\nN: axpb y fma=1\n"},
  });
}

TEST(Disorder, AnEventThatThreadsRaceForOrdersNothing) {
  expect({
      {"M: memset x 0\nM: record e\nthread T {\nN: wait e\nN: memset x 0\n}\n"},
      {"thread T {\nM: memset x 0\nM: record e\n}\nN: wait e\nN: memset x 0\n", {{1, 4}}},
      {"thread T {\nM: memset x 0\nM: record e\n}\nhost: sync e\nN: memset x 0\n", {{1, 4}}},
      {"M: memset x 0\nM: record e\nthread T {\nN: wait e\nN: memset x 0\n}\nA: record e\n", {{0, 4}}},
      {"thread T {\nM: memset x 0\nM: record e\n}\nhost: join T\nN: wait e\nN: memset x 0\n"},
  });
}

std::vector<std::string> warnings(const std::string& statements) {
  const auto read = read_program(std::string(kDeclared) + statements, "test");
  EXPECT_TRUE(read) << read.error().message;
  std::vector<std::string> all;
  if (!read) return all;
  for (const Diagnostic& one : read->warnings) all.push_back(format({one}, "t"));
  return all;
}

TEST(Disorder, IsReportedAtItsLocation) {
  const auto stream = warnings("thread T {\n  A: spin 1us\n}\n  A: spin 1us\n");
  ASSERT_EQ(stream.size(), 1u);
  EXPECT_THAT(stream[0],
              HasSubstr("t:13:3: warning: 'A' is given work here (line 13, A) and by line 11 (A of thread T)"));
  const auto event = warnings("thread T {\n  A: record e\n}\nB: wait e\n");
  ASSERT_EQ(event.size(), 1u);
  EXPECT_THAT(event[0], HasSubstr("t:13:1: warning: 'e' is used here"));
  EXPECT_TRUE(warnings("thread T {\nA: spin 1us\n}\nhost: join T\nA: spin 1us\n").empty());
  EXPECT_TRUE(warnings("A: spin 1us\nthread T {\nA: spin 1us\n}\nB: spin 1us\n").empty());
  EXPECT_TRUE(warnings("thread T {\nper-thread: spin 1us\n}\nper-thread: spin 1us\n").empty());
  const auto copies = warnings("thread T {\nhost: memcpy h2d x\n}\nhost: memcpy h2d y\n");
  ASSERT_EQ(copies.size(), 1u);
  EXPECT_THAT(copies[0], HasSubstr("'default' is given work"));
  const auto shared = warnings("A: axpb m fma=1\nhost: touch m\n");
  ASSERT_EQ(shared.size(), 1u);
  EXPECT_THAT(shared[0], HasSubstr("in memory that both sides share"));
  EXPECT_THAT(shared[0], HasSubstr("`host: sync A`"));
  const auto graph = warnings(kFork + "M: launch G\nhost: touch x\n");
  ASSERT_EQ(graph.size(), 1u);
  EXPECT_THAT(graph[0], HasSubstr("`host: sync M`"));
}

// Random programs with graphs and threads: wherever no hazard is found, any two operations on the same bytes are
// ordered by Dependencies in every order of issue that is tried; and of those found some order of issue shows the lack.
TEST(Disorder, AgreesWithDependenciesUnderRandomOrdersOfIssue) {
  std::mt19937 random(5);
  const auto pick = [&](unsigned below) { return random() % below; };
  int clean = 0, shown = 0, hazardous = 0;
  for (int round = 0; round < 200; ++round) {
    const char* streams[] = {"A", "B", "M", "N", "default", "per-thread"};
    const auto statement = [&]() -> std::string {
      const std::string stream = streams[pick(6)], event = pick(2) == 0 ? "e0" : "e1";
      switch (pick(12)) {
        case 0: return stream + ": record " + event + "\n";
        case 1: return stream + ": wait " + event + "\n";
        case 2: return "host: sync " + (pick(3) == 0 ? "device" : pick(2) == 0 ? stream : event) + "\n";
        case 3: return stream + ": launch G\n";
        case 4: return stream + ": launch H\n";
        default:
          return stream + ": axpb " + (pick(2) == 0 ? "x" : "y") + "[" + std::to_string(4 * pick(6)) + ":4] fma=1\n";
      }
    };
    std::string text =
        "buffer x 64\nbuffer y 64\nstream A\nstream B\nstream M nonblocking\nstream N nonblocking\nevent e0\nevent e1\n"
        "graph G on M {\nM: axpb x[0:4] fma=1\nM: record a\nN: wait a\nN: axpb x[4:4] fma=1\nA: wait a\nA: axpb y[0:4] "
        "fma=1\n"
        "N: record b\nA: record c\nM: wait b\nM: wait c\n}\n"
        "graph H on N {\nN: record d\nA: wait d\nA: axpb y[8:4] fma=1\nN: axpb x[8:4] fma=1\nA: record f\nN: wait "
        "f\n}\n";
    const bool threads = pick(3) != 0;
    for (int i = 0; i < 5; ++i) text += statement();
    if (threads) text += "thread T {\nrepeat 1 {\n";
    for (int i = 0; i < 4; ++i) text += statement();
    if (threads) text += "}\n}\n";
    for (int i = 0; i < 3; ++i) text += statement();
    if (threads && pick(2) == 0) text += "host: join T\n";
    for (int i = 0; i < 3; ++i) text += statement();
    const auto read = read_program(text, "random");
    if (!read) {  // two threads launch one graph
      ASSERT_THAT(read.error().message, HasSubstr("two threads at once"));
      continue;
    }
    const Program& p = read->program;
    const std::size_t n = p.operations.size();
    const auto touched = [&](OperationIndex i) -> std::optional<Range> {
      const auto* kernel = std::get_if<op::Kernel>(&p.operations[i].work);
      return kernel ? std::optional(kernel->range) : std::nullopt;
    };
    const auto all = hazards(p, 1'000'000);
    std::vector<bool> lacking(all.size(), false);
    for (int shuffle = 0; shuffle < 25; ++shuffle) {
      std::vector<Nanoseconds> begin(n);
      for (Nanoseconds& one : begin) one = static_cast<Nanoseconds>(random() % 30);
      const auto issued = shuffle == 0 ? std::vector<OperationIndex>{} : issue_order(p, begin);
      std::vector<OperationIndex> order = issued;
      if (order.empty()) {
        order.resize(n);
        std::iota(order.begin(), order.end(), 0u);
      }
      const Dependencies dependencies(p, issued);
      // before[j][i]: i has ended before j starts; of host work: before it is over. What a thread issues comes after
      // what it has waited for before.
      std::vector<std::vector<bool>> before(n, std::vector<bool>(n, false));
      std::vector<std::vector<bool>> host(p.threads.size(), std::vector<bool>(n, false));
      const auto add = [&](std::vector<bool>& to, const std::vector<bool>& from) {
        for (std::size_t i = 0; i < n; ++i) to[i] = to[i] || from[i];
      };
      for (const OperationIndex j : order) {
        const Operation& operation = p.operations[j];
        for (const Dependency& one : dependencies.of(j)) {
          before[j][one.on] = true;
          add(before[j], before[one.on]);
        }
        add(before[j], host[operation.thread.value]);
        if (!operation.stream) add(host[operation.thread.value], before[j]);
        if (const auto* start = std::get_if<op::StartThread>(&operation.work)) {
          host[start->thread.value] = host[0];
        }
        if (const auto* join = std::get_if<op::JoinThread>(&operation.work)) add(host[0], host[join->thread.value]);
      }
      if (all.empty()) {
        for (OperationIndex j = 0; j < n; ++j) {
          for (OperationIndex i = 0; i < j; ++i) {
            const auto one = touched(i), other = touched(j);
            if (!one || !other || one->buffer != other->buffer || one->offset != other->offset) continue;
            ASSERT_TRUE(before[j][i] || before[i][j]) << text << "\n" << describe(p, i) << "\n" << describe(p, j);
          }
        }
      }
      for (std::size_t h = 0; h < all.size(); ++h) {
        if (!before[all[h].second][all[h].first]) lacking[h] = true;
      }
    }
    clean += all.empty() ? 1 : 0;
    for (std::size_t h = 0; h < all.size(); ++h) {
      ++hazardous;
      shown += lacking[h] ? 1 : 0;
    }
  }
  EXPECT_GT(clean, 10);
  EXPECT_GT(shown, hazardous * 95 / 100) << "of " << hazardous;
}

TEST(Disorder, ManyLaunchesAndThreadsAreFollowed) {
  const auto read = read_program(
      "buffer x 1000KiB\nstream A\nstreams S 100 nonblocking\n"
      "graph G on A {\nA: record f\nrepeat 100 as i {\nS{i}: wait f\nrepeat 10 {\nS{i}: axpb x[{i}KiB:1KiB] fma=1\n}\n"
      "S{i}: record e{i}\nA: wait e{i}\n}\n}\n"
      "repeat 100 {\nA: launch G\n}\nhost: sync A\n"
      "repeat 100 as i {\nthread T{i} {\nrepeat 100 {\nS{i}: axpb x[{i}KiB:1KiB] fma=1\n}\n}\n}\n",
      "test");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(read->warnings.empty()) << format(read->warnings, "test");
  EXPECT_GT(read->program.operations.size(), 100'000u);
}

}  // namespace
}  // namespace streamscope::program

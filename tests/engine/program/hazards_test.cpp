// Accesses to the same bytes that nothing orders.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/program/diagnostic.h"
#include "engine/program/order/order.h"
#include "engine/program/read_program.h"

namespace streamscope::program {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kHazardDeclarations =
    "buffer x 1MiB\nbuffer y 1MiB\nbuffer p 1MiB host=pageable\n"
    "stream A\nstream B\nstream M nonblocking\nstream N nonblocking\n";
constexpr OperationIndex kNone = kNoOperation;

std::vector<Hazard> hazards_in(const std::string& statements) {
  const auto read = read_program(std::string(kHazardDeclarations) + statements, "test");
  EXPECT_TRUE(read) << read.error().message;
  return read ? hazards(read->program) : std::vector<Hazard>{};
}

struct HazardCase {
  std::string_view statements;
  OperationIndex first = kNone, second = kNone;  // none: no hazard
  bool on_host = false;
};

void expect(std::initializer_list<HazardCase> cases) {
  for (const HazardCase& one : cases) {
    const auto all = hazards_in(std::string(one.statements));
    if (one.first == kNone) {
      EXPECT_TRUE(all.empty()) << one.statements << all[0].first << " " << all[0].second;
      continue;
    }
    ASSERT_EQ(all.size(), 1u) << one.statements;
    EXPECT_EQ(all[0].first, one.first) << one.statements;
    EXPECT_EQ(all[0].second, one.second) << one.statements;
    EXPECT_EQ(all[0].on_host, one.on_host) << one.statements;
  }
}

TEST(Hazards, TwoStreamsOneRange) {
  expect({
      {"A: h2d x\nA: axpb x fma=1\nA: d2h x\n"},
      {"A: h2d x\nB: axpb x fma=1\n", 0, 1},
      {"A: h2d x[0:512]\nB: axpb x[512:512] fma=1\n"},
      {"A: h2d x[0:513]\nB: axpb x[512:512] fma=1\n", 0, 1},
      {"A: memset x 0\nB: memset y 0\n"},
      {"A: d2d y x[0:1MiB]\nB: d2h x\n"},
      {"A: d2d y x[0:1MiB]\nB: memset x 0\n", 0, 1},
      {"A: d2d y x[0:1MiB]\nB: memset y 0\n", 0, 1},
  });
}

TEST(Hazards, ReadsDoNotDisturbEachOtherButAWriteDisturbsAll) {
  expect({{"A: d2d y[0:4] x[0:4]\nB: d2d y[4:4] x[0:4]\n"}});
  const auto all = hazards_in("A: d2d y[0:4] x[0:4]\nB: d2d y[4:4] x[0:4]\nM: memset x 0\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].second, 2u);
  EXPECT_EQ(all[1].second, 2u);
}

TEST(Hazards, AttentionReadsThreeQuartersAndWritesTheLast) {
  expect({
      {"A: attention x\nB: d2h x[0:768KiB]\n"},
      {"A: attention x\nB: d2h x[768KiB:4]\n", 0, 1},
      {"A: attention x\nB: h2d x[0:4]\n", 0, 1},
      {"A: attention x\nA: d2h x\n"},
  });
}

TEST(Hazards, ReduceReadsOneRangeAndWritesTheOther) {
  expect({
      {"A: reduce y[0:1056] from x\nB: reduce y[1056:1056] from x\n"},
      {"A: reduce y[0:1056] from x\nB: reduce y[1052:8] from x blocks=2\n", 0, 1},
      {"A: reduce y[0:1056] from x\nB: d2h x\n"},
      {"A: reduce y[0:1056] from x\nB: h2d x[1048572:4]\n", 0, 1},
      {"A: reduce y[0:1056] from x\nB: d2h y[1052:4]\n", 0, 1},
      {"A: reduce y[0:1056] from x\nB: d2h y[1056:4]\n"},
      {"A: reduce y[0:1056] from x[4096:4096]\nB: h2d x[0:4096]\n"},
      {"A: reduce x[0:1056] from x[4096:4096]\nB: d2h x[4096:4096]\n"},
      {"A: reduce y[0:1056] from x\nA: record e\nB: wait e\nB: reduce x[0:4] from y[0:1056] blocks=1\n"},
  });
}

// The short form `h2d x[..]` has one range on both sides; a copy's value has two.
TEST(Hazards, ACopyTouchesOneRangeOnEachSide) {
  auto read = read_program(std::string(kHazardDeclarations) + "A: h2d x[0:4096]\nhost: touch y[8192:4096]\n", "test");
  ASSERT_TRUE(read);
  EXPECT_TRUE(hazards(read->program).empty());
  auto& copy = std::get<op::Copy>(read->program.operations[0].work);
  copy.host = {BufferId{1}, 8192, 4096};
  EXPECT_EQ(describe(read->program, 0), "operation 0, line 8: A: h2d x[0:4096] from y[8192:4096]");
  const auto found = hazards(read->program);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].buffer, BufferId{1});
  EXPECT_TRUE(found[0].on_host);
  copy.direction = Direction::d2h;
  EXPECT_EQ(describe(read->program, 0), "operation 0, line 8: A: d2h x[0:4096] to y[8192:4096]");
  copy.host.offset = 12288;
  EXPECT_TRUE(hazards(read->program).empty());
}

TEST(Hazards, EventsOrder) {
  expect({
      {"A: h2d x\nA: record e\nB: wait e\nB: axpb x fma=1\n"},
      {"A: record e\nA: h2d x\nB: wait e\nB: axpb x fma=1\n", 1, 3},
      {"B: wait e\nA: h2d x\nA: record e\nB: axpb x fma=1\n", 1, 3},
      {"M: h2d x\nM: record e\nA: wait e\nA: record f\nN: wait f\nN: axpb x fma=1\n"},
      {"A: h2d x\nA: record e\nB: wait e\nA: axpb x fma=1\nB: d2h x\n", 3, 4},
      {"A: h2d x\nA: record e\nA: axpb y fma=1\nA: record e\nB: wait e\nB: d2d x y\n"},
  });
}

TEST(Hazards, TheLegacyStreamOrdersBlockingStreamsOnly) {
  expect({
      {"A: h2d x\ndefault: spin 1us\nB: axpb x fma=1\n"},
      {"A: h2d x\ndefault: axpb x fma=1\nper-thread: d2h x\n"},
      {"M: h2d x\ndefault: spin 1us\nN: axpb x fma=1\n", 0, 2},
      {"M: h2d x\ndefault: axpb x fma=1\n", 0, 1},
      {"default: h2d x\nM: axpb x fma=1\n", 0, 1},
      {"default: h2d x\nA: record e\nM: wait e\nM: axpb x fma=1\n"},
      {"M: h2d x\nM: record e\ndefault: wait e\nB: axpb x fma=1\n"},
      {"M: h2d x\nM: record e\nA: wait e\ndefault: spin 1us\nB: axpb x fma=1\n"},
  });
}

TEST(Hazards, HostWaitsOrder) {
  expect({
      {"M: h2d x\nhost: sync device\nN: axpb x fma=1\n"},
      {"M: h2d x\nhost: sync M\nN: axpb x fma=1\n"},
      {"M: h2d x\nhost: poll M\nN: axpb x fma=1\n"},
      {"M: h2d x\nhost: sync N\nN: axpb x fma=1\n", 0, 2},
      {"M: h2d x\nM: record e\nhost: sync e\nN: axpb x fma=1\n"},
      {"M: h2d x\nM: record e\nhost: poll e\nN: axpb x fma=1\n"},
      {"M: record e\nM: h2d x\nhost: sync e\nN: axpb x fma=1\n", 1, 3},
      {"M: h2d x\nM: record e\nA: wait e\nhost: sync A\nN: axpb x fma=1\n"},
      {"A: h2d x\nhost: sync default\nN: axpb x fma=1\n"},
      {"M: h2d x\nhost: sync default\nN: axpb x fma=1\n", 0, 2},
      {"A: h2d x\nhost: memcpy h2d y\nN: axpb x fma=1\n"},
      // A stream's end does not wait for what the legacy stream was given behind its last operation.
      {"A: spin 1us\ndefault: h2d x\nhost: sync A\nN: axpb x fma=1\n", 1, 3},
      {"default: h2d x\nA: spin 1us\nhost: sync A\nN: axpb x fma=1\n"},
  });
}

TEST(Hazards, TheHostsSide) {
  expect({
      {"A: h2d x\nB: h2d x[0:4]\n", 0, 1, false},
      {"A: d2h x[0:4]\nB: d2h x[0:4]\n", 0, 1, true},
      {"A: h2d x\nhost: touch x\n", 0, 1, true},
      {"host: touch x\nA: h2d x\n"},
      {"A: d2h x\nhost: sync A\nhost: touch x\n"},
      {"M: d2h x\nhost: memcpy d2h x[0:4]\n", 0, 1, true},
      {"host: memcpy d2h x\nhost: touch x\n"},
      {"host: memcpy h2d x\nhost: touch x\nM: axpb x fma=1\n"},
  });
}

// Rule 10: the call returns after staging.
TEST(Hazards, ABlockingCopyFromPageableMemoryMayBePending) {
  expect({
      {"host: memcpy h2d p\nhost: touch p\n"},
      {"host: memcpy h2d p\nA: axpb p fma=1\n"},
      {"host: memcpy h2d p\nM: axpb p fma=1\n", 0, 1},
      {"host: memcpy h2d p\nhost: sync default\nM: axpb p fma=1\n"},
      {"host: memcpy d2h p\nM: axpb p fma=1\n"},
  });
}

TEST(Hazards, ALaterWriteStandsForWhatItFollows) {
  EXPECT_TRUE(
      hazards_in("A: h2d x\nA: record e\nB: wait e\nB: memset x 0\nB: record f\nM: wait f\nM: d2h x\n").empty());
}

TEST(Hazards, NoMoreThanAskedFor) {
  const auto read =
      read_program(std::string(kHazardDeclarations) + "repeat 100 {\nM: memset x 0\nN: memset x 0\n}\n", "test");
  ASSERT_TRUE(read);
  EXPECT_EQ(hazards(read->program, 5).size(), 5u);
  EXPECT_EQ(hazards(read->program, 0).size(), 0u);
  EXPECT_EQ(hazards(read->program, 1000).size(), 199u);
}

TEST(Hazards, AreWarningsWithBothLines) {
  const auto read = read_program("buffer x 1MiB\nstream A\nstream B\nA: h2d x\n  B: axpb x fma=1\n", "test");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->warnings.size(), 1u);
  EXPECT_EQ(read->warnings[0].line, 5u);
  EXPECT_EQ(read->warnings[0].column, 3u);
  EXPECT_EQ(read->warnings[0].severity, Diagnostic::Severity::warning);
  EXPECT_THAT(read->warnings[0].message, HasSubstr("line 5"));
  EXPECT_THAT(read->warnings[0].message, HasSubstr("line 4"));
  EXPECT_THAT(read->warnings[0].message, HasSubstr("'x'"));
}

TEST(Hazards, InARepeatAreReportedOnceForEachPairOfLines) {
  const auto read = read_program("buffer x 1MiB\nstreams S 2\nrepeat 1000 as i {\nS{i%2}: memset x 0\n}\n", "test");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->warnings.size(), 1u);
  EXPECT_THAT(read->warnings[0].message, HasSubstr("an earlier pass of this line"));
}

TEST(Hazards, ManyOperationsInManyStreamsAreFollowed) {
  const auto read = read_program(
      "buffer x 1000KiB\nstreams S 1000 nonblocking\n"
      "repeat 100 as r {\n"
      "repeat 1000 as i {\n"
      "S{i}: axpb x[{i}KiB:1KiB] fma=1\nS{i}: record e{i}\nS{(i+1)%1000}: wait e{i}\n"
      "}\n}\n",
      "test");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(read->warnings.empty()) << format(read->warnings, "test");
}

}  // namespace
}  // namespace streamscope::program

// Which record belongs to which operation: found where it is certain, left unknown where it is not.
#include "engine/reconstruct/activity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string_view>

#include "engine/device/blank_trace.h"
#include "engine/device/device.h"
#include "engine/reconstruct/reconstruct.h"
#include "tests/support/program_of.h"

namespace streamscope::reconstruct {
namespace {

using Kind = Activity::Kind;

// A run as CUPTI would record it. Operation i is called from 100 i to 100 i + 60 on the trace's axis, whose zero lies
// at kZero; its API call fills the middle of that.
class RecordedRun {
 public:
  static constexpr Nanoseconds kZero = 5'000'000;

  explicit RecordedRun(std::string_view text) {
    program = tests::program_of(text);
    seen.resize(program.operations.size());
    for (std::size_t i = 0; i < seen.size(); ++i) {
      seen[i].host_begin = 100 * static_cast<Nanoseconds>(i);
      seen[i].host_end = seen[i].host_begin + 60;
    }
  }

  // A call of the API at the time of operation i.
  RecordedRun& call(std::size_t i, std::uint32_t correlation) {
    const Nanoseconds begin = kZero + seen.at(i).host_begin;
    records.calls.push_back({correlation, 1, begin + 10, begin + 50});
    return *this;
  }
  RecordedRun& work(Kind kind, std::uint32_t correlation, std::uint64_t bytes, Nanoseconds start, Nanoseconds end,
                    std::uint64_t graph_node = 0) {
    records.activities.push_back({kind, correlation, bytes, graph_node, kZero + start, kZero + end, 0, kUncertainty});
    return *this;
  }
  MatchedActivities match() {
    matched = seen;
    return match_activities(program, records, names, kZero, matched);
  }

  static constexpr std::uint32_t kUncertainty = 7;
  program::Program program;
  std::vector<device::Observed> seen, matched;
  ActivityRecords records;
  RecordNames names;
};

constexpr std::string_view kThree =
    "buffer x 4KiB\n"
    "stream A\n"
    "A: h2d x\n"
    "A: spin 1us\n"
    "A: d2h x\n";

RecordedRun three() {
  RecordedRun run(kThree);
  run.call(0, 11).call(1, 12).call(2, 13);
  run.work(Kind::copy, 11, 4096, 1000, 1400);
  run.work(Kind::kernel, 12, 0, 1500, 2500);
  run.work(Kind::copy, 13, 4096, 2600, 3000);
  return run;
}

TEST(Activity, FindsEachOperationByItsCall) {
  RecordedRun run = three();
  const MatchedActivities said = run.match();
  EXPECT_EQ(said.found, 3u);
  EXPECT_EQ(said.missing, 0u);
  EXPECT_EQ(said.contradicting, 0u);
  EXPECT_EQ(said.foreign, 0u);
  EXPECT_EQ(said.first_unknown, kNoOperation);
  EXPECT_EQ(run.matched[0].start, 1000);
  EXPECT_EQ(run.matched[0].end, 1400);
  EXPECT_EQ(run.matched[1].start, 1500);
  EXPECT_EQ(run.matched[2].end, 3000);
  EXPECT_EQ(run.matched[1].source, trace::Source::cupti);
  EXPECT_EQ(run.matched[1].uncertainty, RecordedRun::kUncertainty);
  // The last synchronisation leaves no device work behind.
  EXPECT_FALSE(known(run.matched[3].end));
  EXPECT_EQ(run.matched[3].source, trace::Source::none);
}

TEST(Activity, TheRecordsOrderDoesNotMatter) {
  RecordedRun run = three();
  const MatchedActivities straight = run.match();
  const std::vector<device::Observed> expected = run.matched;
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    std::shuffle(run.records.calls.begin(), run.records.calls.end(), random);
    std::shuffle(run.records.activities.begin(), run.records.activities.end(), random);
    EXPECT_EQ(run.match().found, straight.found);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(run.matched[i].start, expected[i].start);
      EXPECT_EQ(run.matched[i].end, expected[i].end);
    }
  }
}

TEST(Activity, AMissingRecordLeavesItsOperationUnknownAndOthersRight) {
  RecordedRun run = three();
  run.records.activities.erase(run.records.activities.begin() + 1);
  const MatchedActivities said = run.match();
  EXPECT_EQ(said.found, 2u);
  EXPECT_EQ(said.missing, 1u);
  EXPECT_EQ(said.first_unknown, 1u);
  EXPECT_FALSE(known(run.matched[1].start));
  EXPECT_FALSE(known(run.matched[1].end));
  EXPECT_EQ(run.matched[1].source, trace::Source::none);
  EXPECT_EQ(run.matched[2].start, 2600);
}

TEST(Activity, AMissingCallLeavesItsRecordForeign) {
  RecordedRun run = three();
  run.records.calls.erase(run.records.calls.begin());
  const MatchedActivities said = run.match();
  EXPECT_EQ(said.found, 2u);
  EXPECT_EQ(said.missing, 1u);
  EXPECT_EQ(said.foreign, 1u);
  EXPECT_FALSE(known(run.matched[0].end));
}

TEST(Activity, ARecordWithoutTimesIsAsGoodAsMissing) {
  RecordedRun run = three();
  run.records.activities[2].start = run.records.activities[2].end = kAbsent;
  const MatchedActivities said = run.match();
  EXPECT_EQ(said.missing, 1u);
  EXPECT_EQ(said.contradicting, 0u);
  EXPECT_FALSE(known(run.matched[2].end));
}

// Before, during and after the run: its instrument's own calls, or another program's.
TEST(Activity, RecordsOfOthersAreForeign) {
  RecordedRun run = three();
  run.records.calls.push_back({91, 1, RecordedRun::kZero - 5000, RecordedRun::kZero - 4000});
  run.records.calls.push_back(
      {92, 1, RecordedRun::kZero + 62, RecordedRun::kZero + 98});  // between the calls of 0 and 1
  run.records.calls.push_back({93, 1, RecordedRun::kZero + 90'000, RecordedRun::kZero + 90'100});
  for (const std::uint32_t correlation : {91u, 92u, 93u, 94u}) run.work(Kind::kernel, correlation, 0, 1500, 2600);
  const MatchedActivities said = run.match();
  EXPECT_EQ(said.found, 3u);
  EXPECT_EQ(said.foreign, 4u);
  EXPECT_EQ(run.matched[1].end, 2500);
}

TEST(Activity, ASecondProgramsRecordsAreMatchedToItAlone) {
  RecordedRun first = three();
  RecordedRun second = three();
  constexpr Nanoseconds kLater = 1'000'000;
  ActivityRecords both = first.records;
  for (ApiCall call : second.records.calls) {
    both.calls.push_back({call.correlation + 100, 1, call.begin + kLater, call.end + kLater});
  }
  for (Activity activity : second.records.activities) {
    activity.correlation += 100;
    activity.start += kLater + 5;
    activity.end += kLater + 5;
    both.activities.push_back(activity);
  }
  std::vector<device::Observed> seen = second.seen;
  const MatchedActivities said = match_activities(second.program, both, {}, RecordedRun::kZero + kLater, seen);
  EXPECT_EQ(said.found, 3u);
  EXPECT_EQ(said.foreign, 3u);
  EXPECT_EQ(seen[1].start, 1505);
}

TEST(Activity, WhatDoesNotFitIsLeftUnknown) {
  struct Case {
    const char* what;
    void (*spoil)(RecordedRun&);
  };
  for (const Case& one : {
           Case{"another kind", [](RecordedRun& run) { run.records.activities[1].kind = Kind::memset; }},
           Case{"other bytes", [](RecordedRun& run) { run.records.activities[0].bytes = 4095; }},
           Case{"two kernels of one launch", [](RecordedRun& run) { run.work(Kind::kernel, 12, 0, 2500, 2550); }},
           Case{"a kernel in a copy's call", [](RecordedRun& run) { run.work(Kind::kernel, 11, 0, 1000, 1001); }},
           Case{"an end before the start", [](RecordedRun& run) { run.records.activities[1].end -= 1001; }},
           Case{"a start before its call",
                [](RecordedRun& run) { run.records.activities[0].start = RecordedRun::kZero - 8; }},
       }) {
    SCOPED_TRACE(one.what);
    RecordedRun run = three();
    one.spoil(run);
    const MatchedActivities said = run.match();
    EXPECT_EQ(said.found, 2u);
    EXPECT_EQ(said.contradicting, 1u);
    EXPECT_EQ(said.missing, 0u);
    ASSERT_NE(said.first_unknown, kNoOperation);
    EXPECT_FALSE(known(run.matched[said.first_unknown].start));
    EXPECT_FALSE(known(run.matched[said.first_unknown].end));
    EXPECT_EQ(run.matched[said.first_unknown].source, trace::Source::none);
  }
}

TEST(Activity, AStartWithinTheUncertaintyBeforeItsCallIsTaken) {
  RecordedRun run = three();
  run.records.activities[0].start = RecordedRun::kZero - RecordedRun::kUncertainty;
  EXPECT_EQ(run.match().found, 3u);
}

TEST(Activity, ACopyMayBeCarriedOutInParts) {
  RecordedRun run = three();
  run.records.activities[0].bytes = 1024;
  run.work(Kind::copy, 11, 3072, 1400, 1450);
  EXPECT_EQ(run.match().found, 3u);
  EXPECT_EQ(run.matched[0].start, 1000);
  EXPECT_EQ(run.matched[0].end, 1450);
}

// Without peer access it goes out of the one device and into the other, in parts, each recorded where it is carried out
// and with what that device's times can be off.
TEST(Activity, ACopyBetweenDevicesMayBeRecordedOnBoth) {
  constexpr std::string_view kPeer = "buffer x 4KiB device=0,1\nstream A\nA: peer x@1 x@0\n";
  RecordedRun whole(kPeer);
  whole.call(0, 11).work(Kind::copy, 11, 4096, 1000, 1100);
  EXPECT_EQ(whole.match().found, 1u);
  EXPECT_EQ(whole.matched[0].uncertainty, RecordedRun::kUncertainty);

  RecordedRun staged(kPeer);
  staged.call(0, 11).work(Kind::copy, 11, 2048, 1000, 1100).work(Kind::copy, 11, 2048, 1120, 1200);
  staged.work(Kind::copy, 11, 2048, 1110, 1190).work(Kind::copy, 11, 2048, 1210, 1300);
  for (std::size_t i : {2, 3}) {
    staged.records.activities[i].device = 1;
    staged.records.activities[i].uncertainty = 19;
  }
  EXPECT_EQ(staged.match().found, 1u);
  EXPECT_EQ(staged.matched[0].start, 1000);
  EXPECT_EQ(staged.matched[0].end, 1300);
  EXPECT_EQ(staged.matched[0].uncertainty, 19u);

  staged.records.activities.pop_back();
  EXPECT_EQ(staged.match().contradicting, 1u) << "a part is missing";
  RecordedRun twice(kThree);
  twice.call(0, 11).work(Kind::copy, 11, 4096, 1000, 1100).work(Kind::copy, 11, 4096, 1100, 1200);
  EXPECT_EQ(twice.match().contradicting, 1u) << "no copy of one device moves its bytes twice";
}

// The runtime's call and the driver's below it share one id.
TEST(Activity, TwoCallsOfOneOperationAreOne) {
  RecordedRun run = three();
  run.records.calls.push_back({12, 1, RecordedRun::kZero + 120, RecordedRun::kZero + 140});
  EXPECT_EQ(run.match().found, 3u);
}

TEST(Activity, AnIdThatTwoOperationsUsedBelongsToNeither) {
  RecordedRun run = three();
  run.records.calls[2].correlation = 11;
  run.records.activities.pop_back();
  const MatchedActivities said = run.match();
  EXPECT_EQ(said.found, 1u);
  EXPECT_EQ(said.missing, 2u);
  EXPECT_EQ(said.foreign, 1u);
}

// Calls of two host threads may overlap; a record in both could be either's.
TEST(Activity, ATimeInTwoIntervalsIsInNeither) {
  const std::vector<HostInterval> intervals = {{0, 1000}, {100, 200}, {300, 400}, {kAbsent, kAbsent}, {2000, 2100}};
  ActivityRecords records;
  const auto at = [&](std::uint32_t correlation, Nanoseconds begin, Nanoseconds end) {
    records.calls.push_back({correlation, 1, begin, end});
    records.activities.push_back({Kind::kernel, correlation, 0, 0, 1});
  };
  at(1, 20, 40);      // in the first alone
  at(2, 120, 140);    // in the first and the second
  at(3, 500, 540);    // after one that lies within the first: not certain either
  at(4, 1500, 1540);  // in none
  at(5, 1990, 2050);  // its middle in the last
  EXPECT_EQ(intervals_of(records, intervals), (std::vector<std::size_t>{0, kNoInterval, kNoInterval, kNoInterval, 4}));
}

TEST(Activity, OperationsWithoutDeviceWorkNeedNoRecord) {
  RecordedRun run(
      "buffer x 4KiB\nstream A\nevent e\nA: record e\nA: wait e\nA: hostfn 1us\nhost: work 1us\nhost: touch x\n"
      "host: sync A\nhost: poll A\n");
  run.call(6, 11);
  const MatchedActivities said = run.match();
  EXPECT_EQ(said.found + said.missing + said.contradicting, 0u);
  EXPECT_EQ(said.first_unknown, kNoOperation);
  for (const device::Observed& seen : run.matched) EXPECT_FALSE(known(seen.end));
}

TEST(Activity, EveryKindOfDeviceWorkIsExpected) {
  RecordedRun run(
      "buffer x 4KiB\nbuffer y 4KiB\nstream A\nA: d2d x y\nA: memset x 0\nA: axpb x fma=4\nhost: memcpy d2h x\n");
  run.call(0, 1).call(1, 2).call(2, 3).call(3, 4);
  run.work(Kind::copy, 1, 4096, 1000, 1010).work(Kind::memset, 2, 4096, 1010, 1020);
  run.work(Kind::kernel, 3, 0, 1020, 1030).work(Kind::copy, 4, 4096, 1030, 1040);
  EXPECT_EQ(run.match().found, 4u);
  EXPECT_EQ(run.matched[3].start, 1030);
}

// Whatever is lost, what is said is right.
TEST(Activity, LostRecordsNeverMakeAWrongTime) {
  std::string text = "buffer x 4KiB\nstream A\n";
  for (int i = 0; i < 40; ++i) text += i % 3 == 0 ? "A: h2d x\n" : i % 3 == 1 ? "A: spin 1us\n" : "A: memset x 1\n";
  std::mt19937 random(7);
  for (int round = 0; round < 100; ++round) {
    RecordedRun run(text);
    for (std::uint32_t i = 0; i < 40; ++i) {
      if (random() % 4 != 0) run.call(i, 1000 + i);
      const Nanoseconds start = 10'000 + 50 * i;
      const Kind kind = i % 3 == 0 ? Kind::copy : i % 3 == 1 ? Kind::kernel : Kind::memset;
      if (random() % 4 != 0) run.work(kind, 1000 + i, kind == Kind::kernel ? 0 : 4096, start, start + 20);
    }
    std::shuffle(run.records.calls.begin(), run.records.calls.end(), random);
    std::shuffle(run.records.activities.begin(), run.records.activities.end(), random);
    const MatchedActivities said = run.match();
    EXPECT_EQ(said.found + said.missing, 40u);
    EXPECT_EQ(said.contradicting, 0u);
    std::size_t found = 0;
    for (Nanoseconds i = 0; i < 40; ++i) {
      const device::Observed& seen = run.matched[static_cast<std::size_t>(i)];
      if (!known(seen.start)) continue;
      ++found;
      EXPECT_EQ(seen.start, 10'000 + 50 * i);
      EXPECT_EQ(seen.end, 10'020 + 50 * i);
    }
    EXPECT_EQ(said.found, found);
  }
}

// From records to spans: a copy's own start is kept, and does not give way to where its engine was free.
TEST(Activity, SpansHaveTheRecordsTimes) {
  RecordedRun run = three();
  run.match();
  std::vector<trace::Span> spans = device::blank_spans(run.program, device::frame_of(run.program, {}));
  reconstruct(run.program, program::Dependencies(run.program), run.matched, spans);
  EXPECT_EQ(spans[2].ready, 2500);
  EXPECT_EQ(spans[2].start, 2600);
  EXPECT_EQ(spans[2].end, 3000);
  EXPECT_EQ(spans[2].source, trace::Source::cupti);
}

TEST(Activity, BracketsBoundTheShift) {
  // Work that took 10 within 0..100: its record says 60..70, so at most 30 may be added and 60 taken away.
  const auto one = shift_of(std::vector<ActivityBracket>{{{0, 100}, 60, 70}});
  ASSERT_TRUE(one);
  EXPECT_EQ(one->low, -60);
  EXPECT_EQ(one->high, 30);
  const auto both = shift_of(std::vector<ActivityBracket>{{{0, 100}, 60, 70}, {{200, 230}, 205, 215}});
  ASSERT_TRUE(both);
  EXPECT_EQ(both->low, -5);
  EXPECT_EQ(both->high, 15);
  EXPECT_FALSE(shift_of({}));
  // Contradicting ones: the narrowest. One longer than its interval: none.
  const auto narrow = shift_of(std::vector<ActivityBracket>{{{0, 100}, 160, 170}, {{200, 230}, 205, 215}});
  ASSERT_TRUE(narrow);
  EXPECT_EQ(narrow->low, -5);
  EXPECT_FALSE(shift_of(std::vector<ActivityBracket>{{{0, 5}, 0, 10}}));
}

TEST(Activity, RecordsAreMovedNoFartherThanTheyMustBe) {
  const RecordShift none = choose_shift({0, -3, 5}, {100, -2, 9});
  EXPECT_EQ(none.shift, 0);
  EXPECT_EQ(none.uncertainty, 9);
  const RecordShift later = choose_shift({0, 4, 10}, {100, 6, 12});
  EXPECT_EQ(later.shift, 6);
  EXPECT_EQ(later.uncertainty, 6);
  // A line that drifted away between: the bound covers both ends.
  const RecordShift drifted = choose_shift({0, -2, 2}, {100, 20, 24});
  EXPECT_EQ(drifted.shift, 0);
  EXPECT_EQ(drifted.uncertainty, 24);
}

// Operations: 0 launch, 1 h2d, 2 spin, 3 d2h, 4 launch, 5 h2d, 6 spin, 7 d2h.
TEST(GraphNodesOfRecords, BelongToTheLaunchOfTheirCall) {
  RecordedRun run(
      "buffer x 4KiB\nstream A\ngraph G on A {\nA: h2d x\nA: spin 1us\nA: d2h x\n}\n"
      "A: launch G\nA: launch G\n");
  run.names.graph_nodes = {{71, 73, 79}};
  run.call(0, 11).call(4, 12);
  Nanoseconds time = 1'000;
  for (const std::uint32_t launch : {11u, 12u}) {
    run.work(Kind::copy, launch, 4096, time + 300, time + 400, 79);
    run.work(Kind::kernel, launch, 0, time + 200, time + 300, 73);
    run.work(Kind::copy, launch, 4096, time + 100, time + 200, 71);
    time += 1'000;
  }
  const MatchedActivities said = run.match();
  EXPECT_EQ(said.found, 6u);
  EXPECT_EQ(said.missing + said.contradicting + said.foreign, 0u);
  for (const auto& [operation, start] :
       {std::pair{1, 1'100}, {2, 1'200}, {3, 1'300}, {5, 2'100}, {6, 2'200}, {7, 2'300}}) {
    EXPECT_EQ(run.matched[static_cast<std::size_t>(operation)].start, start) << operation;
  }
}

TEST(GraphNodesOfRecords, ThatNobodyNamedBelongToNoOperation) {
  RecordedRun run("buffer x 4KiB\nstream A\ngraph G on A {\nA: h2d x\nA: spin 1us\n}\nA: launch G\n");
  run.names.graph_nodes = {{71, 0}};
  run.call(0, 11).work(Kind::copy, 11, 4096, 1'100, 1'200, 71).work(Kind::kernel, 11, 0, 1'200, 1'300, 73);
  run.work(Kind::kernel, 11, 0, 1'300, 1'400);
  const MatchedActivities said = run.match();
  EXPECT_EQ(said.found, 1u);
  EXPECT_EQ(said.missing, 1u);
  EXPECT_EQ(said.foreign, 2u);
}

// Both threads call at the same time; without their names it is not certain whose call it was.
TEST(ThreadsOfRecords, TellCallsApartThatOverlap) {
  RecordedRun run("streams S 2 nonblocking\nthread T {\nS1: spin 1us\n}\nS0: spin 1us\nhost: join T\n");
  std::size_t in_thread = 0, in_main = 0;
  for (std::size_t i = 0; i < run.program.operations.size(); ++i) {
    if (program::kind(run.program.operations[i].work) != OperationKind::kernel) continue;
    (run.program.operations[i].thread.value == 0 ? in_main : in_thread) = i;
  }
  run.seen[in_main].host_begin = run.seen[in_thread].host_begin = 1'000;
  run.seen[in_main].host_end = run.seen[in_thread].host_end = 1'100;
  run.records.calls = {{11, 501, RecordedRun::kZero + 1'010, RecordedRun::kZero + 1'050},
                       {12, 502, RecordedRun::kZero + 1'020, RecordedRun::kZero + 1'060}};
  run.work(Kind::kernel, 11, 0, 2'000, 3'000).work(Kind::kernel, 12, 0, 4'000, 5'000);
  EXPECT_EQ(run.match().found, 0u);
  run.names.threads = {501, 502};
  EXPECT_EQ(run.match().found, 2u);
  EXPECT_EQ(run.matched[in_main].start, 2'000);
  EXPECT_EQ(run.matched[in_thread].start, 4'000);
}

}  // namespace
}  // namespace streamscope::reconstruct

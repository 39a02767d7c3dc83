// Which operations of two runs are the same work, and where they differ most.
#include "engine/analysis/pairs_of_runs.h"

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <random>
#include <tuple>

#include "engine/trace/packed_spans.h"
#include "tests/support/timeline_run.h"

namespace streamscope::analysis {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::SizeIs;

struct Op {
  OperationKind kind = OperationKind::h2d;
  std::uint32_t stream = 0;  // "S0", "S1" ...
  std::uint32_t name = 0;
  Nanoseconds start = 0, end = 10;
  std::uint64_t bytes = 0;
};
// Times of a model: none is uncertain.
trace::Run run_of(const std::vector<Op>& operations, std::string program = "") {
  trace::Run run;
  run.program = std::move(program);
  run.trace.names = {"copy", "other"};
  run.trace.threads = {"main"};
  for (int i = 0; i < 4; ++i) run.trace.streams.push_back({"S" + std::to_string(i), true, 0});
  for (const Op& each : operations) {
    trace::Span span;
    span.operation = static_cast<OperationIndex>(run.trace.spans.size());
    span.kind = each.kind;
    span.stream = each.stream;
    span.name = each.name;
    span.engine = each.kind == OperationKind::kernel ? Engine::compute : Engine::h2d;
    span.start_source = span.source = trace::Source::model;
    span.start = each.start;
    span.end = each.end;
    span.bytes = each.bytes;
    span.ready = each.start;
    span.host_begin = each.start;
    span.host_end = each.start + 1;
    run.trace.spans.push_back(span);
  }
  return run;
}

TEST(PairsOfRuns, OneProgramPairsByOperation) {
  const std::vector<Op> all{{.stream = 0}, {.stream = 1}, {.kind = OperationKind::d2h}};
  trace::Run a = run_of(all, "text"), b = run_of({{.stream = 1}, {.stream = 0}, {.stream = 2}}, "text");
  b.trace.spans.erase(b.trace.spans.begin() + 1);  // operation 1 was not seen
  const PairedRuns paired = pair_runs(a, b);
  EXPECT_TRUE(paired.same_program);
  EXPECT_THAT(paired.of_first, ElementsAre(0u, kAlone, 1u));
  EXPECT_THAT(paired.of_second, ElementsAre(0u, 2u));
  EXPECT_EQ(paired.pairs, 2u);
  EXPECT_EQ(paired.alone_in_first, 1u);
  EXPECT_EQ(paired.alone_in_second, 0u);
}

TEST(PairsOfRuns, TheSameWorkOverOtherStreamsPairsInTheProgramsOrder) {
  const trace::Run a = run_of({{.stream = 0}, {.stream = 1}, {.stream = 0}, {.stream = 1}}, "two streams");
  const trace::Run b = run_of({{.stream = 0}, {.stream = 1}, {.stream = 2}, {.stream = 3}}, "four");
  EXPECT_THAT(pair_runs(a, b).of_first, ElementsAre(0u, 1u, 2u, 3u));
}

TEST(PairsOfRuns, WhereTheWorkDiffersTheStreamDecidesAndTheRestIsCounted) {
  const trace::Run a = run_of({{.stream = 0}, {.stream = 1}, {.stream = 0}, {.kind = OperationKind::kernel}}, "a");
  const trace::Run b = run_of({{.stream = 1}, {.stream = 1}, {.stream = 0}, {.stream = 3}, {.name = 1}}, "b");
  const PairedRuns paired = pair_runs(a, b);
  EXPECT_THAT(paired.of_first, ElementsAre(2u, 0u, kAlone, kAlone));
  EXPECT_THAT(paired.of_second, ElementsAre(1u, kAlone, 0u, kAlone, kAlone));
  EXPECT_EQ(paired.alone_in_first, 2u);
  EXPECT_EQ(paired.alone_in_second, 3u);
}

TEST(PairsOfRuns, RunsWithoutATextArePairedByWhatTheyDo) {
  const trace::Run a = run_of({{.kind = OperationKind::d2h}, {.kind = OperationKind::h2d}});
  const trace::Run b = run_of({{.kind = OperationKind::h2d}, {.kind = OperationKind::d2h}});
  const PairedRuns paired = pair_runs(a, b);
  EXPECT_FALSE(paired.same_program);
  EXPECT_THAT(paired.of_first, ElementsAre(1u, 0u));
}

TEST(PairsOfRuns, WhereTheDataIsCutOtherwiseItsPlaceDecides) {
  const trace::Run whole = run_of({{.bytes = 16}, {.stream = 1, .bytes = 16}}, "two chunks");
  const std::vector<Op> eight(8, {.stream = 2, .bytes = 4});
  const trace::Run cut = run_of(eight, "eight");
  EXPECT_THAT(pair_runs(whole, cut).of_first, ElementsAre(0u, 4u));
  EXPECT_THAT(pair_runs(cut, whole).of_first, ElementsAre(0u, kAlone, kAlone, kAlone, 1u, kAlone, kAlone, kAlone));
  // Neither size divides the other: 0 to 3 and 3 to 6 against 0 to 2, 2 to 4 and 4 to 6.
  const std::vector<Op> threes(2, {.bytes = 3}), twos(3, {.bytes = 2});
  EXPECT_THAT(pair_runs(run_of(threes, "threes"), run_of(twos, "twos")).of_first, ElementsAre(0u, 1u));
}

TEST(PairsOfRuns, OtherSizesAreHeldAgainstEachOtherPerByte) {
  const trace::Run a = run_of({{.end = 160, .bytes = 16}}, "a"), b = run_of({{.end = 30, .bytes = 4}}, "b");
  const PairDifference by = difference(a.trace, a.trace.spans[0], b.trace, b.trace.spans[0], 0);
  EXPECT_TRUE(by.per_byte);
  EXPECT_EQ(by.length, 120 - 160) << "30 ns for 4 bytes are 120 ns for 16";
  EXPECT_DOUBLE_EQ(by.ratio.value_or(0), 0.75);
  EXPECT_FALSE(difference(a.trace, a.trace.spans[0], a.trace, a.trace.spans[0], 0).per_byte);
}

// By the definition, word for word.
TEST(PairsOfRuns, AgreesWithBruteForce) {
  std::mt19937 random(7);
  const auto any = [&](std::uint32_t below) { return static_cast<std::uint32_t>(random() % below); };
  for (int round = 0; round < 300; ++round) {
    const auto make = [&](const char* program) {
      std::vector<Op> all(any(12));
      for (Op& each : all)
        each = {.kind = any(2) == 0 ? OperationKind::h2d : OperationKind::kernel, .stream = any(3), .name = any(2)};
      return run_of(all, program);
    };
    const trace::Run a = make("a"), b = make("b");
    using KindAndName = std::tuple<OperationKind, std::uint32_t>;
    std::map<KindAndName, std::pair<int, int>> counts;
    for (const trace::Span& each : a.trace.spans) ++counts[{each.kind, each.name}].first;
    for (const trace::Span& each : b.trace.spans) ++counts[{each.kind, each.name}].second;
    std::vector<std::uint32_t> wanted(a.trace.spans.size(), kAlone);
    const auto key = [&](const trace::Span& span) {
      const auto [here, there] = counts[{span.kind, span.name}];
      return std::tuple(span.kind, span.name, here == there ? 0 : span.stream);
    };
    for (std::uint32_t i = 0; i < wanted.size(); ++i) {
      int occurrence = 0;
      for (std::uint32_t before = 0; before < i; ++before)
        occurrence += key(a.trace.spans[before]) == key(a.trace.spans[i]) ? 1 : 0;
      for (std::uint32_t j = 0; j < b.trace.spans.size(); ++j)
        if (key(b.trace.spans[j]) == key(a.trace.spans[i]) && occurrence-- == 0) wanted[i] = j;
    }
    const PairedRuns paired = pair_runs(a, b);
    ASSERT_EQ(paired.of_first, wanted) << round;
    for (std::uint32_t j = 0; j < paired.of_second.size(); ++j) {
      const std::uint32_t i = paired.of_second[j];
      ASSERT_TRUE(i == kAlone || paired.of_first[i] == j);
    }
    ASSERT_EQ(paired.pairs + paired.alone_in_second, b.trace.spans.size());
  }
}

TEST(PairsOfRuns, ATraceOfAnotherToolIsPairedToo) {
  trace::Run a = run_of({{.stream = 0}, {.stream = 1}}), b = a;
  b.trace.packed = std::make_shared<const trace::PackedSpans>(std::exchange(b.trace.spans, {}));
  const PairedRuns paired = pair_runs(a, b);
  EXPECT_THAT(paired.of_first, ElementsAre(0u, 1u));
  EXPECT_THAT(worst_first(a.trace, b.trace, paired, WorstBy::length, 0), SizeIs(2));
}

TEST(PairsOfRuns, BeginningsGiveTheOffsetOfTheSecond) {
  const trace::Run a = run_of({{.start = 100, .end = 120}}), b = run_of({{.start = 30, .end = 50}});
  EXPECT_EQ(pair_runs(a, b).first_call, 70);
  EXPECT_EQ(pair_runs(a, b).first_work, 70);
  EXPECT_EQ(pair_runs(a, run_of({})).first_work, std::nullopt);
}

TEST(PairDifference, IsTheSecondLessTheFirst) {
  const trace::Run a = run_of({{.start = 100, .end = 200}}), b = run_of({{.start = 150, .end = 300}});
  const PairDifference found = difference(a.trace, a.trace.spans[0], b.trace, b.trace.spans[0], -20);
  EXPECT_EQ(found.length, 50);
  EXPECT_EQ(found.by.start, 30);
  EXPECT_EQ(found.by.end, 80);
  EXPECT_EQ(found.ratio, 1.5);
  EXPECT_FALSE(found.within_noise()) << "a model is sure";
}

TEST(PairDifference, SmallerThanBothRunsUncertaintiesItIsMarked) {
  trace::Run a = run_of({{.start = 100, .end = 200}}), b = run_of({{.start = 100, .end = 230}});
  for (trace::Run* each : {&a, &b}) {
    trace::Span& span = each->trace.spans[0];
    span.start_source = span.source = trace::Source::host;
    span.start_uncertainty = span.uncertainty = 8;
  }
  const auto found = [&] { return difference(a.trace, a.trace.spans[0], b.trace, b.trace.spans[0], 0); };
  EXPECT_EQ(found().noise, 32);
  EXPECT_TRUE(found().within_noise());
  b.trace.spans[0].end = 233;
  EXPECT_FALSE(found().within_noise());
  b.trace.spans[0].end = 168;
  EXPECT_TRUE(found().within_noise());
}

TEST(PairDifference, UnknownTimesGiveUnknownDifferences) {
  trace::Run a = run_of({{.start = 100, .end = 200}}), b = a;
  b.trace.spans[0].end = kAbsent;
  const PairDifference found = difference(a.trace, a.trace.spans[0], b.trace, b.trace.spans[0], 5);
  EXPECT_FALSE(known(found.length));
  EXPECT_FALSE(known(found.by.end));
  EXPECT_EQ(found.by.start, 5);
  EXPECT_EQ(found.ratio, std::nullopt);
}

TEST(WorstFirst, SortsByTheSizeOfTheChangeWhicheverItsSign) {
  const trace::Run a =
      run_of({{.start = 0, .end = 100}, {.start = 0, .end = 100}, {.start = 0, .end = 10}, {.end = 50}}, "x");
  trace::Run b =
      run_of({{.start = 5, .end = 110}, {.start = 0, .end = 70}, {.start = 90, .end = 120}, {.end = 50}}, "x");
  const PairedRuns paired = pair_runs(a, b);
  const auto by = [&](WorstBy what) { return worst_first(a.trace, b.trace, paired, what, 0); };
  EXPECT_THAT(by(WorstBy::length), ElementsAre(1u, 2u, 0u, 3u));  // -30, +20, +5, 0
  EXPECT_THAT(by(WorstBy::start), ElementsAre(2u, 0u, 1u, 3u));
  EXPECT_THAT(by(WorstBy::end), ElementsAre(2u, 1u, 0u, 3u));
  EXPECT_THAT(by(WorstBy::ratio), ElementsAre(2u, 1u, 0u, 3u));
  EXPECT_THAT(by(WorstBy::program), ElementsAre(0u, 1u, 2u, 3u));
  b.trace.spans[1].end = kAbsent;
  EXPECT_THAT(by(WorstBy::length), ElementsAre(2u, 0u, 3u, 1u)) << "unknown: last";
}

TEST(TotalChanges, CompareTheWholeRuns) {
  const trace::Run a = testing::pipeline_run({.streams = 1}), b = testing::pipeline_run({.streams = 4});
  const Analysis of_a = analyse(a), of_b = analyse(b);
  const FigureNoise noise_a = figure_noise(a, of_a), noise_b = figure_noise(b, of_b);
  const auto all = total_changes({a, of_a, noise_a}, {b, of_b, noise_b});
  std::vector<std::string_view> names;
  for (const TotalChange& each : all) names.push_back(each.first.name);
  EXPECT_THAT(names, ElementsAre("Makespan", "Wall", "Serial", "Speed-up", "Overlap", "Idle", "Waiting when ready",
                                 "Host calls", "H2D engine busy", "D2H engine busy", "Compute busy"));
  EXPECT_EQ(all[0].first.value, static_cast<double>(of_a.makespan));
  EXPECT_NEAR(*all[0].ratio(), static_cast<double>(of_b.makespan) / static_cast<double>(of_a.makespan), 1e-12);
  EXPECT_EQ(all[4].ratio(), std::nullopt) << "a share of two different makespans";
  EXPECT_DOUBLE_EQ(all[4].by(), of_b.overlap - of_a.overlap);
  EXPECT_DOUBLE_EQ(all[4].noise(), noise_a.overlap + noise_b.overlap);
  EXPECT_EQ(all[8].first.value, all[8].second.value);
}

}  // namespace
}  // namespace streamscope::analysis

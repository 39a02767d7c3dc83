// Readings of many passes become one reading each.
#include "engine/measure/sampling.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "tests/support/program_of.h"

namespace streamscope::measure {
namespace {

device::Observed event(Nanoseconds end, std::uint32_t uncertainty = 0) {
  device::Observed seen;
  seen.end = end;
  seen.source = trace::Source::event;
  seen.uncertainty = uncertainty;
  return seen;
}
device::Observed stamps(Nanoseconds start, Nanoseconds end) {
  device::Observed seen;
  seen.start = start;
  seen.end = end;
  seen.source = trace::Source::stamp;
  return seen;
}
device::Observed call(Nanoseconds begin, Nanoseconds end, device::Observed seen = {}) {
  seen.host_begin = begin;
  seen.host_end = end;
  return seen;
}

TEST(SharesOfPasses, AsManyPassesInARowAsThereAreSharesSeeEachOperationOnce) {
  for (std::uint32_t of = 1; of <= 64; ++of) {
    for (std::size_t first : {std::size_t{0}, std::size_t{1}, std::size_t{of}, std::size_t{1'000'003}}) {
      std::set<std::uint32_t> phases;
      for (std::size_t pass = first; pass < first + of; ++pass) {
        const device::Share share = share_of_pass(pass, of);
        EXPECT_EQ(share.of, of);
        EXPECT_LT(share.phase, of);
        phases.insert(share.phase);
      }
      EXPECT_EQ(phases.size(), of) << of << " from pass " << first;
    }
  }
}

TEST(SharesOfPasses, NeighboursInTimeAreFarApartInTheProgram) {
  for (std::uint32_t of = 8; of <= 64; ++of) {
    const std::uint32_t a = share_of_pass(0, of).phase, b = share_of_pass(1, of).phase;
    const std::uint32_t apart = a < b ? b - a : a - b;
    EXPECT_GE(std::min(apart, of - apart), of / 4) << of;
  }
}

TEST(SharesOfPasses, NoShareIsAll) { EXPECT_EQ(share_of_pass(5, 0).of, 1u); }

// One copy and one kernel, one pass after the other.
struct CopyThenKernel : ::testing::Test {
  const program::Program program = tests::program_of("buffer x 1MiB\nstream A\nA: h2d x\nA: spin 1us\n");
  static std::vector<device::Observed> pass(const device::Observed& copy, const device::Observed& kernel) {
    return {copy, kernel, call(5'000, 90'000)};
  }
};

TEST_F(CopyThenKernel, WhatEveryPassSeesBecomesItsMedian) {
  Sampling sampling(program, 3);
  sampling.add(pass(call(0, 1'000), call(1'000, 2'000, stamps(100'000, 110'000))));
  sampling.add(pass(call(0, 1'400), call(1'400, 2'300, stamps(180'000, 190'000))));
  sampling.add(pass(call(0, 1'200), call(1'200, 2'500, stamps(102'000, 113'000))));
  const auto merged = sampling.merged();
  ASSERT_EQ(merged.size(), 3u);
  EXPECT_EQ(merged[0].host_end, 1'200);
  EXPECT_EQ(merged[1].host_end, 2'300);
  EXPECT_EQ(merged[1].start, 102'000);
  EXPECT_EQ(merged[1].end, 113'000);
  EXPECT_EQ(merged[1].source, trace::Source::stamp);
  EXPECT_EQ(merged[1].samples, 3u);
  EXPECT_EQ(merged[1].spread, 40'000u) << "of three, half the range";
  EXPECT_EQ(merged[2].samples, 3u) << "host work is seen by its call";
  EXPECT_EQ(merged[2].spread, 0u);
}

TEST_F(CopyThenKernel, WhatNoPassSawStaysUnknown) {
  Sampling sampling(program, 1);
  sampling.add(pass(call(0, 1'000), call(1'000, 2'000, stamps(100'000, 110'000))));
  const auto merged = sampling.merged();
  EXPECT_FALSE(known(merged[0].end));
  EXPECT_EQ(merged[0].source, trace::Source::none);
  EXPECT_EQ(merged[0].samples, 0u);
  EXPECT_EQ(merged[0].host_begin, 0);
}

// The copy ends 2 us before the kernel starts in each pass, but is seen only in the one that went slowly.
TEST_F(CopyThenKernel, ASlowPassIsSetRightByTheStampsBeside) {
  Sampling sampling(program, 3);
  sampling.add(pass(call(0, 1'000), stamps(100'000, 110'000)));
  sampling.add(pass(call(0, 1'000, event(148'000, 700)), stamps(150'000, 160'000)));
  sampling.add(pass(call(0, 1'000), stamps(101'000, 111'000)));
  const auto merged = sampling.merged();
  EXPECT_EQ(merged[1].start, 101'000);
  EXPECT_EQ(merged[0].end, 99'000);
  EXPECT_EQ(merged[0].samples, 1u);
  EXPECT_EQ(merged[0].spread, 0u);
  EXPECT_EQ(merged[0].uncertainty, 700u);
  EXPECT_EQ(merged[0].source, trace::Source::event);
}

TEST_F(CopyThenKernel, NearTheBeginTheBeginIsTheAnchor) {
  Sampling sampling(program, 2);
  sampling.add(pass(event(20'000), stamps(100'000, 110'000)));
  sampling.add(pass(call(0, 1'000), stamps(200'000, 210'000)));
  EXPECT_EQ(sampling.merged()[0].end, 20'000);
}

TEST_F(CopyThenKernel, TheUncertaintyIsThatOfTheMedianReading) {
  Sampling sampling(program, 3);
  for (const auto& [end, uncertainty] : {std::pair{3'000, 30u}, {1'000, 10u}, {2'000, 20u}}) {
    sampling.add(pass(event(end, uncertainty), stamps(100'000, 110'000)));
  }
  const auto merged = sampling.merged();
  EXPECT_EQ(merged[0].end, 2'000);
  EXPECT_EQ(merged[0].uncertainty, 20u);
  EXPECT_EQ(merged[0].samples, 3u);
}

TEST_F(CopyThenKernel, TheSpreadIsHalfTheQuartilesDistanceOfThePlainTimes) {
  Sampling sampling(program, 5);
  for (const Nanoseconds late : {0, 10, 20, 30, 9'000}) {
    sampling.add(pass(event(98'000 + late), stamps(100'000 + late, 110'000 + late)));
  }
  EXPECT_EQ(sampling.merged()[0].spread, 10u) << "though it lies still beside the kernel";
}

TEST_F(CopyThenKernel, OfThousandsOfPassesAFairChoiceIsKept) {
  const auto merged_of_many = [&] {
    Sampling sampling(program, 5'000);
    for (Nanoseconds i = 0; i < 5'000; ++i) {
      const Nanoseconds at = 1'000'000 + i * 1'877 % 5'000;  // each of 5,000 once
      sampling.add(pass(call(0, 1'000), call(0, 500 + i % 7, stamps(at, at + 50'000))));
    }
    EXPECT_EQ(sampling.passes(), 5'000u);
    return sampling.merged()[1];
  };
  const device::Observed merged = merged_of_many();
  EXPECT_EQ(merged.samples, 5'000u);
  EXPECT_NEAR(static_cast<double>(merged.start), 1'002'500, 1'000);
  EXPECT_EQ(merged.end, merged.start + 50'000) << "readings seen together are kept together";
  EXPECT_NEAR(static_cast<double>(merged.spread), 1'250, 400);
  EXPECT_EQ(merged_of_many().start, merged.start) << "the same passes give the same trace";
}

TEST_F(CopyThenKernel, MorePassesThanAnnouncedDoNoHarm) {
  Sampling sampling(program, 1);
  for (int i = 0; i < 9; ++i) sampling.add(pass(event(20'000), stamps(100'000, 110'000)));
  EXPECT_EQ(sampling.merged()[0].end, 20'000);
  EXPECT_EQ(sampling.merged()[0].samples, 9u);
}

TEST(Sampling, PollsAreTheMeanOfThePasses) {
  const program::Program program = tests::program_of("stream A\nA: spin 1us\nhost: poll A every=1us\n");
  Sampling sampling(program, 3);
  for (const std::uint32_t polls : {4u, 7u, 11u}) {
    device::Observed poll = call(1'000, 9'000);
    poll.polls = polls;
    sampling.add(std::vector{call(0, 900, stamps(2'000, 8'000)), poll, call(9'000, 9'500)});
  }
  EXPECT_EQ(sampling.merged()[1].polls, 7u);
}

TEST(Sampling, NothingComesOfNoPasses) {
  const program::Program program = tests::program_of("stream A\nA: spin 1us\n");
  const Sampling sampling(program, 0);
  const auto merged = sampling.merged();
  ASSERT_EQ(merged.size(), 2u);
  EXPECT_FALSE(known(merged[0].end));
  EXPECT_EQ(merged[0].samples, 0u);
}

}  // namespace
}  // namespace streamscope::measure

// The figures of a run as values, and when they are not to be trusted.
#include "engine/analysis/figures.h"

#include <gmock/gmock.h>

#include <limits>
#include <set>

#include "engine/base/quantity.h"

namespace streamscope::analysis {
namespace {

using ::testing::HasSubstr;

// Two engines busy for 25 of 100 us, 150 us of work.
Analysis some() {
  Analysis found;
  found.makespan = 100'000;
  found.serial_sum = 170'000;
  found.speed_up = 1.7;
  found.serial = {.time = 150'000, .source = SerialSource::measured};
  found.serial_speed_up = 1.5;
  found.overlapped = 25'000;
  found.overlap = 0.25;
  found.busy_at_once = {10'000, 65'000, 20'000, 5'000};
  found.waiting = 3'000;
  return found;
}

Figure of(std::string_view key, const Analysis& analysis, const FigureNoise& noise = {}) {
  for (const Figure& each : figures(analysis, noise))
    if (each.key == key) return each;
  ADD_FAILURE() << "no figure " << key;
  return {};
}

TEST(Figures, EachSaysWhatItIsAndInWhatUnit) {
  std::set<std::string_view> keys;
  for (const Figure& each : figures(some())) {
    EXPECT_TRUE(keys.insert(each.key).second) << each.key;
    EXPECT_EQ(each.unit == FigureUnit::time, each.key.ends_with("_ns")) << each.key;
    EXPECT_FALSE(each.name.empty()) << each.key;
    EXPECT_TRUE(each.meaning.ends_with('.')) << each.key;
    EXPECT_TRUE(each.value) << each.key;
    EXPECT_TRUE(each.weight != FigureWeight::headline || !each.detail.empty()) << each.key;
  }
}

TEST(Figures, AreShownWithTheirUnits) {
  EXPECT_EQ(display(of("serial_speed_up", some())), "1.50×");
  EXPECT_EQ(of("serial_speed_up", some()).detail, "serial 150 us, measured in one stream");
  EXPECT_EQ(display(of("overlap", some())), "25 %");
  EXPECT_EQ(display(of("overlap", some()), 1), "25.0 %");
  EXPECT_EQ(display(of("idle", some())), "10 %");
  EXPECT_EQ(display(of("waiting_ns", some())), "3 us");
}

// Durations that another's file names may sum up to more than there is of nanoseconds.
TEST(Figures, BeyondWhatAWholeNumberHoldsAreTheLargest) {
  constexpr double kSum = 9.3e18;
  EXPECT_EQ(whole_nanoseconds(kSum), std::numeric_limits<Nanoseconds>::max());
  EXPECT_EQ(whole_nanoseconds(-kSum), std::numeric_limits<Nanoseconds>::min());
  EXPECT_EQ(whole_nanoseconds(1.5e9), 1'500'000'000);
  EXPECT_EQ(whole_bytes(2e19), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(whole_bytes(-1), 0u);
  EXPECT_EQ(display({.unit = FigureUnit::time, .value = kSum}),
            display_duration(std::numeric_limits<Nanoseconds>::max()));
}

TEST(Figures, TheSpeedUpSaysWhySoManyStreamsAreNotSoManyTimesAsFast) {
  Analysis found = some();
  const auto why = [&] { return of("serial_speed_up", found).why; };
  const auto use = [&](double in, double out, double compute) {
    found.engines = {{.engine = Engine::h2d, .use = in},
                     {.engine = Engine::d2h, .use = out},
                     {.engine = Engine::compute, .use = compute}};
    return why();
  };
  EXPECT_EQ(use(0.97, 0.6, 0.2), "") << "of one stream nobody expects more";
  found.streams = 4;
  EXPECT_EQ(use(0.97, 0.6, 0.2),
            "4 streams, 1.50 times as fast: copies in share one engine, which is busy 97 % of the time.");
  EXPECT_EQ(use(0.6, 0.9, 0.2),
            "4 streams, 1.50 times as fast: copies out share one engine, which is busy 90 % of the time.");
  EXPECT_EQ(use(0.5, 0.5, 0.99),
            "4 streams, 1.50 times as fast: kernels share the multiprocessors, which are busy 99 % of the time.");
  EXPECT_EQ(use(0.5, 0.45, 0.3),
            "4 streams, 1.50 times as fast: nothing runs 10 % of the time, and no engine is busy more than 50 % of it; "
            "operations wait for the host or for each other.");
  found.busy_at_once = {1'000, 60'000, 30'000, 9'000};
  EXPECT_EQ(use(0.5, 0.45, 0.3),
            "4 streams, 1.50 times as fast: no engine is busy more than 50 % of the time, and 1.5 work at once on "
            "average; operations wait for each other.");
  found.one_copy_engine = true;
  EXPECT_EQ(use(0.5, 0.45, 0.3),
            "4 streams, 1.50 times as fast: copies in and out share one engine, which is busy 95 % of the time.");
  found.serial_speed_up = 3.7;
  EXPECT_EQ(use(0.5, 0.45, 0.3), "4 streams, 3.70 times as fast: nearly all that so many can give.");
  found.serial_speed_up = 0;
  EXPECT_EQ(use(0.97, 0.6, 0.2), "") << "how fast one would be is not known";
  for (const Figure& each : figures(found)) EXPECT_TRUE(each.why.empty() || each.key == "serial_speed_up");
}

TEST(Figures, TheSpeedUpSaysWhatItIsOver) {
  Analysis found = some();
  const auto detail = [&] { return of("serial_speed_up", found).detail; };
  found.serial.source = SerialSource::simulated;
  EXPECT_EQ(detail(), "serial 150 us, simulated in one stream");
  found.serial.source = SerialSource::durations;
  EXPECT_EQ(detail(), "serial 150 us, the sum of isolated durations");
  EXPECT_EQ(warning(of("serial_speed_up", found)), "An estimate: the operations were not run in one stream.");
  found.serial.never_alone = 3;
  EXPECT_EQ(detail(), "serial 150 us, the sum of isolated durations; of 3 operations none like them ran alone");
  found.serial = {};
  EXPECT_EQ(of("serial_speed_up", found).value, std::nullopt) << "as of a range";
  EXPECT_EQ(of("serial_ns", found).value, std::nullopt);
}

TEST(Figures, WhatIsDeprecatedIsInFilesOnly) {
  for (const std::string_view key : {"serial_sum_ns", "speed_up"}) {
    EXPECT_EQ(of(key, some()).weight, FigureWeight::file) << key;
    EXPECT_THAT(std::string(of(key, some()).meaning), HasSubstr("Deprecated")) << key;
  }
  EXPECT_EQ(of("speed_up", some()).value, 1.7) << "and means what it did";
}

TEST(Figures, WithoutAMakespanSharesOfItAreNotKnown) {
  Analysis none;
  EXPECT_EQ(of("serial_speed_up", none).value, std::nullopt);
  EXPECT_EQ(of("overlap", none).value, std::nullopt);
  EXPECT_EQ(of("serial_sum_ns", none).value, 0);
}

TEST(Figures, WithinTheirNoiseAreNotToBeTrusted) {
  const FigureNoise little{1'000, 0.4, 0.1, 2'000}, much{1'000, 0.6, 0.3, 3'500};
  for (const std::string_view key : {"serial_speed_up", "overlap", "waiting_ns"})
    EXPECT_EQ(warning(of(key, some(), little)), "") << key;
  EXPECT_EQ(
      warning(of("serial_speed_up", some(), much)),
      "Within its own noise: it is sure to ±0.60 only, so it cannot be distinguished from 1, no speed-up at all.");
  EXPECT_EQ(warning(of("overlap", some(), much)),
            "Within its own noise: it is sure to ±30.0 % only, so it may be none.");
  EXPECT_EQ(warning(of("waiting_ns", some(), much)), "Within its own noise: it is sure to ±3.5 us only.");
  Analysis apart = some();
  apart.overlap = 0;
  EXPECT_EQ(warning(of("overlap", apart, much)), "") << "no overlap is claimed";
}

TEST(Figures, ANoiseHasTwoDigits) {
  EXPECT_EQ(noise_text(5), "±5 ns");
  EXPECT_EQ(noise_text(1'234), "±1.2 us");
  EXPECT_EQ(noise_text(99'600), "±100 us");
}

}  // namespace
}  // namespace streamscope::analysis

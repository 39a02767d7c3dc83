// Which passes are made and counted, on a device that follows a script.
#include "engine/measure/wall_times.h"

#include <gmock/gmock.h>

#include "engine/base/stop_source.h"
#include "tests/engine/measure/fake_device.h"

namespace streamscope::measure {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::vector<ProgramText> kTwo{{"first", "stream A\nA: spin 1us\n"}, {"second", "host: work 1us\n"}};

struct Timing : ::testing::Test {
  Timing() {
    options.warm_ups = 1;
    options.least = 2;
    options.most = 3;
    options.each = 1'000'000'000'000;
  }
  Result<std::vector<WallTimes>> time(StopFlag stop = {}) {
    FakeDevice device(script);
    return time_programs(device, kTwo, options, stop, [this](std::size_t index, const WallTimes& times) {
      reported.emplace_back(index, times.median);
    });
  }
  Script script;
  TimingOptions options;
  std::vector<std::pair<std::size_t, Nanoseconds>> reported;
};

TEST_F(Timing, WarmUpsDoNotCountAndTheMedianIsTold) {
  script.bare_walls = {9000, 30, 10, 20, 9000, 7, 5, 6};
  const auto times = time();
  ASSERT_TRUE(times) << times.error().message;
  EXPECT_THAT(script.log, ElementsAre("load", "bare", "bare", "bare", "bare", "unload", "load", "bare", "bare", "bare",
                                      "bare", "unload"));
  ASSERT_EQ(times->size(), 2u);
  EXPECT_EQ((*times)[0].median, 20);
  EXPECT_EQ((*times)[0].minimum, 10);
  EXPECT_EQ((*times)[0].samples, 3);
  EXPECT_THAT(reported,
              ElementsAre(std::pair(std::size_t{0}, Nanoseconds{20}), std::pair(std::size_t{1}, Nanoseconds{6})));
}

TEST_F(Timing, LongProgramsAreMadeFewPassesOf) {
  options.each = 0;
  const auto times = time();
  ASSERT_TRUE(times);
  EXPECT_EQ((*times)[0].samples, 2);
}

TEST_F(Timing, AModelRepeatsItselfSoOnePassIsEnough) {
  script.kind = trace::Provenance::Kind::model;
  ASSERT_TRUE(time());
  EXPECT_THAT(script.log, ElementsAre("load", "bare", "unload", "load", "bare", "unload"));
}

TEST_F(Timing, TheHostsPaceIsTimedBeforeAndAfterEachProgram) {
  options.pace = true;
  options.warm_ups = 0;
  options.most = options.least = 1;
  const std::vector<Nanoseconds> before{90, 200, 210, 205, 9000}, after{300, 301, 299, 1, 400};
  for (int program = 0; program < 2; ++program) {
    script.bare_walls.insert(script.bare_walls.end(), before.begin(), before.end());
    script.bare_walls.push_back(7);
    script.bare_walls.insert(script.bare_walls.end(), after.begin(), after.end());
  }
  const auto times = time();
  ASSERT_TRUE(times) << times.error().message;
  ASSERT_EQ(times->size(), 2u);
  for (const WallTimes& one : *times) {
    EXPECT_EQ(one.median, 7);
    EXPECT_EQ(one.pace, (205 + 300) / 2);
  }
  EXPECT_EQ(std::count(script.log.begin(), script.log.end(), "load"), 3) << "of the pace one for all";
}

TEST_F(Timing, WithoutThatItIsNotKnown) {
  const auto times = time();
  ASSERT_TRUE(times);
  EXPECT_EQ((*times)[0].pace, kAbsent);
}

TEST_F(Timing, AFailureNamesTheProgram) {
  script.fail_at = "bare";
  script.fail_on = 5;
  const auto times = time();
  ASSERT_FALSE(times);
  EXPECT_EQ(times.error().kind, ErrorKind::device_failed);
  EXPECT_THAT(times.error().message, HasSubstr("\"second\""));
  EXPECT_EQ(reported.size(), 1u);
}

TEST_F(Timing, AWrongTextIsToldWithItsPlace) {
  FakeDevice device(script);
  const std::vector<ProgramText> wrong{{"the third", "A: spin 1us\n"}};
  const auto times = time_programs(device, wrong, options);
  ASSERT_FALSE(times);
  EXPECT_EQ(times.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(times.error().message, HasSubstr("the third:1:1"));
}

TEST_F(Timing, WhatTheDeviceRefusesIsLeftOutWhereSomebodyListens) {
  FakeDevice device(script);
  const std::vector<ProgramText> some{{"wrong", "A: spin 1us\n"}, kTwo[0]};
  std::vector<std::size_t> refused;
  const auto times =
      time_programs(device, some, options, {}, {}, [&](std::size_t index, const Error&) { refused.push_back(index); });
  ASSERT_TRUE(times) << times.error().message;
  EXPECT_THAT(refused, ElementsAre(0));
  EXPECT_EQ((*times)[0].samples, 0);
  EXPECT_EQ((*times)[1].samples, 3);
}

TEST_F(Timing, AfterTheLimitNoProgramIsBegun) {
  options.limit = 0;
  const auto times = time();
  ASSERT_TRUE(times);
  EXPECT_TRUE(times->empty());
  EXPECT_TRUE(script.log.empty());
}

TEST_F(Timing, AStopEndsIt) {
  StopSource stop;
  script.on_step = [&](const std::string& what) {
    if (what == "bare") stop.request_stop();
  };
  const auto times = time(stop.flag());
  ASSERT_FALSE(times);
  EXPECT_EQ(times.error().kind, ErrorKind::cancelled);
  EXPECT_EQ(std::count(script.log.begin(), script.log.end(), "load"), 1);
}

TEST(WallTimesSummary, HasTheQuartilesOfWhatItIsGiven) {
  const WallTimes times = summary({5, 1, 4, 2, 3});
  EXPECT_EQ(times.low, 2);
  EXPECT_EQ(times.median, 3);
  EXPECT_EQ(times.high, 4);
  const WallTimes one = summary({7});
  EXPECT_EQ(one.low, 7);
  EXPECT_EQ(one.high, 7);
  EXPECT_EQ(one.samples, 1);
}

}  // namespace
}  // namespace streamscope::measure

// What is said of a GPU that was not well, from what NVML said of it; no GPU is needed for that.
#include "engine/device/cuda/runtime/gpu_health.h"

#include <gmock/gmock.h>

namespace streamscope::cuda {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::uint64_t kIdle = 1, kApplications = 2, kPowerCap = 4, kHardwareSlowdown = 8, kThermal = 0x20;

GpuReading clock(std::uint64_t reasons, std::uint32_t now = 1'980, std::uint32_t highest = 1'980) {
  GpuReading reading;
  reading.clock_reasons = reasons;
  reading.clock = now;
  reading.highest_clock = highest;
  return reading;
}
GpuReading shared(std::uint32_t others, std::uint32_t busy) {
  GpuReading reading;
  reading.others = others;
  reading.busy = busy;
  return reading;
}

TEST(GpuHealth, OfAGpuThatIsWellNothingIsSaid) {
  Health health;
  health.before(clock(kIdle, 345));
  health.during(clock(0));
  health.during(shared(0, 100));  // by ourselves
  EXPECT_THAT(health.notes(), IsEmpty());
}

TEST(GpuHealth, AGpuThatReportsNothingHasNoNotes) {
  Health health;
  health.before({});
  health.during({});
  EXPECT_THAT(health.notes(), IsEmpty());
}

TEST(GpuHealth, AClockHeldDownIsReportedWithItsReasonAndHowFar) {
  Health health;
  health.before(clock(kIdle, 345));
  health.during(clock(kPowerCap, 1'400));
  health.during(clock(kPowerCap, 1'200));
  health.during(clock(0));
  EXPECT_THAT(trace::texts(health.notes()),
              ElementsAre("The GPU's clock was held down while measuring (power cap; 1200 of 1980 "
                          "MHz): times may be longer than usual."));
}

TEST(GpuHealth, AllReasonsThatCameUpAreReported) {
  Health health;
  health.during(clock(kThermal, 1'500));
  health.during(clock(kHardwareSlowdown | kIdle, 900));
  EXPECT_THAT(trace::texts(health.notes()),
              ElementsAre(AllOf(HasSubstr("hardware slowdown, temperature"), HasSubstr("900 of 1980 MHz"))));
}

TEST(GpuHealth, AReasonWithoutAClockIsReportedToo) {
  Health health;
  GpuReading reading;
  reading.clock_reasons = kThermal;
  health.during(reading);
  EXPECT_THAT(trace::texts(health.notes()), ElementsAre(HasSubstr("(temperature)")));
}

TEST(GpuHealth, ALimitThatIsNotFeltIsNone) {
  Health health;
  health.during(clock(kApplications, 1'980));
  EXPECT_THAT(health.notes(), IsEmpty());
}

TEST(GpuHealth, OtherProcessesAreReportedAndHowBusyTheyKeptIt) {
  Health health;
  health.before(shared(1, 0));
  health.during(shared(2, 90));
  EXPECT_THAT(trace::texts(health.notes()), ElementsAre("2 other processes use this GPU."));
  Health busy;
  busy.before(shared(1, 37));
  EXPECT_THAT(trace::texts(busy.notes()),
              ElementsAre("1 other process uses this GPU; before the run it was busy for 37 % of the time."));
}

TEST(GpuHealth, OneOfTheProcessesIsWe) {
  const std::vector<std::uint32_t> none, self{7}, both{7, 9}, hidden{4'711, 4'712};
  EXPECT_EQ(others_among(none, 7), 0u);
  EXPECT_EQ(others_among(self, 7), 0u);
  EXPECT_EQ(others_among(both, 7), 1u);
  EXPECT_EQ(others_among(hidden, 7), 1u) << "in a container we stand there under another number";
}

// On a machine with NVML and without: it may say something, it must not go wrong.
TEST(GpuHealth, AWatchOnAGpuThatIsNotThereIsNone) { EXPECT_EQ(HealthWatch::make("ffff:ff:1f.7"), nullptr); }

}  // namespace
}  // namespace streamscope::cuda

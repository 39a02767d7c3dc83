#include "engine/trace/isolated_time.h"

#include <gtest/gtest.h>

#include "engine/trace/trace.h"

namespace streamscope::trace {
namespace {

Span copy(std::uint32_t line, std::uint32_t name, Nanoseconds start, Nanoseconds end) {
  Span span;
  span.kind = OperationKind::h2d;
  span.engine = Engine::h2d;
  span.line = line;
  span.name = name;
  span.bytes = 64;
  span.start = start;
  span.end = end;
  return span;
}

TEST(IsolatedTimes, AreByClass) {
  Durations durations;
  const std::vector<std::string> names{"H2D"};
  add_durations(std::vector{copy(3, 0, 0, 10), copy(3, 0, 10, 30), copy(4, 0, 30, 35)}, names, names, durations);
  add_durations(std::vector{copy(3, 0, 0, 12)}, names, names, durations);
  const std::vector<IsolatedTime> all = isolated_times(durations);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].count, 3u);
  EXPECT_EQ(all[0].duration, 12);
  EXPECT_EQ(all[0].shortest, 10);
  EXPECT_EQ(all[0].spread, kAbsent) << "of three that would mean little";
  EXPECT_EQ(all[1].duration, 5);
  EXPECT_EQ(isolated_time_of(all, copy(4, 0, 100, 900)), &all[1]);
  Span larger = copy(4, 0, 100, 900);
  larger.bytes = 128;
  EXPECT_EQ(isolated_time_of(all, larger), nullptr);
}

TEST(IsolatedTimes, NamesOfAnotherProgramAreTranslated) {
  Durations durations;
  add_durations(std::vector{copy(3, 0, 0, 10), copy(3, 1, 10, 30)}, {"gone", "H2D"}, {"record", "H2D"}, durations);
  const std::vector<IsolatedTime> all = isolated_times(durations);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].of.name, 1u);
  EXPECT_EQ(all[0].duration, 20);
}

TEST(IsolatedTimes, WhatIsNoDeviceWorkOrHasNoTimesIsLeftOut) {
  Durations durations;
  Span record = copy(3, 0, 0, 10), lost = copy(3, 0, kAbsent, 10), wrong = copy(3, 0, 10, 5);
  record.kind = OperationKind::record;
  record.engine = Engine::none;
  add_durations(std::vector{record, lost, wrong}, {"H2D"}, {"H2D"}, durations);
  EXPECT_TRUE(isolated_times(durations).empty());
}

}  // namespace
}  // namespace streamscope::trace

// What no schedule could beat.
#include "engine/verdict/bounds.h"

#include "tests/engine/verdict/judged.h"

namespace streamscope::verdict {
namespace {

constexpr Nanoseconds us = 1000;

Nanoseconds bound(const std::string& text, BoundKind kind) {
  const auto run = judged(text);
  for (const Bound& each : bounds(*run->history, isolated_durations(*run->history))) {
    if (each.kind == kind) return each.time;
  }
  ADD_FAILURE() << "no such bound";
  return kAbsent;
}

TEST(Bounds, OfTheOrderIsTheLongestWay) {
  const Nanoseconds time =
      bound("stream A\nstream B nonblocking\nA: spin 500us\nA: spin 300us\nB: spin 400us\n", BoundKind::order);
  EXPECT_GE(time, 800 * us);
  EXPECT_LT(time, 900 * us);
}

// Another time the barrier of the legacy default stream comes elsewhere among the other thread's launches.
TEST(Bounds, OfTheOrderKnowNothingOfWhichThreadComesFirst) {
  const Nanoseconds time = bound(
      "stream A\nthread t {\nA: spin 500us\nA: spin 500us\n}\nhost: work 40us\ndefault: spin 300us blocks=1\nhost: "
      "join t\n",
      BoundKind::order);
  EXPECT_GE(time, 1000 * us);
  EXPECT_LT(time, 1100 * us);
}

TEST(Bounds, OfTheOrderHaveTheWorkBeforeAThreadAheadOfIt) {
  const Nanoseconds time =
      bound("stream A\nA: spin 500us\nthread t {\nA: spin 300us\n}\nhost: join t\n", BoundKind::order);
  EXPECT_GE(time, 800 * us);
}

}  // namespace
}  // namespace streamscope::verdict

// How long word of an end takes is another GPU's: the doubt covers none, and twice what is usual.
#include <gtest/gtest.h>

#include "engine/device/cuda/instrument/event_watcher.h"

namespace streamscope::cuda {
namespace {

TEST(SeenEnd, HoldsEndsWithoutADelayAndWithTwiceTheUsualOne) {
  for (const bool over_bus : {false, true}) {
    const SeenEnd atonce = seen_end(10'000, 10'000, 2'000, over_bus);
    const Nanoseconds usual = 10'000 - atonce.end;
    EXPECT_GT(usual, 1'000);
    for (const Nanoseconds delay : {Nanoseconds{0}, usual, 2 * usual}) {
      const Nanoseconds fired = 50'000, ended = fired - delay;
      const SeenEnd seen = seen_end(fired - 300, fired + 200, 2'000, over_bus);
      EXPECT_LE(std::abs(seen.end - ended), seen.uncertainty) << "delay " << delay << (over_bus ? ", bus" : "");
    }
    EXPECT_GE(seen_end(10'000, 10'600, 2'000, over_bus).uncertainty, usual + 300);
  }
}

}  // namespace
}  // namespace streamscope::cuda

// Slow motion in the real window: what a person plays, steps, scrubs and clicks.
#include <gtest/gtest.h>

#include "tests/app/window_driven/window_fixture.h"

namespace streamscope::tests {
namespace {

class SlowMotion : public Window {
 protected:
  // Where the playhead was said to be next; -1: nowhere.
  int playhead() { return number_after(window->wait_for("playhead ").value_or(""), "playhead "); }
  // Two frames later the slider is let go: until then it would follow the mouse to the next button.
  bool settled() {
    return window->press("4") && window->wait_for("dock 1") && window->press("6") && window->wait_for("dock 3");
  }
  // At this share of its width, from the slowest to as fast as it was.
  void set_speed(double share) {
    const auto speed = window->place("slow_motion/speed");
    ASSERT_TRUE(speed);
    const int y = speed->y + speed->height / 2, to = speed->x + 3 + static_cast<int>(share * (speed->width - 6));
    ASSERT_TRUE(window->drag(speed->x + speed->width / 2, y, to, y));
    ASSERT_TRUE(window->wait_for("times slower"));
    ASSERT_TRUE(settled());
  }
};

// The axis is the top of the timeline.
TEST_F(SlowMotion, SlowMotionPlaysToTheEndStepsAndIsScrubbedInTheAxis) {
  constexpr std::uint32_t kPlayhead = 0xFF4FA0;
  const auto timeline = window->place("Timeline/plot");
  ASSERT_TRUE(timeline);
  ASSERT_TRUE(window->press("6"));
  ASSERT_TRUE(window->wait_for("dock 3"));
  // Play begins where the run does, and stops where it ends.
  set_speed(1);
  ASSERT_TRUE(window->click("slow_motion/play"));
  ASSERT_TRUE(window->wait_for("plays"));
  ASSERT_TRUE(window->wait_for("stands"));
  const int end = playhead();
  EXPECT_GT(end, 1'000'000);
  EXPECT_TRUE(shows(kPlayhead, 200, *timeline));

  // From the beginning again, far slower; it stands where it is stopped.
  window->forget();
  set_speed(0.2);
  ASSERT_TRUE(window->click("slow_motion/play"));
  ASSERT_TRUE(window->wait_for("plays"));
  ASSERT_TRUE(window->click("slow_motion/play"));
  ASSERT_TRUE(window->wait_for("stands"));
  const int stopped = playhead();
  EXPECT_GT(stopped, 0);
  EXPECT_LT(stopped, end);

  // Event by event.
  ASSERT_TRUE(window->click("slow_motion/begin"));
  EXPECT_EQ(playhead(), 0);
  ASSERT_TRUE(window->click("slow_motion/forward"));
  const int first_event = playhead();
  EXPECT_GT(first_event, 0);
  ASSERT_TRUE(window->click("slow_motion/forward"));
  EXPECT_GT(playhead(), first_event);
  ASSERT_TRUE(window->click("slow_motion/back"));
  EXPECT_EQ(playhead(), first_event);

  // By hand: the axis is no place to measure or to select.
  const int y = timeline->y + 12;
  window->forget();
  ASSERT_TRUE(window->drag(timeline->x + timeline->width / 2, y, timeline->x + timeline->width * 3 / 4, y));
  int scrubbed = playhead();
  while (scrubbed >= 0 && scrubbed < end * 0.7) scrubbed = playhead();  // all the way
  EXPECT_GT(scrubbed, end * 0.7);
  EXPECT_FALSE(window->has_said("measure "));
  EXPECT_FALSE(window->has_said("selected "));
  ASSERT_TRUE(window->press("Escape"));
  EXPECT_TRUE(window->wait_for("playhead none"));
}

TEST_F(SlowMotion, ARunEndsSlowMotionAndABoxOfAQueueSelects) {
  ASSERT_TRUE(window->press("6"));
  ASSERT_TRUE(window->wait_for("dock 3"));
  ASSERT_TRUE(window->click("slow_motion/forward"));
  ASSERT_TRUE(window->wait_for("playhead "));
  ASSERT_TRUE(window->click("slow_motion/instant/0/*/box"));
  EXPECT_EQ(window->wait_for("selected "), "selected 0");
  window->forget();
  set_speed(0);
  ASSERT_TRUE(window->click("slow_motion/play"));
  ASSERT_TRUE(window->wait_for("plays"));
  ASSERT_TRUE(window->press("space"));
  ASSERT_TRUE(window->wait_for("stands"));
  ASSERT_TRUE(window->press("space"));
  ASSERT_TRUE(window->wait_for("plays")) << "it was paused";
  EXPECT_FALSE(window->has_said("run 2"));
  ASSERT_TRUE(window->press("ctrl+Return"));
  EXPECT_TRUE(window->wait_for("stands"));
  EXPECT_TRUE(window->wait_for("run 2 done"));
}

}  // namespace
}  // namespace streamscope::tests

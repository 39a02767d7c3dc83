// The verdict in the real window: what a click on its words shows, and trying what it offers.
#include <gtest/gtest.h>

#include "tests/app/window_driven/window_fixture.h"

namespace streamscope::tests {
namespace {

constexpr std::uint32_t kLine = 0xF3F6FA;  // of the path, as of strong text

class VerdictWindow : public Window {
 protected:
  std::vector<std::string> arguments() const override { return {"pageable"}; }
};

TEST_F(VerdictWindow, AChangeIsTriedAndItsPredictionStandsBesideWhatCame) {
  ASSERT_TRUE(window->wait_for("verdict of run 1: pageable-copy"));
  ASSERT_TRUE(window->click("Summary/figures/verdict/0/Try it"));
  ASSERT_TRUE(window->wait_for("tried predicted 6.292 ms, simulated 6.292 ms"));
  ASSERT_TRUE(window->wait_for("verdict of run 2: at-the-bound"));
  ASSERT_TRUE(window->click("Summary/figures/verdict/Take it back"));
  ASSERT_TRUE(window->wait_for("run 1 done")) << "the run before is in view again";
  ASSERT_TRUE(window->press("space"));
  EXPECT_TRUE(window->wait_for("52.8 ms")) << "and is what is set again";
}

TEST_F(VerdictWindow, ItsWordsLightWhatTheySpeakOfAndEscapeEndsThat) {
  ASSERT_TRUE(window->wait_for("verdict of run 1"));
  const auto timeline = window->place("Timeline/plot");
  ASSERT_TRUE(timeline);
  ASSERT_TRUE(shows(kKernel, 50, *timeline));
  ASSERT_TRUE(window->click("Summary/figures/verdict/0/Pageable copies/0/link"));
  ASSERT_TRUE(window->wait_for("lit 32"));
  EXPECT_TRUE(poll_until([&] {
    const auto screen = window->screenshot();
    return screen && screen->count(kKernel, *timeline) == 0 && screen->count(kH2d, *timeline) > 200;
  })) << "kernels are pale, copies are not";
  ASSERT_TRUE(window->press("Escape"));
  ASSERT_TRUE(window->wait_for("lit 0"));
  EXPECT_TRUE(shows(kKernel, 50, *timeline));
}

TEST_F(VerdictWindow, ALinesNumberShowsItInTheEditor) {
  ASSERT_TRUE(window->wait_for("verdict of run 1"));
  ASSERT_TRUE(window->press("7"));
  ASSERT_TRUE(window->wait_for("dock 4"));
  ASSERT_TRUE(window->click("Summary/figures/verdict/0/lines 6, 8*/1/link"));
  ASSERT_TRUE(window->wait_for("selected 2"));
  EXPECT_TRUE(window->has_said("dock 0") || window->wait_for("dock 0"));
}

TEST_F(VerdictWindow, TheCriticalPathIsALineAndThenAllElseIsPale) {
  ASSERT_TRUE(window->wait_for("verdict of run 1"));
  const auto timeline = window->place("Timeline/plot");
  ASSERT_TRUE(timeline);
  const auto count = [&](std::uint32_t colour) {
    const auto screen = window->screenshot();
    return screen ? screen->count(colour, *timeline) : 0;
  };
  ASSERT_TRUE(window->point(timeline->x + 4, timeline->y + 4));  // a frame on: the verdict's waits are drawn
  const std::size_t kernels = count(kKernel);
  ASSERT_GT(kernels, 50u);
  ASSERT_TRUE(window->press("y"));
  EXPECT_TRUE(shows(kLine, 500, *timeline));
  ASSERT_TRUE(window->press("y"));
  ASSERT_TRUE(window->press("y"));
  EXPECT_TRUE(poll_until([&] { return count(kLine) < 500 && count(kKernel) == kernels; }));
}

TEST_F(VerdictWindow, F1ExplainsIt) {
  ASSERT_TRUE(window->wait_for("verdict of run 1"));
  const auto point_at = [&](const char* widget) {
    const auto at = window->place(widget);
    return at && window->point(at->x + 2, at->y + at->height / 2);
  };
  ASSERT_TRUE(point_at("Summary/figures/verdict/0/Pageable copies/0/link"));
  ASSERT_TRUE(window->press("F1"));
  EXPECT_TRUE(window->wait_for("help on pageable-copy")) << "the cause itself";
  ASSERT_TRUE(point_at("Summary/figures/path-by/cause"));
  ASSERT_TRUE(window->press("F1"));
  EXPECT_TRUE(window->wait_for("help on critical path"));
}

// Two accesses without an order.
class RaceWindow : public Window {
 protected:
  std::vector<std::string> arguments() const override {
    return {STREAMSCOPE_SOURCE "/tests/app/window_driven/race.streams"};
  }
};

TEST_F(RaceWindow, IsNamedFirstLitAndRepaired) {
  ASSERT_TRUE(window->wait_for("verdict of run 1: hazard"));
  ASSERT_TRUE(window->wait_for("lit 2"));
  ASSERT_TRUE(window->click("Summary/figures/verdict/0/Try it"));
  ASSERT_TRUE(window->wait_for("run 2 done"));
  const auto then = window->wait_for("verdict of run 2");
  ASSERT_TRUE(then);
  EXPECT_EQ(then->find("hazard"), std::string::npos);
}

}  // namespace
}  // namespace streamscope::tests

// Text so large that the panels have no room beside each other: nothing is out of reach.
#include "tests/app/window_driven/window_fixture.h"

namespace streamscope::tests {
namespace {

constexpr int kScreenWidth = 1280, kScreenHeight = 800;  // of the driver's display

class LargeTextWindow : public Window {
 protected:
  void SetUp() override {
    Window::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    for (const char* size : {"1.25", "1.5", "1.75", "2", "2.25", "2.5", "2.75", "3"}) {
      ASSERT_TRUE(window->press("ctrl+plus"));
      ASSERT_TRUE(window->wait_for(std::string("text scale ") + size));
    }
  }
  bool in_sight(const std::string& widget) {
    return poll_until([&] {
      const auto at = window->place(widget);
      return at && at->x >= 0 && at->y >= 0 && at->x + at->width <= kScreenWidth && at->y + at->height <= kScreenHeight;
    });
  }
};

TEST_F(LargeTextWindow, TheToolbarIsOneLineAndTheRestOfItIsBehindMore) {
  EXPECT_TRUE(poll_until([&] {
    const auto run = window->place("Toolbar/Run"), help = window->place("Toolbar/?");
    return run && help && run->y == help->y;
  }));
  EXPECT_TRUE(in_sight("Toolbar/?"));
  ASSERT_TRUE(window->click("Toolbar/More"));
  const auto predict = window->place("Popup/Predict");
  ASSERT_TRUE(predict && window->move(predict->x + predict->width / 2, predict->y + predict->height / 2));
  ASSERT_TRUE(poll_until([&] {
    window->wheel(3);
    const auto at = window->place("Popup/Export PNG");
    return at && at->y + at->height < kScreenHeight;
  }));
  ASSERT_TRUE(window->click("Popup/Export PNG"));
  EXPECT_TRUE(window->wait_for("said: Wrote "));
}

TEST_F(LargeTextWindow, PanelsKeepASizeToBeReadInAndScroll) {
  const auto controls = window->place("Experiment/controls"), timeline = window->place("Timeline/plot");
  ASSERT_TRUE(controls && timeline);
  // The timeline's marks are 39 pixels high then.
  EXPECT_GT(controls->width, 14 * 39);
  EXPECT_GT(timeline->width, 18 * 39);
  EXPECT_GT(timeline->height, 9 * 39);
  EXPECT_FALSE(window->place("Summary/figures")->x < kScreenWidth);
  const auto bar = window->place("across/bar");
  ASSERT_TRUE(bar);
  const int y = bar->y + bar->height / 2;
  ASSERT_TRUE(window->drag(bar->x + bar->width / 4, y, bar->x + bar->width - 2, y));
  EXPECT_TRUE(poll_until([&] {
    const auto at = window->place("Summary/figures");
    return at && at->x > 0 && at->x + at->width <= kScreenWidth;
  }));
}

TEST_F(LargeTextWindow, ATabThatIsOpenedComesIntoSight) {
  ASSERT_TRUE(window->press("8"));
  ASSERT_TRUE(window->wait_for("dock 5"));
  EXPECT_TRUE(in_sight("Sweep/axes/Go"));
}

TEST_F(LargeTextWindow, TheKeyboardBringsWhatItComesToIntoSight) {
  for (const char* panel : {"walks 1", "walks 2", "walks 3", "walks 4", "walks 5"}) {
    ASSERT_TRUE(window->press("Tab"));
    ASSERT_TRUE(window->wait_for(panel));
  }
  EXPECT_TRUE(in_sight("Summary/figures/verdict/*the bus binds*link"));
  ASSERT_TRUE(window->press("Tab"));
  ASSERT_TRUE(window->wait_for("walks 1"));
  EXPECT_TRUE(in_sight("Toolbar/Run"));
}

}  // namespace
}  // namespace streamscope::tests

// What a run says of itself in the real window, and the way back to its settings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/window_driven/window_fixture.h"

namespace streamscope::tests {
namespace {

using testing::HasSubstr;

class HeadWindow : public Window {
 protected:
  // To the right end: 32 streams.
  void more_streams() {
    const auto streams = window->place("Experiment/controls/streams");
    ASSERT_TRUE(streams);
    const int y = streams->y + streams->height / 2;
    ASSERT_TRUE(window->drag(streams->x + streams->width / 6, y, streams->x + streams->width - 3, y));
    ASSERT_TRUE(window->wait_for("32 streams"));
  }
};

TEST_F(HeadWindow, AnOldRunSaysWhatIsSetOtherwiseAndBringsItsSettingsBack) {
  more_streams();
  ASSERT_TRUE(window->wait_for("verdict of run"));
  window->forget();
  ASSERT_TRUE(window->click("Toolbar/runs"));
  ASSERT_TRUE(window->click("Combo/#1 *"));
  ASSERT_TRUE(window->wait_for("differs streams 4 → 32"));
  ASSERT_TRUE(window->click("Head/Use this run's settings"));
  EXPECT_TRUE(window->wait_for("differs no more"));
  EXPECT_THAT(window->all_lines(), HasSubstr("set 4 streams"));
}

TEST_F(HeadWindow, ASlidersWholeDragIsUndoneAndRedoneAtOnce) {
  more_streams();
  window->forget();
  ASSERT_TRUE(window->press("ctrl+z"));
  EXPECT_TRUE(window->wait_for("set 4 streams"));
  EXPECT_TRUE(window->wait_for("4 streams · 16 MiB")) << "and it runs";
  ASSERT_TRUE(window->press("ctrl+shift+z"));
  EXPECT_TRUE(window->wait_for("set 32 streams"));
  window->forget();
  ASSERT_TRUE(window->press("ctrl+z"));
  EXPECT_TRUE(window->wait_for("set 4 streams"));
  ASSERT_TRUE(window->press("ctrl+z"));
  EXPECT_TRUE(window->wait_for("said: There is nothing to undo."));
}

TEST_F(HeadWindow, TypedTextComesBackByUndoAfterItWasReset) {
  replace_text("stream A\n");
  ASSERT_TRUE(window->wait_for("edited"));
  ASSERT_TRUE(window->click("Program/Reset to experiment"));
  ASSERT_TRUE(window->wait_for("not edited"));
  ASSERT_TRUE(window->press("Escape"));
  ASSERT_TRUE(window->press("ctrl+z"));
  EXPECT_TRUE(window->wait_for("edited"));
}

}  // namespace
}  // namespace streamscope::tests

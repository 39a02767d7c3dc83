// The window speaks what was chosen in it, from its next start on.
#include "tests/app/window_driven/window_fixture.h"

namespace streamscope::tests {
namespace {

TEST_F(Window, SpeaksTheLanguageThatWasChosenInTheToolbarFromTheNextStartOn) {
  ASSERT_TRUE(window->place("Toolbar/Run"));
  ASSERT_TRUE(window->click("Toolbar/language"));
  ASSERT_TRUE(window->click("*/한국어"));
  ASSERT_TRUE(window->wait_for("다음 시작부터 창이 한국어로 표시됩니다."));
  ASSERT_TRUE(window->reopen());
  EXPECT_TRUE(window->place("Toolbar/실행"));
  // Who cannot read that finds their own all the same.
  ASSERT_TRUE(window->press("ctrl+shift+p"));
  ASSERT_TRUE(window->type("chinese") && window->press("Return"));
  ASSERT_TRUE(window->wait_for("下次启动起，窗口使用中文。"));
  ASSERT_TRUE(window->reopen());
  EXPECT_TRUE(window->place("Toolbar/运行"));
  ASSERT_TRUE(window->reopen({"--language", "en"}));
  EXPECT_TRUE(window->place("Toolbar/Run")) << "the command line counts more";
}

}  // namespace
}  // namespace streamscope::tests

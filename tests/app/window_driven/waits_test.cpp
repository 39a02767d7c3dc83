// The panel of waits in the real window: what it lists, and what a click on a row selects.
#include <gtest/gtest.h>

#include "tests/app/window_driven/window_fixture.h"

namespace streamscope::tests {
namespace {

class WaitsWindow : public Window {};

// Four streams want the engines at once. The first copy in does not wait and the synchronisation, operation 48, is the
// only wait of the host.
TEST_F(WaitsWindow, AClickOnAReasonSelectsTheOperationThatWaitedLongestForIt) {
  ASSERT_TRUE(window->press("7"));
  ASSERT_TRUE(window->wait_for("dock 4"));
  ASSERT_TRUE(window->click("Waits/waits/host/row"));
  EXPECT_EQ(window->wait_for("selected "), "selected 48");
  ASSERT_TRUE(window->click("Waits/waits/engine/row"));
  const int waited = number_after(window->wait_for("selected ").value_or(""), "selected ");
  EXPECT_GT(waited, 0);
  EXPECT_LT(waited, 48);
}

TEST_F(WaitsWindow, ItsKeyClosesItAgainAndADoubleClickGoesToTheOperation) {
  ASSERT_TRUE(window->press("7"));
  ASSERT_TRUE(window->wait_for("dock 4"));
  ASSERT_TRUE(poll_until([&] {
    return window->click("Waits/waits/engine/row") && window->click("Waits/waits/engine/row") &&
           window->wait_for("view ", std::chrono::seconds(2));
  }));
  EXPECT_FALSE(window->has_said("view whole"));
  ASSERT_TRUE(window->press("7"));
  ASSERT_TRUE(window->press("6"));  // another tab opens the dock again
  EXPECT_TRUE(window->wait_for("dock 3"));
}

}  // namespace
}  // namespace streamscope::tests

// What a newcomer sees once.
#include "tests/app/window_driven/window_fixture.h"

namespace streamscope::tests {
namespace {

class FirstWindow : public Window {
 protected:
  bool first_start() const override { return true; }
};

TEST_F(FirstWindow, ShowsWhereToBeginUntilEscape) {
  EXPECT_NE(window->all_lines().find("hint open"), std::string::npos);
  ASSERT_TRUE(window->press("Escape"));
  EXPECT_TRUE(window->wait_for("hint closed"));
}

TEST_F(FirstWindow, AClickClosesItAndDoesWhatItDoes) {
  ASSERT_TRUE(window->click("Toolbar/Predict"));
  EXPECT_TRUE(poll_until([&] { return window->all_lines().find("hint closed") != std::string::npos; }));
  EXPECT_TRUE(poll_until([&] { return window->all_lines().find("ghost") != std::string::npos; }));
}

}  // namespace
}  // namespace streamscope::tests

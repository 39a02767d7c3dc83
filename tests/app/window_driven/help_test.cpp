// F1, and an example that goes into the editor.
#include "tests/app/window_driven/window_fixture.h"

namespace streamscope::tests {
namespace {

using HelpWindow = Window;

TEST_F(HelpWindow, F1ExplainsWhatIsUnderTheMouse) {
  const auto slider = window->place("Experiment/controls/streams");
  ASSERT_TRUE(slider && window->point(slider->x + slider->width / 2, slider->y + slider->height / 2));
  ASSERT_TRUE(window->press("F1"));
  EXPECT_TRUE(window->wait_for("help on streams"));
  const auto chunk = window->place("Experiment/controls/chunk");
  ASSERT_TRUE(chunk && window->point(chunk->x - 20, chunk->y + chunk->height / 2)) << "its label";
  ASSERT_TRUE(window->press("F1"));
  EXPECT_TRUE(window->wait_for("help on chunk"));
  const auto instrument = window->place("Toolbar/instrument/sampled");
  ASSERT_TRUE(instrument && window->point(instrument->x + 5, instrument->y + 5));
  ASSERT_TRUE(window->press("F1"));
  EXPECT_TRUE(window->wait_for("help on sampled"));
  ASSERT_TRUE(window->press("Escape"));
  EXPECT_TRUE(window->wait_for("help closed"));
}

TEST_F(HelpWindow, F1ExplainsTheWordAtTheCursorAndItsExampleRuns) {
  ASSERT_TRUE(window->click("Program/editor"));
  ASSERT_TRUE(window->press("ctrl+Home"));
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(window->press("Down"));
  ASSERT_TRUE(window->press("F1"));
  ASSERT_TRUE(window->wait_for("help on h2d"));
  ASSERT_TRUE(window->type("#"));  // something of one's own, before the example takes its place
  ASSERT_TRUE(window->wait_for("edited"));
  ASSERT_TRUE(window->click("Help/*Put into the editor"));
  const auto done = window->wait_for("run 2 done");
  ASSERT_TRUE(done);
  EXPECT_NE(done->find("example of h2d"), std::string::npos) << *done;
  ASSERT_TRUE(window->press("Escape"));
  ASSERT_TRUE(window->wait_for("help closed"));
  ASSERT_TRUE(window->click("Program/Bring back the typed text"));
  EXPECT_TRUE(window->wait_for("edited"));
}

TEST_F(HelpWindow, WhatIsTypedWhenItOpensIsASearchAndTheKeyboardOpensWhatWasFound) {
  ASSERT_TRUE(window->point(5, 5));
  window->forget();
  ASSERT_TRUE(window->press("F1") && window->type("copy engine"));  // p, y, n, i are commands elsewhere
  ASSERT_TRUE(window->press("Return"));
  ASSERT_TRUE(window->wait_for("help on copy engine")) << "what is called so comes first";
  ASSERT_TRUE(window->type("pinned") && window->press("Down") && window->press("Up") && window->press("Return"));
  ASSERT_TRUE(window->wait_for("help on pinned memory")) << "the field has the cursor again";
  ASSERT_TRUE(window->type("pinned") && window->press("Down") && window->press("Return"));
  EXPECT_TRUE(window->wait_for("help on 04-pinned-or-pageable"));
  for (const char* command : {"ghost h200", "live on", "path", "lit 1"})
    EXPECT_EQ(window->all_lines().find(command, window->all_lines().find("help on ")), std::string::npos) << command;
  ASSERT_TRUE(window->press("Escape"));
  EXPECT_TRUE(window->wait_for("help closed"));
}

}  // namespace
}  // namespace streamscope::tests

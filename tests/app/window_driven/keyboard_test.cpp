// Who has the keyboard in the real window: the editor, an open list, a dialog, or the timeline.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "tests/app/window_driven/window_fixture.h"

namespace streamscope::tests {
namespace {

using testing::HasSubstr;

constexpr std::uint32_t kFocus = 0x2DD4BF;
// Each of these letters is a command where no text is typed.
constexpr const char* kCommandLetters = "# lpbt1\n";

TEST_F(Window, WhatIsTypedAfterARunFromTheEditorIsText) {
  replace_text("stream A\nbuffer x 1MiB\nA: h2d x\n");
  ASSERT_TRUE(window->press("ctrl+Return"));
  ASSERT_TRUE(window->wait_for("run 2 done"));
  window->forget();
  ASSERT_TRUE(window->type(kCommandLetters) && window->press("Return"));
  ASSERT_TRUE(window->type("A: d2h x"));
  ASSERT_TRUE(window->press("ctrl+Return"));
  EXPECT_EQ(spans_in(window->wait_for("run 3 done")), 3);
  EXPECT_FALSE(window->has_said("live on"));
  EXPECT_FALSE(window->has_said("ghost h200"));
  EXPECT_FALSE(window->has_said("compared with"));
}

TEST_F(Window, LettersAndClicksThatComeInOneFrameKeepTheirOrder) {
  replace_text("stream A\n");
  const auto middle = [&](const char* widget) {
    const auto at = window->place(widget);
    return at && window->point(at->x + at->width / 2, at->y + at->height / 2);
  };
  // Typed, and then the field is left.
  ASSERT_TRUE(middle("Dock tabs/Waits"));
  kill(window->process().id(), SIGSTOP);
  const bool typed = window->type("#lp") && window->click_here();
  kill(window->process().id(), SIGCONT);
  ASSERT_TRUE(typed);
  EXPECT_TRUE(window->wait_for("dock 4"));
  // The field is chosen, and then typed in.
  ASSERT_TRUE(window->press("3") && middle("Program/editor"));
  kill(window->process().id(), SIGSTOP);
  const bool chosen = window->click_here() && window->type("tb");
  kill(window->process().id(), SIGCONT);
  ASSERT_TRUE(chosen);
  EXPECT_TRUE(window->wait_for("program ok"));
  EXPECT_FALSE(window->has_said("dock"));
  ASSERT_TRUE(window->press("ctrl+s") && window->place("Save as/name"));
  ASSERT_TRUE(window->press("ctrl+a") && window->type("mine") && window->press("Return"));
  ASSERT_TRUE(window->wait_for("said: Saved "));
  EXPECT_EQ(read_text(window->folder() / "mine.streams").value_or(""), "stream A\n#lptb");
}

TEST_F(Window, ClicksThatComeInOneFrameAllCountAndLandWhereTheyWereMade) {
  const auto middle = [&](const char* widget, bool drawn) {
    const auto at = window->place(widget);
    const int x = at ? at->x + at->width / 2 : 0, y = at ? at->y + at->height / 2 : 0;
    return at && (drawn ? window->point(x, y) : window->move(x, y));
  };
  ASSERT_TRUE(window->place("Dock tabs/Totals"));
  ASSERT_TRUE(middle("Dock tabs/Operations", true));
  kill(window->process().id(), SIGSTOP);
  const bool left = window->click_here() && middle("Dock tabs/Totals", false);
  kill(window->process().id(), SIGCONT);
  ASSERT_TRUE(left);
  EXPECT_TRUE(window->wait_for("dock 1"));
  ASSERT_TRUE(middle("Toolbar/A+", true));
  kill(window->process().id(), SIGSTOP);
  const bool twice = window->click_here() && window->click_here();
  kill(window->process().id(), SIGCONT);
  ASSERT_TRUE(twice);
  EXPECT_TRUE(window->wait_for("text scale 1.5"));
  EXPECT_FALSE(window->has_said("dock 6"));
}

TEST_F(Window, EscapeLeavesTheEditorAndLosesNothingTyped) {
  replace_text("stream A\nbuffer x 1MiB\nA: h2d x\n");
  ASSERT_TRUE(window->press("Escape"));
  ASSERT_TRUE(window->press("space"));
  EXPECT_EQ(spans_in(window->wait_for("run 2 done")), 2);
}

TEST_F(Window, UndoInTheEditorTakesBackAWordAndTypingGoesOnThere) {
  ASSERT_TRUE(window->click("Program/editor"));
  ASSERT_TRUE(window->press("ctrl+a"));
  for (const char* word : {"#alpha", " beta", " gamma"})  // each in frames of its own
    ASSERT_TRUE(window->type(word) && window->wait_for(std::string(word) + " · "));
  ASSERT_TRUE(window->press("ctrl+z") && window->press("ctrl+z") && window->press("ctrl+shift+z"));
  ASSERT_TRUE(window->wait_for("#alpha · ") && window->wait_for("#alpha beta · "));
  ASSERT_TRUE(window->type(" delta") && window->press("ctrl+s"));
  ASSERT_TRUE(window->place("Save as/name"));
  ASSERT_TRUE(window->press("ctrl+a") && window->type("mine") && window->press("Return"));
  ASSERT_TRUE(window->wait_for("said: Saved "));
  const auto text = read_text(window->folder() / "mine.streams");
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, ::testing::ContainsRegex("^#alpha beta  ?delta$")) << "the blank is of one word or the other";
}

TEST_F(Window, ClosingAsksWhereTypedTextWouldBeLost) {
  replace_text("stream A\n");
  ASSERT_TRUE(window->wait_for("edited"));
  ASSERT_TRUE(window->press("ctrl+q"));
  ASSERT_TRUE(window->wait_for("asks about closing"));
  ASSERT_TRUE(window->press("Escape"));
  ASSERT_TRUE(window->wait_for("stays open"));
  ASSERT_TRUE(window->press("ctrl+q"));
  ASSERT_TRUE(window->wait_for("asks about closing"));
  EXPECT_FALSE(window->process().exit_code().has_value());
  ASSERT_TRUE(window->click("Unsaved program/Close and lose it"));
  ASSERT_TRUE(poll_until([&] { return window->process().exit_code().has_value(); }));
  EXPECT_EQ(window->process().exit_code(), 0);
}

TEST_F(Window, ADialogIsAnsweredWithoutAMouse) {
  const auto focus_on = [&](const char* widget) {
    const auto at = window->place(widget);
    return at && shows(kFocus, 100, {at->x - 4, at->y - 4, at->width + 8, at->height + 8});
  };
  replace_text("stream A\n");
  ASSERT_TRUE(window->wait_for("edited"));
  ASSERT_TRUE(window->press("ctrl+q"));
  ASSERT_TRUE(window->wait_for("asks about closing"));
  ASSERT_TRUE(focus_on("Unsaved program/Save")) << "what Enter takes";
  ASSERT_TRUE(window->press("Tab"));
  ASSERT_TRUE(focus_on("Unsaved program/Close and lose it"));
  ASSERT_TRUE(window->press("Tab"));
  ASSERT_TRUE(focus_on("Unsaved program/Stay")) << "the first follows the last";
  ASSERT_TRUE(window->press("shift+Tab"));
  ASSERT_TRUE(focus_on("Unsaved program/Close and lose it"));
  ASSERT_TRUE(window->press("Left"));
  ASSERT_TRUE(focus_on("Unsaved program/Save"));
  ASSERT_TRUE(window->press("Left"));
  ASSERT_TRUE(focus_on("Unsaved program/Stay"));
  ASSERT_TRUE(window->press("Return"));
  ASSERT_TRUE(window->wait_for("stays open"));
  // The default: it asks for a name, and the field there has the keys.
  ASSERT_TRUE(window->press("ctrl+q"));
  ASSERT_TRUE(window->wait_for("asks about closing"));
  ASSERT_TRUE(focus_on("Unsaved program/Save"));
  ASSERT_TRUE(window->press("Return"));
  ASSERT_TRUE(window->place("Save as/name"));
  ASSERT_TRUE(window->press("ctrl+a") && window->type("mine"));
  ASSERT_TRUE(window->press("Tab"));
  ASSERT_TRUE(focus_on("Save as/Save"));
  ASSERT_TRUE(window->press("Return"));
  EXPECT_TRUE(window->wait_for("said: Saved "));
}

TEST_F(Window, TheExportDialogIsFilledInWithoutAMouse) {
  ASSERT_TRUE(window->press("ctrl+e"));
  ASSERT_TRUE(window->wait_for("export open"));
  ASSERT_TRUE(window->press("shift+Tab") && window->press("shift+Tab"));  // from Save as… over Figures to Legend
  ASSERT_TRUE(window->press("Tab") && window->press("Tab"));
  const auto write = window->place("Export a picture/Save as…");
  ASSERT_TRUE(write);
  ASSERT_TRUE(shows(kFocus, 100, {write->x - 4, write->y - 4, write->width + 8, write->height + 8}));
  ASSERT_TRUE(window->press("Return"));
  ASSERT_TRUE(window->place("Save the picture/name"));
  ASSERT_TRUE(window->press("Return"));
  EXPECT_TRUE(window->wait_for("said: Wrote "));
}

TEST_F(Window, AnOpenListTakesItsOwnKeys) {
  ASSERT_TRUE(window->click("Toolbar/theme"));
  ASSERT_TRUE(window->place("Combo/light"));
  window->forget();
  ASSERT_TRUE(window->press("l"));  // elsewhere: live
  ASSERT_TRUE(window->press("Down") && window->press("Return"));
  ASSERT_TRUE(window->wait_for("theme light"));
  EXPECT_FALSE(window->has_said("live on"));
  // It is closed: the keys are the timeline's again.
  ASSERT_TRUE(window->press("l"));
  EXPECT_TRUE(window->wait_for("live on"));
}

TEST_F(Window, AMenuTakesItsOwnKeysAndEscapeClosesIt) {
  ASSERT_TRUE(window->press("period") && window->wait_for("selected 0"));
  ASSERT_TRUE(window->click("Toolbar/?"));
  ASSERT_TRUE(window->place("Popup/All keys"));
  ASSERT_TRUE(window->press("Escape"));
  ASSERT_TRUE(window->press("period"));
  EXPECT_EQ(window->wait_for("selected").value_or(""), "selected 1") << "the menu was closed and nothing else";
}

TEST_F(Window, EscapeInADialogsListClosesTheListAlone) {
  ASSERT_TRUE(window->press("ctrl+e"));
  ASSERT_TRUE(window->wait_for("export open"));
  ASSERT_TRUE(window->click("Export a picture/theme"));
  ASSERT_TRUE(window->place("Combo/projector"));
  window->forget();
  ASSERT_TRUE(window->press("Escape"));
  ASSERT_TRUE(window->press("l"));  // no command in a dialog
  EXPECT_TRUE(window->place("Export a picture/Save as…"));
  EXPECT_FALSE(window->has_said("export closed"));
  EXPECT_FALSE(window->has_said("live on"));
  ASSERT_TRUE(window->press("Escape"));
  EXPECT_TRUE(window->wait_for("export closed"));
}

TEST_F(Window, TabWalksTheControlsWithoutAMouse) {
  ASSERT_TRUE(window->press("Tab"));
  ASSERT_TRUE(window->wait_for("walks 1"));
  // A frame in the colour of selections stands around what has the focus.
  const auto focus_on = [&](const char* widget) {
    const auto at = window->place(widget);
    return at && shows(kFocus, 150, {at->x - 4, at->y - 4, at->width + 8, at->height + 8});
  };
  ASSERT_TRUE(focus_on("Toolbar/Run"));
  ASSERT_TRUE(window->press("Right"));
  ASSERT_TRUE(focus_on("Toolbar/Live"));
  // Held until it is seen: Dear ImGui before 1.87 looks at keys once a frame, and a live window's frames are long.
  ASSERT_TRUE(window->hold("space", true));
  EXPECT_TRUE(window->wait_for("live on")) << "the button beside Run";
  ASSERT_TRUE(window->hold("space", false));
  window->forget();
  for (int run = 0; run < 3; ++run) ASSERT_TRUE(window->wait_for("run "));  // it has seen that the key was let go
  ASSERT_TRUE(window->hold("space", true));
  EXPECT_TRUE(window->wait_for("live off"));
  ASSERT_TRUE(window->hold("space", false));
  EXPECT_FALSE(window->has_said("selected 0")) << "arrows are not the timeline's";
  ASSERT_TRUE(window->press("Tab"));
  ASSERT_TRUE(window->wait_for("walks 2"));
  ASSERT_TRUE(window->press("shift+Tab"));
  ASSERT_TRUE(window->wait_for("walks 1"));
  ASSERT_TRUE(window->press("Escape"));
  ASSERT_TRUE(window->wait_for("walks 0"));
  ASSERT_TRUE(window->press("Right"));
  EXPECT_TRUE(window->wait_for("selected")) << "and they are again";
}

TEST_F(Window, AMessageGoesByItself) {
  ASSERT_TRUE(window->press("m"));
  ASSERT_TRUE(window->wait_for("said: Select an operation"));
  const auto gone = window->wait_for("said: ");
  EXPECT_EQ(gone.value_or("nothing"), "said: ");
}

TEST_F(Window, StreamsThatGetNoChunkAreSaid) {
  const auto streams = window->place("Experiment/controls/streams");
  ASSERT_TRUE(streams);
  const int y = streams->y + streams->height / 2;
  ASSERT_TRUE(shows(0xE5A83B, 0, *streams));
  ASSERT_TRUE(window->drag(streams->x + streams->width / 6, y, streams->x + streams->width - 3, y));
  ASSERT_TRUE(window->wait_for("32 streams"));
  // Below the slider, in the colour of warnings.
  EXPECT_TRUE(shows(0xE5A83B, 30, {0, streams->y + streams->height, 290, 3 * streams->height}));
}

}  // namespace
}  // namespace streamscope::tests

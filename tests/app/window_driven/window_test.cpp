// The real executable in a real (virtual) display, with real events: what a person does first.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <cstring>
#include <random>

#include "tests/app/window_driven/window_fixture.h"
#include "tests/support/counts.h"

namespace streamscope::tests {
namespace {

using testing::HasSubstr;

TEST_F(Window, OpensRunsTheDefaultExperimentOnceAndShowsIt) {
  EXPECT_EQ(spans_in(first), 49);  // 16 chunks: copy in, kernel, copy out; and the synchronisation
  EXPECT_THAT(*first, HasSubstr("4 streams"));
  const auto timeline = window->place("Timeline/plot");
  ASSERT_TRUE(timeline);
  for (const std::uint32_t colour : {kH2d, kD2h, kKernel})
    EXPECT_TRUE(shows(colour, 500, *timeline)) << std::hex << colour;
  EXPECT_TRUE(poll_until([&] { return window->title().find("MODEL") != std::string::npos; })) << window->title();
}

TEST_F(Window, ASliderMakesANewRun) {
  const auto streams = window->place("Experiment/controls/streams");
  ASSERT_TRUE(streams);
  const int y = streams->y + streams->height / 2;
  ASSERT_TRUE(window->drag(streams->x + streams->width / 6, y, streams->x + streams->width - 3, y));
  ASSERT_TRUE(window->wait_for("32 streams"));
  const auto chunk = window->place("Experiment/controls/chunk");
  ASSERT_TRUE(chunk);
  const int line = chunk->y + chunk->height / 2;
  ASSERT_TRUE(window->drag(chunk->x + chunk->width / 2, line, chunk->x + chunk->width - 3, line));
  // One chunk: copy in, kernel, copy out and the synchronisation.
  EXPECT_TRUE(window->wait_for("done: 4 spans, 32 streams · 256 MiB"));
}

TEST_F(Window, AClickOnASliderChangesNothingAndTwoOpenAField) {
  const auto streams = window->place("Experiment/controls/streams");
  ASSERT_TRUE(streams);
  ASSERT_TRUE(window->click("Experiment/controls/streams"));  // its middle, where 16 would be
  ASSERT_TRUE(window->press("space"));
  EXPECT_TRUE(window->wait_for("run 2 done: 49 spans, 4 streams"));
  ASSERT_TRUE(window->hold("ctrl", true) && window->click("Experiment/controls/streams") &&
              window->hold("ctrl", false));
  ASSERT_TRUE(window->type("99999") && window->press("Return"));
  ASSERT_TRUE(window->wait_for("run 3 done: 49 spans, 1024 streams"));
  constexpr std::uint32_t kWarning = 0xE5A83B;
  const Area below{streams->x - streams->width, streams->y + streams->height, 2 * streams->width, streams->height};
  EXPECT_TRUE(shows(kWarning, 20, below)) << "that this is the most";
}

// What is known of it stands below all figures.
TEST_F(Window, WhatIsSelectedOnTheTimelineComesIntoSightAtTheRight) {
  const auto before = window->place("Summary/figures/path-by/cause");
  ASSERT_TRUE(before);
  ASSERT_TRUE(window->press("period"));
  ASSERT_TRUE(window->wait_for("selected 0"));
  EXPECT_TRUE(poll_until([&] { return window->place("Summary/figures/path-by/cause")->y < before->y; }));
}

TEST_F(Window, SpaceRunsAgain) {
  ASSERT_TRUE(window->press("space"));
  const auto second = window->wait_for("run 2 done");
  EXPECT_EQ(spans_in(second), spans_in(first));
}

TEST_F(Window, LiveRunsAgainAndAgainUntilItIsStopped) {
  ASSERT_TRUE(window->press("l"));
  EXPECT_TRUE(window->wait_for("run 6 done"));
  ASSERT_TRUE(window->click("Toolbar/Stop"));
  EXPECT_TRUE(window->wait_for("live off"));
}

TEST_F(Window, ATypedProgramShowsItsErrorsAtTheirLineAndRunsWithoutThem) {
  replace_text("stream A\nbuffer x 1MiB\nA: h2d y\n");
  EXPECT_TRUE(window->wait_for("edited"));
  // The last keystroke decides: the error of the whole text.
  ASSERT_TRUE(window->wait_for("program error line 3"));
  const auto editor = window->place("Program/editor");
  ASSERT_TRUE(editor);
  // The mark at the line's left edge, in the theme's colour of errors.
  EXPECT_TRUE(shows(0xFF6B5E, 20, {editor->x, editor->y, 12, editor->height}));
  window->forget();
  ASSERT_TRUE(window->press("ctrl+Return"));
  EXPECT_TRUE(window->wait_for("said error: line 3"));

  replace_text("stream A\nbuffer x 1MiB\nA: h2d x\n");
  ASSERT_TRUE(window->press("ctrl+Return"));
  const auto second = window->wait_for("run 2 done");
  EXPECT_EQ(spans_in(second), 2) << second.value_or("nothing");  // the copy and the implied synchronisation
  EXPECT_THAT(second.value_or(""), HasSubstr("typed program"));
  // Letters went into the text: none of them was taken for a key of the timeline.
  EXPECT_FALSE(window->has_said("live on"));
}

TEST_F(Window, AnEditedTextCanBeResetAndBroughtBack) {
  replace_text("stream A\n");
  ASSERT_TRUE(window->wait_for("edited"));
  ASSERT_TRUE(window->click("Program/Reset to experiment"));
  EXPECT_TRUE(window->wait_for("not edited"));
  ASSERT_TRUE(window->click("Program/Bring back the typed text"));
  EXPECT_TRUE(window->wait_for("edited"));
}

TEST_F(Window, AKilledEngineIsReportedAndReplacedAndItsRunsStay) {
  ASSERT_TRUE(window->press("l"));
  ASSERT_TRUE(window->wait_for("live on"));
  int engine = number_after(window->all_lines(), "engine up ");
  for (int round = 0; round < 20; ++round) {
    ASSERT_GT(engine, 0);
    ASSERT_TRUE(window->wait_for("run "));
    ASSERT_EQ(kill(engine, SIGKILL), 0);
    ASSERT_TRUE(window->wait_for("engine lost"));
    ASSERT_TRUE(window->click("Engine lost/Start a new engine"));
    const auto up = window->wait_for("engine up");
    ASSERT_TRUE(up);
    const int next = number_after(*up, "engine up ");
    EXPECT_NE(next, engine);
    engine = next;
  }
  // Live mode goes on by itself; stop it, and count: the first run is there, live mode's newest, and the one more.
  ASSERT_TRUE(window->wait_for("run "));
  ASSERT_TRUE(window->click("Toolbar/Stop"));
  ASSERT_TRUE(window->wait_for("live off"));
  window->forget();
  ASSERT_TRUE(
      poll_until([&] { return window->press("space") && window->wait_for("runs kept", std::chrono::seconds(5)); }));
  const std::string all = window->all_lines();
  const std::size_t last = all.rfind("runs kept ");
  EXPECT_EQ(std::stoi(all.substr(last + 10)), 3);
}

TEST_F(Window, AClickSelectsKeysZoomAndFitADragMeasures) {
  const auto timeline = window->place("Timeline/plot");
  ASSERT_TRUE(timeline);
  ASSERT_TRUE(shows(kD2h, 500, *timeline));
  const auto screen = window->screenshot();
  ASSERT_TRUE(screen);
  const auto bar = screen->find(kD2h, *timeline);
  ASSERT_TRUE(bar);
  ASSERT_TRUE(window->drag(bar->first + 4, bar->second + 6, bar->first + 4, bar->second + 6));
  const auto selected = window->wait_for("selected ");
  ASSERT_TRUE(selected);
  EXPECT_EQ(*selected, "selected 2");  // the first copy back, of the first chunk
  ASSERT_TRUE(window->press("bracketleft"));
  ASSERT_TRUE(window->wait_for("selected 1"));  // it waited for the kernel before it

  const int x = timeline->x + timeline->width * 2 / 3, y = timeline->y + timeline->height / 2;
  ASSERT_TRUE(window->move(x, y));
  ASSERT_TRUE(window->press("w"));
  const auto zoomed = window->wait_for("view ");
  ASSERT_TRUE(zoomed);
  EXPECT_NE(*zoomed, "view whole");
  ASSERT_TRUE(window->press("Home"));
  ASSERT_TRUE(window->wait_for("view whole"));

  ASSERT_TRUE(window->drag(timeline->x + timeline->width / 2, y, timeline->x + timeline->width * 3 / 4, y));
  EXPECT_TRUE(window->wait_for("measure "));
  // The measurement goes first, then the selection.
  EXPECT_TRUE(poll_until([&] {
    return window->press("Escape") && window->wait_for("selected none", std::chrono::seconds(1)).has_value();
  }));
}

TEST_F(Window, AShippedProgramOfItsOwnOpensAndThePipelineComesBack) {
  ASSERT_TRUE(window->click("Experiment/controls/Four streams"));
  ASSERT_TRUE(window->move(640, 400));  // some frames more, in which it settles
  ASSERT_TRUE(window->click("Gallery/words"));
  ASSERT_TRUE(window->type("the default stream trap") && window->press("Return"));
  EXPECT_THAT(window->wait_for("run 2 done").value_or(""), HasSubstr("default-stream-trap"));
  ASSERT_TRUE(window->click("Experiment/controls/Back to the pipeline"));
  EXPECT_THAT(window->wait_for("run 3 done").value_or(""), HasSubstr("4 streams"));
}

TEST_F(Window, ThemesAndTextSizesAreDrawn) {
  ASSERT_TRUE(window->click("Toolbar/theme"));
  ASSERT_TRUE(window->click("Combo/light"));
  ASSERT_TRUE(window->wait_for("theme light"));
  const auto timeline = window->place("Timeline/plot");
  ASSERT_TRUE(timeline);
  EXPECT_TRUE(shows(0xFFFFFF, 20'000, *timeline));
  ASSERT_TRUE(window->click("Toolbar/A+"));
  ASSERT_TRUE(window->wait_for("text scale 1.25"));
  ASSERT_TRUE(window->press("ctrl+0"));
  EXPECT_TRUE(window->wait_for("text scale 1"));
}

TEST_F(Window, ClosesWithExitCodeZeroAndLeavesNoChild) {
  const int engine = number_after(window->all_lines(), "engine up ");
  ASSERT_GT(engine, 0);
  ASSERT_TRUE(window->press("ctrl+q"));
  ASSERT_TRUE(poll_until([&] { return window->process().exit_code().has_value(); }));
  EXPECT_EQ(window->process().exit_code(), 0);
  EXPECT_TRUE(poll_until([&] { return gone(engine); }));
}

// In live mode, at any instant: its engine goes with it, and the next window opens on whole settings.
// STREAMSCOPE_WINDOW_KILLS: how often.
TEST_F(Window, KilledItLeavesNoEngine) {
  const int kills = count_from("STREAMSCOPE_WINDOW_KILLS", 2);
  std::mt19937 random(4);
  std::optional<std::string> up = window->all_lines();
  for (int i = 0; i < kills; ++i) {
    const int engine = number_after(*up, "engine up ");
    ASSERT_GT(engine, 0);
    if (random() % 4 != 0) {
      ASSERT_TRUE(window->press("l"));
      for (unsigned runs = random() % 4; runs > 0; --runs) ASSERT_TRUE(window->wait_for("run "));
    }
    ASSERT_EQ(kill(window->process().id(), SIGKILL), 0);
    ASSERT_TRUE(poll_until([&] { return window->process().exit_code().has_value(); }));
    ASSERT_TRUE(poll_until([&] { return gone(engine); })) << "after " << i << " windows";
    window->start_anew();
    up = window->wait_for("engine up");
    ASSERT_TRUE(up) << window->all_lines();
  }
  EXPECT_TRUE(window->wait_for("run 1 done"));
}

// An engine of another make need not end when its input does: only a window that closes in order takes it along.
using WindowAsked = AnyWindow;
TEST_F(WindowAsked, ToEndItClosesAndLeavesNoChild) {
  for (const int signal : {SIGTERM, SIGINT}) {
    WindowDriver driven({"--engine", STREAMSCOPE_PROGRAM " engine; sleep 1000; true"});
    ASSERT_TRUE(driven.wait_for("run 1 done")) << driven.all_lines();
    const int engine = number_after(driven.all_lines(), "engine up ");
    ASSERT_GT(engine, 0);
    ASSERT_EQ(kill(driven.process().id(), signal), 0);
    ASSERT_TRUE(poll_until([&] { return driven.process().exit_code().has_value(); }));
    EXPECT_EQ(driven.process().exit_code(), 0) << strsignal(signal);
    const bool all_gone = poll_until([&] { return gone(-engine); });  // the group: the shell and what it started
    EXPECT_TRUE(all_gone) << strsignal(signal);
    if (!all_gone) kill(-engine, SIGKILL);
  }
}

TEST_F(Window, OnAModelThereIsNoInstrumentToChoose) {
  EXPECT_NE(window->all_lines().find("observer not known"), std::string::npos);
  ASSERT_TRUE(window->click("Toolbar/instrument/sampled"));
  ASSERT_TRUE(window->click("Toolbar/Gate"));
  ASSERT_TRUE(window->press("space"));
  ASSERT_TRUE(window->wait_for("run 2 done"));
  EXPECT_EQ(window->all_lines().find("instrument sampled"), std::string::npos);
  EXPECT_EQ(window->all_lines().find("gate on"), std::string::npos);
}

// A slider of "what if", dragged to its left end.
TEST_F(Window, AChangedProfileIsNamedAsChangedAndHeldAgainstItself) {
  EXPECT_EQ(window->wait_for("profile h200"), "profile h200");
  // Further down than a small window shows.
  ASSERT_TRUE(scroll_to("Experiment/controls/copies.engines/value", "Experiment/controls/bytes"));
  const auto engines = window->place("Experiment/controls/copies.engines/value");
  ASSERT_TRUE(engines);
  const int y = engines->y + engines->height / 2;
  ASSERT_TRUE(window->drag(engines->x + engines->width * 2 / 3, y, engines->x + 2, y));
  ASSERT_TRUE(window->wait_for("profile h200, changed: copies.engines 1 (was "));
  ASSERT_TRUE(window->press("p"));
  ASSERT_TRUE(window->wait_for("ghost h200"));
  ASSERT_TRUE(window->click("Experiment/controls/copies.engines/×"));
  EXPECT_TRUE(window->wait_for("profile h200"));
}

using WindowRefuses = AnyWindow;
TEST_F(WindowRefuses, AFileThatIsNotThereWithItsNameAndExitCodeTwo) {
  WindowDriver driven({"no-such-file.toml"});
  EXPECT_TRUE(driven.wait_for("no-such-file.toml"));
  EXPECT_TRUE(poll_until([&] { return driven.process().exit_code().has_value(); }));
  EXPECT_EQ(driven.process().exit_code(), 2);
}

}  // namespace
}  // namespace streamscope::tests

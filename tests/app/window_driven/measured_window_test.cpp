// The real window with an engine whose runs look measured: how it watches them, holds them against a model, looks
// inside kernels, and asks before it runs what may do harm.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/app/window_driven/window_fixture.h"

namespace streamscope::tests {
namespace {

using testing::HasSubstr;

// With an engine whose runs look measured.
class MeasuredWindow : public Window {
 protected:
  std::vector<std::string> arguments() const override {
    return {"--engine", std::string("'") + STREAMSCOPE_TEST_PROGRAMS + "/dressed_engine'"};
  }
};

TEST_F(MeasuredWindow, TheModeSwitchGoesIntoRunsAndARefusalLosesNothing) {
  ASSERT_TRUE(window->wait_for("observer 1.0"));
  ASSERT_TRUE(window->click("Toolbar/instrument/sampled"));
  ASSERT_TRUE(window->wait_for("instrument sampled share 16 gate off"));
  ASSERT_TRUE(window->wait_for("run 2 done"));
  // A change's run makes no bare ones; they follow by themselves, in a run that is not shown.
  ASSERT_TRUE(window->wait_for("observer not known"));
  ASSERT_TRUE(window->wait_for("observer "));
  ASSERT_TRUE(window->click("Toolbar/share"));
  ASSERT_TRUE(window->click("Combo/1 in 4"));
  ASSERT_TRUE(window->wait_for("instrument sampled share 4 gate off"));
  ASSERT_TRUE(window->wait_for("run 3 done"));
  ASSERT_TRUE(window->click("Toolbar/Gate"));
  ASSERT_TRUE(window->wait_for("instrument sampled share 4 gate on"));
  ASSERT_TRUE(window->wait_for("run 4 done"));
  ASSERT_TRUE(window->click("Toolbar/instrument/cupti"));
  ASSERT_TRUE(window->wait_for("said error: CUPTI was not found"));
  EXPECT_NE(window->all_lines().find("runs kept 4"), std::string::npos);
  ASSERT_TRUE(window->click("Toolbar/instrument/full"));
  EXPECT_TRUE(window->wait_for("run 5 done"));
  // What was refused stands no longer.
  EXPECT_TRUE(poll_until([&] {
    const std::string all = window->all_lines();
    const std::size_t last = all.rfind("said: ");
    return last != std::string::npos && last > all.rfind("said error: ");
  }));
}

TEST_F(MeasuredWindow, PredictDrawsGhostsUnderTheMeasuredBarsAndListsWhereTheyDeviate) {
  ASSERT_TRUE(window->click("Toolbar/Predict"));
  ASSERT_TRUE(window->wait_for("ghost h200"));
  const auto timeline = window->place("Timeline/plot");
  ASSERT_TRUE(timeline);
  // The inside of a copy's ghost: its colour, most of it the background's.
  EXPECT_TRUE(shows(0x0C4A3D, 200, *timeline));
  ASSERT_TRUE(window->click("Summary/figures/0/deviation"));
  EXPECT_TRUE(window->wait_for("selected "));
  ASSERT_TRUE(window->press("p"));
  EXPECT_TRUE(window->wait_for("ghost none"));
  EXPECT_TRUE(poll_until([&] {
    const auto screen = window->screenshot();
    return screen && screen->count(0x0C4A3D, *timeline) == 0;
  }));
}

TEST_F(MeasuredWindow, TheRefereeIsAskedOnceTheControlsRestAndAgrees) {
  ASSERT_TRUE(window->wait_for("referee waits for the controls to rest"));
  ASSERT_TRUE(window->wait_for("referee agrees with 48 bars"));
  // A change makes another run, which has none yet.
  ASSERT_TRUE(window->click("Toolbar/instrument/sampled"));
  ASSERT_TRUE(window->wait_for("referee waits for the controls to rest"));
  EXPECT_TRUE(window->wait_for("referee agrees with 48 bars"));
}

// Whose referee finds two bars wrong.
class ContradictedWindow : public MeasuredWindow {
 protected:
  std::vector<std::string> arguments() const override {
    std::vector<std::string> all = MeasuredWindow::arguments();
    all.back() += " contradicts";
    return all;
  }
};

TEST_F(ContradictedWindow, TheRunInViewIsTheJudgedOneAndCountsThem) {
  ASSERT_TRUE(window->wait_for("referee contradicts 2 of 48: their doubt is widened"));
  EXPECT_EQ(window->all_lines().find("run 2 done"), std::string::npos) << "it is the same run, with an opinion";
  EXPECT_NE(window->all_lines().find("runs kept 1"), std::string::npos);
  EXPECT_EQ(window->all_lines().find("runs kept 2"), std::string::npos);
}

class NoCuptiWindow : public MeasuredWindow {
 protected:
  std::vector<std::string> arguments() const override {
    std::vector<std::string> all = MeasuredWindow::arguments();
    all.back() += " no-cupti";
    return all;
  }
};

TEST_F(NoCuptiWindow, TheReasonForNoOpinionStandsInItsPlaceAndIsNoError) {
  ASSERT_TRUE(window->wait_for("referee none: CUPTI was not found on this machine."));
  EXPECT_EQ(window->all_lines().find("said error"), std::string::npos);
}

// With a program of tiles.
class InsideWindow : public MeasuredWindow {
 protected:
  std::vector<std::string> arguments() const override {
    std::vector<std::string> all = MeasuredWindow::arguments();
    all.emplace_back(STREAMSCOPE_SOURCE "/assets/programs/tiles.streams");
    return all;
  }
};

TEST_F(InsideWindow, EnterLooksInsideAKernelAndAgainClosesIt) {
  constexpr std::uint32_t kTileCopy = 0x0072B2;
  const auto timeline = window->place("Timeline/plot");
  ASSERT_TRUE(timeline);
  ASSERT_TRUE(window->press("period") && window->wait_for("selected 0"));
  ASSERT_TRUE(window->press("period") && window->wait_for("selected 1"));
  ASSERT_TRUE(window->press("Return"));
  ASSERT_TRUE(window->wait_for("said: No block of it recorded")) << "nothing was asked of the blocks yet";
  ASSERT_TRUE(window->click("Toolbar/in-kernel"));
  ASSERT_TRUE(window->click("Combo/1 in 100"));
  ASSERT_TRUE(window->wait_for("in-kernel 100"));
  ASSERT_TRUE(window->wait_for("run 2 done"));
  ASSERT_TRUE(window->press("Return"));
  ASSERT_TRUE(window->wait_for("inside 1: 0"));
  EXPECT_TRUE(window->wait_for("view ")) << "the kernel is a small part of the run";
  EXPECT_TRUE(shows(kTileCopy, 500, *timeline));
  ASSERT_TRUE(window->press("space"));
  ASSERT_TRUE(window->wait_for("run 3 done"));
  EXPECT_TRUE(shows(kTileCopy, 500, *timeline)) << "it stays open";
  ASSERT_TRUE(window->press("o"));
  ASSERT_TRUE(window->wait_for("inside none"));
  EXPECT_TRUE(poll_until([&] {
    const auto screen = window->screenshot();
    return screen && screen->count(kTileCopy, *timeline) == 0;
  }));
}

// With a program whose own kernel does not compile.
class UncompiledWindow : public MeasuredWindow {
 protected:
  std::vector<std::string> arguments() const override {
    const std::string folder = ::testing::TempDir() + "streamscope-uncompiled";
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/own.streams") << "stream A\nkernel mine \"mine.cu\" (int n)\nA: mine 7\n";
    std::ofstream source(folder + "/mine.cu");
    source << "__global__ void mine(int n) {\n#error for the test\n  int i=foo;\n";
    for (int i = 0; i < 60; ++i) source << "  // more\n";
    std::vector<std::string> all = MeasuredWindow::arguments();
    all.emplace_back(folder + "/own.streams");
    return all;
  }
  void SetUp() override {
    AnyWindow::SetUp();
    if (!IsSkipped()) window.emplace(arguments(), false);
  }
};

TEST_F(UncompiledWindow, TheCompilersErrorsAreListedAndLeadIntoTheSource) {
  ASSERT_TRUE(window->click("Long kernel/Read it and run it*"));
  ASSERT_TRUE(window->wait_for("does not compile 2 errors"));
  const auto list = window->place("Program/messages");
  ASSERT_TRUE(list);
  const int x = list->x + 40, y = list->y + 6;
  ASSERT_TRUE(window->drag(x, y, x, y));
  ASSERT_TRUE(window->wait_for("looks at error 1"));
  ASSERT_TRUE(window->place("Program/source"));
  // The other one is far down, and comes into sight: its line has a red edge.
  ASSERT_TRUE(window->drag(x, y + list->height / 2, x, y + list->height / 2));
  ASSERT_TRUE(window->wait_for("looks at error 2"));
  const auto code = window->place("Program/source");
  ASSERT_TRUE(code);
  EXPECT_TRUE(shows(0xFF6B5E, 20, {code->x, code->y, 6, code->height}));
  ASSERT_TRUE(window->click("Program/Back to the program"));
  EXPECT_TRUE(window->wait_for("looks at error 0"));
  EXPECT_TRUE(window->place("Program/editor"));
}

TEST_F(MeasuredWindow, AKernelThatFreezesADisplayIsAskedAboutAndRunsOnce) {
  replace_text("stream A\nA: spin 1500ms\n");
  ASSERT_TRUE(window->press("ctrl+Return"));
  ASSERT_TRUE(window->wait_for("asks about long kernels"));
  EXPECT_FALSE(window->has_said("run 2 done"));
  ASSERT_TRUE(window->click("Long kernel/Run it anyway*"));
  ASSERT_TRUE(window->wait_for("asks no more about long kernels"));
  EXPECT_TRUE(window->wait_for("run 2 done"));
  window->forget();
  ASSERT_TRUE(window->click("Toolbar/Run"));
  ASSERT_TRUE(window->wait_for("asks about long kernels")) << "that was for once";
  ASSERT_TRUE(window->click("Long kernel/Leave it"));
  EXPECT_TRUE(window->wait_for("asks no more about long kernels"));
  EXPECT_EQ(window->all_lines().find("run 3 done"), std::string::npos);
}

// The names of files, which may be long and are a stranger's, stand beside it.
TEST_F(MeasuredWindow, CodeOfItsOwnIsAskedAboutByAButtonThatNoFilesNameChanges) {
  replace_text("stream A\nkernel k \"nowhere.cu\" ()\nA: k\n");
  ASSERT_TRUE(window->press("ctrl+Return"));
  ASSERT_TRUE(window->wait_for("asks about long kernels"));
  ASSERT_TRUE(window->click("Long kernel/Read it and run it on the GPU"));
  EXPECT_TRUE(window->wait_for("nowhere.cu")) << "it is said that it cannot be read";
  EXPECT_FALSE(window->has_said("run 2 done"));
}

}  // namespace
}  // namespace streamscope::tests

// Opening and saving in the real window, and what it remembers from one start to the next.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/app/window_driven/window_fixture.h"

namespace streamscope::tests {
namespace {

using testing::HasSubstr;

class FilesWindow : public Window {
 protected:
  std::string written(const std::string& name) const {
    std::ostringstream all;
    all << std::ifstream(window->folder() / name).rdbuf();
    return all.str();
  }
};

TEST_F(FilesWindow, TypedTextIsSavedUnderANameAndClosingAsksNoMore) {
  replace_text("stream A\nbuffer x 1MiB\nA: h2d x\n");
  ASSERT_TRUE(window->wait_for("edited"));
  ASSERT_TRUE(window->press("ctrl+s"));
  ASSERT_TRUE(window->click("Save as/name"));
  ASSERT_TRUE(window->press("ctrl+a") && window->type("mine") && window->press("Return"));
  ASSERT_TRUE(window->wait_for("said: Saved "));
  EXPECT_THAT(written("mine.streams"), HasSubstr("A: h2d x\n"));
  ASSERT_TRUE(window->reopen()) << "nothing is asked";
  EXPECT_EQ(spans_in(window->wait_for("run 1 done")), 2) << "it opens on that file";
}

TEST_F(FilesWindow, ANameThatIsTakenIsReplacedWhereThatIsAskedForWhereverItIs) {
  const std::filesystem::path folder = window->folder() / "elsewhere";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "mine.streams") << "stream B\n";
  replace_text("stream A\nbuffer x 1MiB\nA: h2d x\n");
  ASSERT_TRUE(window->press("ctrl+s"));
  ASSERT_TRUE(window->click("Save as/name"));
  ASSERT_TRUE(window->press("ctrl+a") && window->type((folder / "mine").string()) && window->press("Return"));
  ASSERT_TRUE(window->place("Save as/Replace it"));
  EXPECT_EQ(written("elsewhere/mine.streams"), "stream B\n") << "not unasked";
  ASSERT_TRUE(window->press("Return"));
  EXPECT_EQ(written("elsewhere/mine.streams"), "stream B\n") << "Enter alone replaces nothing";
  ASSERT_TRUE(window->click("Save as/Replace it"));
  ASSERT_TRUE(window->wait_for("said: Saved "));
  EXPECT_THAT(written("elsewhere/mine.streams"), HasSubstr("A: h2d x\n"));
}

TEST_F(FilesWindow, LooksAndTheExperimentComeBack) {
  const auto streams = window->place("Experiment/controls/streams");
  ASSERT_TRUE(streams);
  const int y = streams->y + streams->height / 2;
  ASSERT_TRUE(window->drag(streams->x + streams->width / 6, y, streams->x + streams->width - 3, y));
  ASSERT_TRUE(window->wait_for("32 streams"));
  ASSERT_TRUE(window->press("7"));
  ASSERT_TRUE(window->wait_for("dock 4"));
  ASSERT_TRUE(window->press("ctrl+plus"));
  ASSERT_TRUE(window->wait_for("text scale 1.25"));
  ASSERT_TRUE(window->reopen());
  EXPECT_TRUE(window->wait_for("run 1 done: 49 spans, 32 streams"));
  EXPECT_THAT(window->all_lines(), HasSubstr("text scale 1.25"));
  EXPECT_THAT(window->all_lines(), HasSubstr("dock 4"));
}

TEST_F(FilesWindow, AFileIsOpenedByItsName) {
  std::ofstream(window->folder() / "other.streams") << "stream A\nbuffer x 1MiB\nA: h2d x\nA: d2h x\n";
  ASSERT_TRUE(window->press("ctrl+o"));
  ASSERT_TRUE(window->click("Open a file/name"));
  ASSERT_TRUE(window->type("other.streams") && window->press("Return"));
  EXPECT_EQ(spans_in(window->wait_for("run 2 done")), 3);
}

TEST_F(FilesWindow, EnterOnNoNameLeavesTheCursorInTheField) {
  std::ofstream(window->folder() / "other.streams") << "stream A\nbuffer x 1MiB\nA: h2d x\nA: d2h x\n";
  ASSERT_TRUE(window->press("ctrl+o"));
  ASSERT_TRUE(window->place("Open a file/name"));
  ASSERT_TRUE(window->press("Return") && window->type("other.streams") && window->press("Return"));
  EXPECT_EQ(spans_in(window->wait_for("run 2 done")), 3);
}

TEST_F(FilesWindow, AFileIsOpenedFromTheListWithoutAMouse) {
  std::filesystem::create_directories(window->folder() / "below");
  std::ofstream(window->folder() / "below" / "a.streams") << "stream A\nbuffer x 1MiB\nA: h2d x\nA: d2h x\n";
  std::ofstream(window->folder() / "below" / "b.streams") << "stream A\nbuffer x 1MiB\nA: h2d x\n";
  ASSERT_TRUE(window->press("ctrl+o"));
  ASSERT_TRUE(window->place("Open a file/*below/"));
  ASSERT_TRUE(window->press("shift+Tab") && window->press("Return"));  // from the name to the list, into the folder
  ASSERT_TRUE(window->place("Open a file/*b.streams"));
  ASSERT_TRUE(window->press("Down") && window->press("Return"));
  EXPECT_EQ(spans_in(window->wait_for("run 2 done")), 2) << "the second of them";
}

TEST_F(FilesWindow, TheGalleryIsWalkedWithoutAMouse) {
  ASSERT_TRUE(window->press("g"));
  ASSERT_TRUE(window->place("Gallery/words"));
  ASSERT_TRUE(window->press("Tab") && window->press("Right") && window->press("Return"));
  EXPECT_TRUE(window->wait_for("run 2 done"));
  EXPECT_EQ(window->title().find("Four streams"), std::string::npos) << "the second card";
}

TEST_F(FilesWindow, TheGalleryOpensWhatAWordMeans) {
  ASSERT_TRUE(window->press("g"));
  ASSERT_TRUE(window->click("Gallery/words"));
  ASSERT_TRUE(window->type("legacy stream"));
  window->forget();
  ASSERT_TRUE(window->press("Return"));
  EXPECT_THAT(window->wait_for("run 2 done: ").value_or("nothing"), HasSubstr("default-stream"));
}

TEST_F(FilesWindow, ASweepRunsAndAClickShowsARun) {
  ASSERT_TRUE(window->press("8"));
  ASSERT_TRUE(window->click("Sweep/axes/Go"));
  ASSERT_TRUE(window->wait_for("said: The sweep is done: 4 combinations."));
  // Written at once; what is there is asked about.
  ASSERT_TRUE(window->click("Sweep/axes/CSV"));
  ASSERT_TRUE(window->wait_for("said: Wrote "));
  EXPECT_THAT(written("four-streams-sweep.csv"), HasSubstr("\n1,"));
  std::ofstream(window->folder() / "four-streams-sweep.csv") << "kept";
  ASSERT_TRUE(window->click("Sweep/axes/CSV"));
  ASSERT_TRUE(window->place("Save the sweep/Replace it"));
  EXPECT_EQ(written("four-streams-sweep.csv"), "kept");
  ASSERT_TRUE(window->click("Save the sweep/Replace it"));
  EXPECT_TRUE(poll_until([&] { return written("four-streams-sweep.csv") != "kept"; }));
  ASSERT_TRUE(window->click("Sweep/axes/PNG"));
  EXPECT_TRUE(poll_until([&] { return read_png(window->folder() / "four-streams-sweep.png").has_value(); }));
  const auto plot = window->place("Sweep/plot");
  ASSERT_TRUE(plot);
  ASSERT_TRUE(window->point(plot->x + plot->width * 9 / 10, plot->y + plot->height / 2));
  ASSERT_TRUE(window->click("Sweep/plot"));
  EXPECT_TRUE(window->wait_for("run 2 done: 49 spans, streams="));
}

}  // namespace
}  // namespace streamscope::tests

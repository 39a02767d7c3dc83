// The operations panel and the figures of a range in the real window: the search, the table, CSV, marks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/window_driven/window_fixture.h"

namespace streamscope::tests {
namespace {

using ::testing::HasSubstr;

class OperationsWindow : public Window {
 protected:
  // Into the search, which then holds these words only. As fast as keys come: what is said last decides.
  void search(const std::string& words) {
    ASSERT_TRUE(window->click("Operations/search"));
    ASSERT_TRUE(window->press("ctrl+a"));
    ASSERT_TRUE(window->type(words));
  }
};

TEST_F(OperationsWindow, TheSearchNarrowsTheTableAndEnterGoesFromMatchToMatch) {
  ASSERT_TRUE(window->press("slash"));
  ASSERT_TRUE(window->wait_for("table 49 of 49 rows by Op, up, the first 0"));
  ASSERT_TRUE(window->place("Operations/search"));
  ASSERT_TRUE(window->type("kind:d2h"));  // the cursor is there already
  ASSERT_TRUE(window->wait_for("table 16 of 49 rows by Op, up, the first 2"));
  ASSERT_TRUE(window->press("Return"));
  ASSERT_TRUE(window->wait_for("selected 2"));
  ASSERT_TRUE(window->press("Return"));
  ASSERT_TRUE(window->wait_for("selected 5"));
  ASSERT_TRUE(window->press("shift+Return"));
  ASSERT_TRUE(window->wait_for("selected 2"));
  ASSERT_TRUE(window->type(" stream:S1"));  // added to what is there
  ASSERT_TRUE(window->wait_for("table 4 of 49 rows by Op, up, the first 5"));
  ASSERT_TRUE(window->type(" dur>1"));
  EXPECT_THAT(window->wait_for("search error column 24").value_or(""), HasSubstr("needs a unit of time"));
}

TEST_F(OperationsWindow, EscapeClearsTheSearchAndGivesTheKeysBack) {
  ASSERT_TRUE(window->press("slash") && window->wait_for("table 49 of 49 rows"));
  ASSERT_TRUE(window->type("kind:d2h"));
  ASSERT_TRUE(window->wait_for("table 16 of 49 rows"));
  ASSERT_TRUE(window->press("Escape"));
  ASSERT_TRUE(window->wait_for("table 49 of 49 rows"));
  ASSERT_TRUE(window->press("l"));
  EXPECT_TRUE(window->wait_for("live on"));
}

TEST_F(OperationsWindow, AClickOnARowSelectsAndADoubleClickGoesThere) {
  ASSERT_TRUE(window->press("4"));
  ASSERT_TRUE(window->wait_for("table 49 of 49"));
  ASSERT_TRUE(window->click("Operations/operations/1/row"));
  ASSERT_TRUE(window->wait_for("selected 1"));
  ASSERT_TRUE(poll_until([&] {
    return window->click("Operations/operations/2/row") && window->click("Operations/operations/2/row") &&
           window->wait_for("view ", std::chrono::seconds(2));
  }));
  EXPECT_FALSE(window->has_said("view whole"));
}

TEST_F(OperationsWindow, AHeadingSortsBothWays) {
  ASSERT_TRUE(window->press("4"));
  ASSERT_TRUE(window->wait_for("table 49 of 49"));
  ASSERT_TRUE(window->click("Operations/operations/Kind"));
  ASSERT_TRUE(window->wait_for("by Kind, up, the first 2"));  // d2h
  ASSERT_TRUE(window->click("Operations/operations/Kind"));
  ASSERT_TRUE(window->wait_for("by Kind, down, the first 48"));  // sync
}

TEST_F(OperationsWindow, TheRowsShownAreCopiedAsCsv) {
  ASSERT_TRUE(window->press("4"));
  ASSERT_TRUE(window->wait_for("table 49 of 49"));
  search("axpb stream:S2");
  ASSERT_TRUE(window->wait_for("table 4 of 49 rows by Op, up, the first 7"));
  ASSERT_TRUE(window->click("Operations/Copy as CSV"));
  EXPECT_TRUE(window->wait_for("csv 4 rows"));
  const auto copied = window->wait_for("csv first ");
  EXPECT_THAT(copied.value_or(""), HasSubstr("7,"));
  EXPECT_THAT(copied.value_or(""), HasSubstr(",kernel,S2,compute,"));
  EXPECT_TRUE(window->wait_for("said: Copied 4 rows as CSV."));
}

TEST_F(OperationsWindow, AClickOnAKindOfTheHistogramSearchesForItAndAgainForAll) {
  ASSERT_TRUE(window->press("4"));
  ASSERT_TRUE(window->wait_for("table 49 of 49"));
  ASSERT_TRUE(window->click("Operations/histogram/kernel/kind"));
  ASSERT_TRUE(window->wait_for("table 16 of 49 rows by Op, up, the first 1"));
  ASSERT_TRUE(window->click("Operations/histogram/kernel/kind"));
  ASSERT_TRUE(window->wait_for("table 49 of 49"));
}

TEST_F(OperationsWindow, ARangeLimitsTheFiguresAndTheTableUntilItIsCleared) {
  ASSERT_TRUE(window->press("4"));
  ASSERT_TRUE(window->wait_for("table 49 of 49"));
  const auto timeline = window->place("Timeline/plot");
  ASSERT_TRUE(timeline);
  const int y = timeline->y + timeline->height / 2;
  ASSERT_TRUE(window->hold("ctrl", true));
  EXPECT_TRUE(window->drag(timeline->x + timeline->width / 2, y, timeline->x + timeline->width * 2 / 3, y));
  ASSERT_TRUE(window->hold("ctrl", false));
  const auto figures = window->wait_for("figures range ");
  ASSERT_TRUE(figures);
  EXPECT_THAT(*figures, HasSubstr(" operations, makespan "));
  ASSERT_TRUE(window->click("Summary/figures/Clear"));
  EXPECT_TRUE(window->wait_for("table 49 of 49"));
  EXPECT_TRUE(window->wait_for("figures of all"));
}

}  // namespace
}  // namespace streamscope::tests

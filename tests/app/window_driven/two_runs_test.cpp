// Two runs in the real window: one below the other, one under the other, zoomed as one, and where they differ.
#include <gmock/gmock.h>

#include <set>

#include "engine/base/files.h"
#include "tests/app/window_driven/window_fixture.h"

namespace streamscope::tests {
namespace {

using testing::HasSubstr;

// The model does the same each time, so run 2 is run 1 again.
class TwoRunsWindow : public Window {
 protected:
  void SetUp() override {
    Window::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    ASSERT_TRUE(window->press("space"));
    ASSERT_TRUE(window->wait_for("run 2 done"));
    ASSERT_TRUE(window->press("5"));
    ASSERT_TRUE(window->wait_for("dock 2"));
  }
  // Stretches of rows that show the colour: the columns of each stretch's first row.
  std::vector<std::set<int>> bars(std::uint32_t colour) {
    std::vector<std::set<int>> out;
    const auto timeline = window->place("Timeline/plot");
    const auto screen = window->screenshot();
    if (!timeline || !screen) return out;
    bool before = false;
    for (int y = timeline->y; y < timeline->y + timeline->height; ++y) {
      std::set<int> columns;
      for (int x = timeline->x; x < timeline->x + timeline->width; ++x)
        if (screen->rgb[static_cast<std::size_t>(y) * static_cast<std::size_t>(screen->width) +
                        static_cast<std::size_t>(x)] == colour)
          columns.insert(x);
      if (!columns.empty() && !before) out.push_back(columns);
      before = !columns.empty();
    }
    return out;
  }
};

TEST_F(TwoRunsWindow, AreStackedOverlaidZoomedAsOneAndLeft) {
  ASSERT_TRUE(window->click("Compare/*/1/compare"));
  ASSERT_TRUE(window->wait_for("compared with 1 stacked"));
  ASSERT_TRUE(window->wait_for("pairs 49 of 2 and 1, 0 and 0 alone"));
  ASSERT_TRUE(window->press("5"));  // room for the tracks of both
  // A stream's row of one run and of the other begin and end at the same columns, at any zoom.
  const auto alike = [&] {
    const auto seen = bars(kD2h);
    return seen.size() >= 2 && std::find(seen.begin() + 1, seen.end(), seen.front()) != seen.end();
  };
  EXPECT_TRUE(poll_until(alike));
  const auto whole = bars(kD2h);
  const auto timeline = window->place("Timeline/plot");
  ASSERT_TRUE(timeline);
  ASSERT_TRUE(window->move(timeline->x + timeline->width * 2 / 3, timeline->y + timeline->height / 3));
  ASSERT_TRUE(window->wheel(-2));
  ASSERT_TRUE(window->wait_for("view "));
  ASSERT_TRUE(window->move(5, 5));  // what the mouse is on is paler
  EXPECT_TRUE(poll_until([&] { return alike() && bars(kD2h) != whole; }));

  ASSERT_TRUE(window->press("v"));
  EXPECT_TRUE(window->wait_for("compared with 1 overlaid"));
  ASSERT_TRUE(window->press("v"));
  EXPECT_TRUE(window->wait_for("compared with 1 stacked"));
  ASSERT_TRUE(window->press("5"));
  ASSERT_TRUE(window->click("Compare/two runs/arrange/Overlaid"));
  EXPECT_TRUE(window->wait_for("compared with 1 overlaid"));
  // The picture has both, as the window has them.
  ASSERT_TRUE(window->press("ctrl+e"));
  ASSERT_TRUE(window->click("Export a picture/export-format/SVG"));
  ASSERT_TRUE(window->click("Export a picture/Save as…"));
  ASSERT_TRUE(window->click("Save the picture/Save"));
  const auto wrote = window->wait_for("said: Wrote ");
  ASSERT_TRUE(wrote);
  const auto picture = read_text(wrote->substr(wrote->find('/')));
  ASSERT_TRUE(picture);
  for (const char* what : {"RUN 2 and RUN 1", "RUN 1, outlined", "RUN 1: "}) EXPECT_THAT(*picture, HasSubstr(what));
  ASSERT_TRUE(window->click("Compare/two runs/Close comparison"));
  EXPECT_TRUE(window->wait_for("compared with none"));
  ASSERT_TRUE(window->press("b"));
  EXPECT_TRUE(window->wait_for("compared with 1 overlaid"));
  ASSERT_TRUE(window->press("Escape"));
  EXPECT_TRUE(window->wait_for("compared with none"));
}

TEST_F(TwoRunsWindow, DifferWorstFirstAndShareASelection) {
  const auto streams = window->place("Experiment/controls/streams");
  ASSERT_TRUE(streams);
  const int y = streams->y + streams->height / 2;
  ASSERT_TRUE(window->drag(streams->x + streams->width / 6, y, streams->x + streams->width - 3, y));
  ASSERT_TRUE(window->wait_for("32 streams"));
  ASSERT_TRUE(window->press("b"));  // the run before
  ASSERT_TRUE(window->wait_for("compared with "));
  const auto pairs = window->wait_for("pairs ");
  ASSERT_TRUE(pairs);
  EXPECT_THAT(*pairs, HasSubstr("worst "));
  const int compared = number_after(*pairs, " and ");
  window->forget();
  ASSERT_TRUE(window->click("Compare/two runs/Swap"));
  const auto swapped = window->wait_for("pairs ");
  ASSERT_TRUE(swapped);
  EXPECT_THAT(*swapped, HasSubstr(" of " + std::to_string(compared) + " and "));
  const auto over = window->place("Compare/two runs/arrange/Stacked");
  ASSERT_TRUE(over);
  ASSERT_TRUE(window->move(over->x, over->y + 3 * over->height) && window->wheel(20));  // below the totals
  ASSERT_TRUE(window->click("Compare/two runs/differences*/0/*"));
  EXPECT_TRUE(window->wait_for("selected compared"));
}

TEST_F(TwoRunsWindow, HaveNames) {
  ASSERT_TRUE(window->press("F2"));
  ASSERT_TRUE(window->place("Compare/*/name"));
  ASSERT_TRUE(window->type("baseline"));
  ASSERT_TRUE(window->press("Return"));
  EXPECT_TRUE(window->wait_for("named 2 = baseline"));
}

}  // namespace
}  // namespace streamscope::tests

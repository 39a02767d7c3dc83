// Every key and gesture of the timeline in the real window.
#include <gmock/gmock.h>

#include "tests/app/window_driven/window_fixture.h"

namespace streamscope::tests {
namespace {

class TimelineWindow : public Window {
 protected:
  void SetUp() override {
    Window::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    const auto place = window->place("Timeline/plot");
    ASSERT_TRUE(place);
    timeline = *place;
    middle_x = timeline.x + timeline.width * 2 / 3;
    middle_y = timeline.y + timeline.height / 2;
  }
  struct ReportedView {
    long long origin = 0, scale = 0;
  };
  // The next view that the window reports.
  std::optional<ReportedView> view() {
    const auto line = window->wait_for("view ");
    if (!line || *line == "view whole") return std::nullopt;
    ReportedView reported;
    std::istringstream(line->substr(5)) >> reported.origin >> reported.scale;
    return reported;
  }
  // The button was let go before this came: two drags in one frame would be one.
  bool settled() {
    return window->press("4") && window->wait_for("dock 1") && window->press("3") && window->wait_for("dock 0");
  }
  bool whole() { return window->press("Home") && window->wait_for("view whole").has_value(); }
  // Selects the first copy back and gives its place.
  std::optional<std::pair<int, int>> select_a_bar() {
    if (!shows(kD2h, 500, timeline)) return std::nullopt;
    const auto screen = window->screenshot();
    const auto bar = screen ? screen->find(kD2h, timeline) : std::nullopt;
    if (!bar) return std::nullopt;
    const std::pair at(bar->first + 6, bar->second + 6);
    if (!window->drag(at.first, at.second, at.first, at.second) || !window->wait_for("selected 2")) return std::nullopt;
    return at;
  }

  Area timeline;
  int middle_x = 0, middle_y = 0;
};

TEST_F(TimelineWindow, TheWheelZoomsPansAndScrolls) {
  ASSERT_TRUE(window->move(middle_x, middle_y));
  ASSERT_TRUE(window->wheel(-1));
  const auto near = view();
  ASSERT_TRUE(near);
  ASSERT_TRUE(window->wheel(1));
  const auto back = view();
  ASSERT_TRUE(back);
  EXPECT_GT(back->scale, near->scale);
  ASSERT_TRUE(window->hold("shift", true) && window->wheel(1) && window->hold("shift", false));
  const auto panned = view();
  ASSERT_TRUE(panned);
  EXPECT_EQ(panned->scale, back->scale);
  EXPECT_GT(panned->origin, back->origin);
  window->forget();
  ASSERT_TRUE(window->hold("ctrl", true) && window->wheel(3) && window->hold("ctrl", false));
  EXPECT_FALSE(window->has_said("view "));  // up and down, not in time
}

TEST_F(TimelineWindow, RightAndMiddleDragPanByThePixelsMoved) {
  ASSERT_TRUE(window->move(middle_x, middle_y) && window->wheel(-2));
  auto before = view();
  ASSERT_TRUE(before);
  while (const auto more = window->wait_for("view ", std::chrono::seconds(1))) {
    before = ReportedView{};
    std::istringstream(more->substr(5)) >> before->origin >> before->scale;
  }
  for (const int button : {3, 2}) {
    ASSERT_TRUE(window->drag(middle_x, middle_y, middle_x - 100, middle_y, button));
    ReportedView last = *before;
    while (const auto line = window->wait_for("view ", std::chrono::seconds(1)))
      std::istringstream(line->substr(5)) >> last.origin >> last.scale;
    EXPECT_EQ(last.scale, before->scale);
    EXPECT_EQ(last.origin - before->origin, 100 * before->scale) << button;
    before = last;
  }
}

TEST_F(TimelineWindow, LettersZoomAndPan) {
  ASSERT_TRUE(window->move(middle_x, middle_y) && window->press("w"));
  const auto near = view();
  ASSERT_TRUE(near && window->press("d"));
  const auto right = view();
  ASSERT_TRUE(right);
  EXPECT_GT(right->origin, near->origin);
  EXPECT_EQ(right->scale, near->scale);
  ASSERT_TRUE(window->press("a"));
  const auto left = view();
  ASSERT_TRUE(left);
  EXPECT_EQ(left->origin, near->origin);
  ASSERT_TRUE(window->press("s"));
  const auto far = view();
  ASSERT_TRUE(far);
  EXPECT_GT(far->scale, near->scale);
  EXPECT_TRUE(whole());
}

TEST_F(TimelineWindow, SelectionIsFramedFollowedAndStepped) {
  ASSERT_TRUE(select_a_bar());
  ASSERT_TRUE(window->press("f"));
  EXPECT_TRUE(view());
  ASSERT_TRUE(window->press("f"));
  EXPECT_TRUE(window->wait_for("view whole"));
  ASSERT_TRUE(window->press("bracketleft"));
  EXPECT_TRUE(window->wait_for("selected 1"));
  ASSERT_TRUE(window->press("bracketright"));
  EXPECT_TRUE(window->wait_for("selected "));
  ASSERT_TRUE(window->press("comma") && window->wait_for("selected "));
  ASSERT_TRUE(window->press("period"));
  EXPECT_TRUE(window->wait_for("selected "));
  for (const char* key : {"Right", "Left", "Down", "Up"}) {
    ASSERT_TRUE(window->press(key));
    EXPECT_TRUE(window->wait_for("selected ")) << key;
  }
}

TEST_F(TimelineWindow, AMarkedIntervalStaysAndGoes) {
  ASSERT_TRUE(window->press("m"));
  EXPECT_TRUE(window->wait_for("said: Select an operation"));
  ASSERT_TRUE(select_a_bar());
  ASSERT_TRUE(window->press("m"));
  EXPECT_TRUE(window->wait_for("marks 1"));
  ASSERT_TRUE(window->press("m"));
  EXPECT_TRUE(window->wait_for("marks 0"));
}

TEST_F(TimelineWindow, ControlDragSetsARangeAndEscapeClearsInOrder) {
  ASSERT_TRUE(select_a_bar());
  ASSERT_TRUE(window->hold("ctrl", true) && window->drag(middle_x, middle_y, middle_x + 150, middle_y) &&
              window->hold("ctrl", false));
  ASSERT_TRUE(window->wait_for("range "));
  ASSERT_TRUE(settled());
  ASSERT_TRUE(window->drag(middle_x, middle_y, middle_x + 100, middle_y) && window->wait_for("measure "));
  EXPECT_TRUE(poll_until([&] {
    return window->press("Escape") && window->wait_for("selected none", std::chrono::seconds(1)).has_value();
  }));
  EXPECT_TRUE(poll_until(
      [&] { return window->press("Escape") && window->wait_for("range none", std::chrono::seconds(1)).has_value(); }));
}

TEST_F(TimelineWindow, TracksArePinnedAndGroupsFolded) {
  ASSERT_TRUE(select_a_bar());
  ASSERT_TRUE(window->press("t"));
  EXPECT_TRUE(window->wait_for("pinned 1 folded 0"));
  ASSERT_TRUE(window->press("t"));
  EXPECT_TRUE(window->wait_for("pinned 0 folded 0"));
  // The first heading below the axis: the host's.
  ASSERT_TRUE(window->drag(timeline.x + 12, timeline.y + 40, timeline.x + 12, timeline.y + 40));
  EXPECT_TRUE(window->wait_for("pinned 0 folded 1"));
}

TEST_F(TimelineWindow, TheOverviewMovesTheView) {
  const auto minimap = window->place("Timeline/overview");
  ASSERT_TRUE(minimap);
  ASSERT_TRUE(window->move(middle_x, middle_y) && window->wheel(-6) && view());
  while (window->wait_for("view ", std::chrono::seconds(1))) {
  }
  const int y = minimap->y + minimap->height / 2;
  ASSERT_TRUE(window->drag(minimap->x + minimap->width / 4, y, minimap->x + minimap->width / 3, y));
  EXPECT_TRUE(view());
}

TEST_F(TimelineWindow, AMeaningOfTheLegendIsShownAloneUntilEscape) {
  ASSERT_TRUE(shows(kH2d, 500, timeline));
  ASSERT_TRUE(window->click("Timeline/legend/kernel"));
  EXPECT_TRUE(window->wait_for("shown alone 1"));
  EXPECT_TRUE(poll_until([&] {
    const auto screen = window->screenshot();
    return screen && screen->count(kH2d, timeline) == 0 && screen->count(kKernel, timeline) > 500;
  }));
  ASSERT_TRUE(window->press("Escape"));
  EXPECT_TRUE(window->wait_for("shown alone nothing"));
  EXPECT_TRUE(shows(kH2d, 500, timeline));
}

TEST_F(TimelineWindow, TheArrowsOfAllWaitsComeAndGo) {
  // The ink of arrows.
  constexpr std::uint32_t kArrow = 0xF3F6FA;
  const Area plot{timeline.x + timeline.width / 4, timeline.y + timeline.height / 5, timeline.width * 3 / 4,
                  timeline.height / 2};
  const auto inked = [&] { return window->screenshot().value_or(Pixels{}).count(kArrow, plot); };
  const std::size_t before = inked();
  ASSERT_TRUE(window->press("e"));
  EXPECT_TRUE(shows(kArrow, before + 40, plot));
  ASSERT_TRUE(window->press("e"));
  EXPECT_TRUE(poll_until([&] { return inked() <= before + 20; }));
}

TEST_F(TimelineWindow, F5PresentsInTheWholeWindowAndEndsAgain) {
  ASSERT_TRUE(window->press("F5"));
  ASSERT_TRUE(window->wait_for("presenting on"));
  EXPECT_TRUE(poll_until([&] {
    const auto now = window->place("Timeline/plot");
    return now && now->width > timeline.width * 3 / 2 && now->height > timeline.height;
  })) << "the panels have stepped aside";
  ASSERT_TRUE(window->press("F5"));
  ASSERT_TRUE(window->wait_for("presenting off"));
  EXPECT_TRUE(poll_until([&] {
    const auto now = window->place("Timeline/plot");
    return now && now->width == timeline.width && now->height == timeline.height;
  })) << "and come back as they were";
}

TEST_F(TimelineWindow, ThePaletteDoesWhatItNames) {
  ASSERT_TRUE(window->press("ctrl+shift+p"));
  ASSERT_TRUE(window->wait_for("palette open"));
  ASSERT_TRUE(window->place("Popup/words"));
  ASSERT_TRUE(window->type("theme light") && window->press("Return"));
  EXPECT_TRUE(window->wait_for("theme light"));
  EXPECT_TRUE(poll_until([&] { return window->all_lines().find("palette closed") != std::string::npos; }));
  ASSERT_TRUE(window->press("ctrl+shift+p") && window->wait_for("palette open"));
  ASSERT_TRUE(window->press("Escape"));
  EXPECT_TRUE(window->wait_for("palette closed"));
}

TEST_F(TimelineWindow, QuestionMarkListsTheKeysAndDigitsOpenTheTabs) {
  ASSERT_TRUE(window->press("question"));
  ASSERT_TRUE(window->wait_for("keys open"));
  ASSERT_TRUE(window->click("Keys and mouse/Close"));
  ASSERT_TRUE(window->wait_for("keys closed"));
  for (const auto& [key, dock] : {std::pair("4", "dock 1"), std::pair("5", "dock 2"), std::pair("6", "dock 3")}) {
    ASSERT_TRUE(window->press(key));
    EXPECT_TRUE(window->wait_for(dock)) << key;
  }
  ASSERT_TRUE(window->press("3"));
  EXPECT_TRUE(window->wait_for("dock 0"));
  ASSERT_TRUE(window->press("slash"));
  EXPECT_TRUE(window->wait_for("dock 1"));
}

TEST_F(TimelineWindow, ARightClickOffersWhatCanBeDone) {
  const auto screen = window->screenshot();
  ASSERT_TRUE(screen);
  const auto bar = screen->find(kKernel, timeline);
  ASSERT_TRUE(bar);
  ASSERT_TRUE(window->drag(bar->first + 3, bar->second + 3, bar->first + 3, bar->second + 3, 3));
  ASSERT_TRUE(window->click("Popup/Select it*"));
  EXPECT_TRUE(window->wait_for("selected 1"));
  // A drag with that button pans, and offers nothing.
  ASSERT_TRUE(window->drag(middle_x, middle_y, middle_x + 60, middle_y, 3));
  EXPECT_TRUE(window->wait_for("view "));
}

}  // namespace
}  // namespace streamscope::tests

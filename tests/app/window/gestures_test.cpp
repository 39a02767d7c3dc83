// What the mouse does on the timeline, as commands.
#include "app/window/panels/gestures.h"

#include <gtest/gtest.h>

#include "tests/support/command_as.h"
#include "tests/support/timeline_run.h"
#include "tests/support/two_devices.h"

namespace streamscope::window {
namespace {

// A pipeline in a picture, and a hand on the mouse.
class Mouse : public ::testing::Test {
 protected:
  Mouse() {
    options.width = 1400;
    options.height = 700;
    where = timeline::frame(shown, options);
    view = timeline::fit(shown.begin, shown.end, where.plot_width);
    rows = timeline::strips(shown, options);
  }

  int x_of(Nanoseconds time) const { return where.plot_x + static_cast<int>(timeline::column(view, time)); }
  const timeline::Strip* row(timeline::TrackKind kind, std::size_t nth = 0) const {
    for (const timeline::Strip& strip : rows)
      if (strip.kind == kind && strip.track != timeline::Strip::kNone && nth-- == 0) return &strip;
    return nullptr;
  }
  const timeline::Strip* heading(timeline::TrackKind kind) const {
    for (const timeline::Strip& strip : rows)
      if (strip.kind == kind && strip.track == timeline::Strip::kNone && !strip.pinned) return &strip;
    return nullptr;
  }
  Commands send(Pointer pointer) {
    rows = timeline::strips(shown, options);
    pointer.over = true;
    pointer.now = clock += 10'000'000;
    Commands out;
    Plot plot{run.trace, shown, options, view, where, rows, 200, std::nullopt, nullptr};
    plot.under = timeline::hit(run.trace, shown, view, options, pointer.x, pointer.y);
    plot.strip = timeline::strip_at(rows, options, pointer.y);
    gestures.follow(pointer, plot, scroll, out);
    for (const Command& each : out)
      if (const auto* set = testing::as<command::SetView>(each); set != nullptr && set->view) view = *set->view;
    return out;
  }
  Commands click(int x, int y, bool control = false) {
    send({.x = x, .y = y, .control = control, .pressed = true});
    return send({.x = x, .y = y, .control = control, .released = true});
  }
  Commands drag(int x0, int x1, int y, bool control = false) {
    send({.x = x0, .y = y, .control = control, .pressed = true});
    Commands out = send({.x = x1, .y = y, .control = control, .dragging = true});
    for (const Command& each : send({.x = x1, .y = y, .control = control, .released = true})) out.push_back(each);
    return out;
  }
  template <class C>
  static const C* only(const Commands& all) {
    return all.size() == 1 ? testing::as<C>(all.front()) : nullptr;
  }

  trace::Run run = testing::pipeline_run({});
  timeline::Tracks shown = timeline::tracks(run.trace);
  timeline::LayoutOptions options;
  timeline::Frame where;
  timeline::View view;
  std::vector<timeline::Strip> rows;
  Gestures gestures;
  int scroll = 0;
  Nanoseconds clock = 0;
};

TEST_F(Mouse, TheWheelZoomsAndWhatIsUnderTheCursorStays) {
  for (const int x : {where.plot_x, where.plot_x + 333, where.plot_x + where.plot_width - 1}) {
    const Nanoseconds before = timeline::time_at(view, x - where.plot_x);
    for (int i = 0; i < 20; ++i) send({.x = x, .y = 200, .wheel = 1});
    EXPECT_LE(std::abs(timeline::time_at(view, x - where.plot_x) - before), 1) << x;
    for (int i = 0; i < 20; ++i) send({.x = x, .y = 200, .wheel = -1});
    EXPECT_LE(std::abs(timeline::time_at(view, x - where.plot_x) - before), view.scale / timeline::kFine + 1) << x;
  }
}

TEST_F(Mouse, ShiftAndSidewaysWheelPanAndNothingMovesByItself) {
  const timeline::View before = view;
  send({.x = 600, .y = 200, .wheel = -1, .shift = true});
  EXPECT_EQ(view.scale, before.scale);
  EXPECT_GT(view.origin, before.origin);
  send({.x = 600, .y = 200, .wheel = 1, .shift = true});
  EXPECT_EQ(view.scale, before.scale);
  EXPECT_LE(std::abs(view.origin - before.origin), 1);  // a 1024th of a nanosecond
  clock += kFingersRest;
  send({.x = 600, .y = 200, .wheel_sideways = -2});
  EXPECT_GT(view.origin, before.origin);
  EXPECT_TRUE(send({.x = 600, .y = 200}).empty());  // no inertia
}

TEST_F(Mouse, OverTheNamesAndWithControlTheWheelScrollsTheTracks) {
  EXPECT_TRUE(send({.x = 5, .y = 200, .wheel = -1}).empty());
  EXPECT_EQ(scroll, 40);
  EXPECT_TRUE(send({.x = 600, .y = 200, .wheel = -100, .control = true}).empty());
  EXPECT_EQ(scroll, 200);  // no further than there are tracks
  EXPECT_TRUE(send({.x = 600, .y = 200, .wheel = 100, .control = true}).empty());
  EXPECT_EQ(scroll, 0);
}

TEST_F(Mouse, TheOtherButtonsPanByThePixelsTheyMove) {
  const timeline::View before = view;
  send({.x = 600, .y = 200, .panning = true, .moved_x = -37, .moved_y = -20});
  EXPECT_EQ(view.origin, before.origin + 37 * before.scale);
  EXPECT_EQ(scroll, 20);
  EXPECT_TRUE(gestures.panning());
}

TEST_F(Mouse, AClickSelectsAndOutsideEverythingClears) {
  const trace::Span& copy = run.trace.spans[0];
  const timeline::Strip* s0 = row(timeline::TrackKind::stream);
  ASSERT_NE(s0, nullptr);
  const int y = (s0->y0 + s0->y1) / 2;
  const Commands hit_it = click(x_of((copy.start + copy.end) / 2), y);
  const auto* select = only<command::Select>(hit_it);
  ASSERT_NE(select, nullptr);
  EXPECT_EQ(select->operation, 0u);
  const Commands outside = click(x_of(shown.end) + 10, y);
  ASSERT_EQ(outside.size(), 2u);
  EXPECT_EQ(testing::as<command::Select>(outside[0])->operation, kNoOperation);
  EXPECT_FALSE(testing::as<command::Measure>(outside[1])->interval.has_value());
}

TEST_F(Mouse, ADragMeasuresAndEdgesAttract) {
  const trace::Span& copy = run.trace.spans[0];
  const timeline::Strip* s0 = row(timeline::TrackKind::stream);
  const int y = (s0->y0 + s0->y1) / 2;
  const Commands out = drag(x_of(copy.start) + 3, x_of(copy.end) - 3, y);
  const auto* measure = only<command::Measure>(out);
  ASSERT_NE(measure, nullptr);
  EXPECT_EQ(measure->interval, (trace::Interval{copy.start, copy.end}));
  // From right to left it is the same.
  const Commands back = drag(x_of(copy.end) - 3, x_of(copy.start) + 3, y);
  EXPECT_EQ(only<command::Measure>(back)->interval, measure->interval);
}

TEST_F(Mouse, WithControlADragSetsTheRangeAndAClickClearsIt) {
  const int y = row(timeline::TrackKind::stream)->y0 + 5;
  const int x0 = x_of(shown.end / 4), x1 = x_of(shown.end / 2);
  const Commands out = drag(x0, x1, y, true);
  const auto* range = only<command::SetRange>(out);
  ASSERT_NE(range, nullptr);
  ASSERT_TRUE(range->range.has_value());
  EXPECT_LT(range->range->start, range->range->end);
  const Commands cleared = click(x0, y, true);
  ASSERT_NE(only<command::SetRange>(cleared), nullptr);
  EXPECT_FALSE(only<command::SetRange>(cleared)->range.has_value());
}

TEST_F(Mouse, NothingIsMeasuredFromTheAxisOrTheNames) {
  EXPECT_TRUE(drag(where.plot_x + 100, where.plot_x + 300, 5).empty());
  EXPECT_TRUE(drag(10, where.plot_x + 300, row(timeline::TrackKind::stream)->y0 + 5).empty());
}

TEST_F(Mouse, AHeadingFoldsItsGroupAndThePinPins) {
  const timeline::Strip* streams = heading(timeline::TrackKind::stream);
  ASSERT_NE(streams, nullptr);
  const Commands fold = click(10, (streams->y0 + streams->y1) / 2);
  ASSERT_NE(only<command::CollapseGroup>(fold), nullptr);
  EXPECT_EQ(only<command::CollapseGroup>(fold)->group, timeline::TrackKind::stream);
  EXPECT_TRUE(only<command::CollapseGroup>(fold)->collapsed);
  options.choice.collapsed.insert(timeline::TrackKind::stream);
  rows = timeline::strips(shown, options);
  const Commands unfold =
      click(10, (heading(timeline::TrackKind::stream)->y0 + heading(timeline::TrackKind::stream)->y1) / 2);
  EXPECT_FALSE(only<command::CollapseGroup>(unfold)->collapsed);
  options.choice.collapsed.clear();
  rows = timeline::strips(shown, options);

  const timeline::Strip s1 = *row(timeline::TrackKind::stream, 1);
  const int pin = timeline::pin_left(where, timeline::metrics(options)) + 3;
  const Commands pinned = click(pin, (s1.y0 + s1.y1) / 2);
  ASSERT_NE(only<command::PinTrack>(pinned), nullptr);
  EXPECT_EQ(only<command::PinTrack>(pinned)->track, (timeline::TrackKey{timeline::TrackKind::stream, 3}));
  EXPECT_TRUE(only<command::PinTrack>(pinned)->pinned);
  EXPECT_TRUE(click(10, (s1.y0 + s1.y1) / 2).empty());  // on its name: nothing
}

TEST_F(Mouse, AHeadingOfADeviceFoldsAllThatIsOfItAndShowsAllOfItAgain) {
  run = testing::run_on_two_devices();
  shown = timeline::tracks(run.trace);
  rows = timeline::strips(shown, options);
  TimelineView state;
  const auto press_heading = [&](std::uint32_t device) {
    for (const timeline::Strip& strip : rows) {
      if (strip.track != timeline::Strip::kNone || strip.device != device) continue;
      const Commands given = click(10, (strip.y0 + strip.y1) / 2);
      ASSERT_NE(only<command::CollapseGroup>(given), nullptr);
      update(state, *only<command::CollapseGroup>(given));
      options.choice = state.choice;
      rows = timeline::strips(shown, options);
      return;
    }
    FAIL() << "no heading of device " << device;
  };
  const auto in_sight = [&](std::uint32_t device) {
    return std::ranges::count_if(rows, [&](const timeline::Strip& strip) {
      return strip.track != timeline::Strip::kNone && strip.device == device;
    });
  };
  press_heading(1);
  EXPECT_EQ(in_sight(0), 5);
  EXPECT_EQ(in_sight(1), 0);
  press_heading(1);
  EXPECT_EQ(in_sight(1), 5);
  // What the streams of all devices were folded by is taken back too, or nothing could be clicked to show them.
  update(state, command::CollapseGroup{timeline::TrackKind::stream, true});
  options.choice = state.choice;
  rows = timeline::strips(shown, options);
  EXPECT_EQ(in_sight(0), 3);
  press_heading(0);
  EXPECT_EQ(in_sight(0), 5);
}

TEST_F(Mouse, ADoubleClickZoomsToTheOperation) {
  const trace::Span& copy = run.trace.spans[0];
  const timeline::Strip* s0 = row(timeline::TrackKind::stream);
  const Commands out =
      send({.x = x_of((copy.start + copy.end) / 2), .y = (s0->y0 + s0->y1) / 2, .double_clicked = true});
  ASSERT_NE(only<command::SetView>(out), nullptr);
  EXPECT_LE(timeline::time_at(view, 0), copy.start);
  EXPECT_GE(timeline::time_at(view, where.plot_width), copy.end);
}

TEST(Trackpad, KeepsTheDirectionItBeganWithUntilTheFingersRest) {
  AxisLock lock;
  float sideways = 3, upwards = 1;
  lock.hold(sideways, upwards, 1'000'000'000);
  EXPECT_EQ(sideways, 3);
  EXPECT_EQ(upwards, 0);
  sideways = 1, upwards = 5;  // the hand strays
  lock.hold(sideways, upwards, 1'000'000'000 + kFingersRest);
  EXPECT_EQ(sideways, 1);
  EXPECT_EQ(upwards, 0);
  sideways = 1, upwards = 5;
  lock.hold(sideways, upwards, 1'000'000'001 + 2 * kFingersRest);
  EXPECT_EQ(sideways, 0);
  EXPECT_EQ(upwards, 5);
}

TEST(Trackpad, NothingMovedIsNoRest) {
  AxisLock lock;
  float sideways = 3, upwards = 0;
  lock.hold(sideways, upwards, 0);
  sideways = upwards = 0;
  lock.hold(sideways, upwards, kFingersRest);  // a frame in which nothing came
  sideways = 1, upwards = 2;
  lock.hold(sideways, upwards, kFingersRest + 1);
  EXPECT_EQ(upwards, 2);  // since the last movement the fingers rested
}

}  // namespace
}  // namespace streamscope::window

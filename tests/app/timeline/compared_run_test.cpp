// Two runs on one axis.
#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "app/timeline/hit.h"
#include "app/timeline/layout.h"
#include "app/timeline/rows.h"
#include "tests/support/timeline_run.h"

namespace streamscope::timeline {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Two streams, and beside them four: measured, and a model's.
class TwoRuns : public ::testing::Test {
 protected:
  TwoRuns() {
    other.trace.provenance = testing::model_provenance();
    options.width = 1200;
    options.height = 900;
    options.compared = {.trace = &other.trace,
                        .tracks = &others,
                        .waiters = nullptr,
                        .offset = 0,
                        .overlaid = false,
                        .first_name = "RUN 1",
                        .name = "RUN 2",
                        .first_title = "RUN 1: two streams",
                        .title = "RUN 2: four streams"};
  }
  void draw() {
    where = frame(own, options);
    const trace::Interval all = extent(own, options.compared);
    view = fit(all.start, all.end, where.plot_width);
    redraw();
  }
  void redraw() { scene = layout(run.trace, own, view, theme(ThemeName::dark), options); }
  Colour at(int x, int y) const {
    Colour out = scene.background;
    for (const Rectangle& r : scene.rectangles)
      if (r.x0 <= x && x < r.x1 && r.y0 <= y && y < r.y1 && r.fill == Fill::solid && r.colour.a == 255) out = r.colour;
    return out;
  }
  int x_of(Nanoseconds time) const { return where.plot_x + static_cast<int>(column(view, time)); }
  std::vector<std::string> words() const {
    std::vector<std::string> out;
    for (const Text& each : scene.texts) out.push_back(each.text);
    return out;
  }
  static const Strip* strip_of(const std::vector<Strip>& all, const Tracks& tracks, const std::string& track) {
    for (const Strip& strip : all)
      if (strip.track != Strip::kNone && tracks.tracks[strip.track].name == track) return &strip;
    return nullptr;
  }

  trace::Run run = testing::pipeline_run({.streams = 2, .chunks = 4});  // Test::Run hides the short name
  trace::Run other = testing::pipeline_run({.streams = 4, .chunks = 4, .h2d = 500'000});
  Tracks own = tracks(run.trace), others = tracks(other.trace);
  LayoutOptions options;
  Frame where;
  View view;
  Scene scene;
};

TEST_F(TwoRuns, StackedEachGroupOfTheSecondStandsBelowTheFirstsNamedAndWithItsProvenance) {
  draw();
  EXPECT_THAT(words(), Contains("RUN 1 · STREAMS"));
  EXPECT_THAT(words(), Contains("RUN 2 · STREAMS"));
  EXPECT_THAT(words(), Contains("MEASURED"));
  EXPECT_THAT(words(), Contains("MODEL"));
  EXPECT_THAT(words(), Contains(HasSubstr("RUN 2: four streams  ·  NVIDIA H200")));
  const std::vector<Strip> first = strips(own, options), second = strips_of_compared(own, options);
  ASSERT_EQ(second.size(), others.tracks.size() + 3);  // three headings
  const auto in_group = [](const std::vector<Strip>& all, TrackKind kind) {
    std::pair<int, int> out{1 << 30, 0};
    for (const Strip& strip : all)
      if (strip.kind == kind) out = {std::min(out.first, strip.y0), std::max(out.second, strip.y1)};
    return out;
  };
  int end = 0;
  for (const TrackKind kind : {TrackKind::host, TrackKind::stream, TrackKind::engine}) {
    EXPECT_GE(in_group(first, kind).first, end);
    EXPECT_GE(in_group(second, kind).first, in_group(first, kind).second);
    end = in_group(second, kind).second;
  }
  EXPECT_GE(where.content_height, second.back().y1 - track_area(options).top);
}

TEST_F(TwoRuns, AHeadingAndItsSignStayOutOfThePlotWhereItIsNarrow) {
  options.width = 330;  // a third of it is less than "RUN 2 · STREAMS" takes
  draw();
  const auto signs = [&](const Line& line) { return line.colour == theme(ThemeName::dark).faint_text; };
  ASSERT_GT(std::count_if(scene.lines.begin(), scene.lines.end(), signs), 4);
  for (const Line& line : scene.lines) {
    if (signs(line)) {
      EXPECT_LE(std::max(line.x0, line.x1), static_cast<float>(where.plot_x));
    }
  }
  EXPECT_THAT(words(), Contains(::testing::AllOf(::testing::StartsWith("RUN 2"), ::testing::EndsWith("…"))));
}

TEST_F(TwoRuns, StackedBothRunsBarsStandOnOneAxis) {
  draw();
  const Metrics m = metrics(options);
  const auto bar_at = [&](const Strip& strip, Nanoseconds time) { return at(x_of(time), strip.y0 + m.inset + 2); };
  const std::vector<Strip> rows = strips(own, options);
  const Strip* above = strip_of(rows, own, "H2D engine");
  const std::vector<Strip> rows_below = strips_of_compared(own, options);
  const Strip* below = strip_of(rows_below, others, "H2D engine");
  ASSERT_TRUE(above != nullptr && below != nullptr);
  const Colour copy = colour(OperationKind::h2d);
  for (const OperationIndex each : {0u, 3u, 6u, 9u}) {
    const trace::Span &mine = run.trace.spans[each], &theirs = other.trace.spans[each];
    EXPECT_EQ(bar_at(*above, (mine.start + mine.end) / 2), copy) << each;
    EXPECT_EQ(bar_at(*below, (theirs.start + theirs.end) / 2), copy) << each;
  }
  EXPECT_NE(bar_at(*above, other.trace.spans[9].end - 50'000), copy) << "the first run's copies are over by then";
}

TEST_F(TwoRuns, OverlaidTheSecondsBarsLieUnderThoseOfTheSameTrack) {
  options.compared.overlaid = true;
  draw();
  const Metrics m = metrics(options);
  ASSERT_GT(m.ghost, 0);
  EXPECT_THAT(words(), Contains("STREAMS"));
  EXPECT_THAT(words(), Contains(HasSubstr("RUN 2: four streams  ·  outlined, below")));
  const std::vector<Strip> rows = strips(own, options);
  const Strip* row = strip_of(rows, own, "H2D engine");
  ASSERT_NE(row, nullptr);
  const Colour bar = colour(OperationKind::h2d), pale = mixed(bar, theme(ThemeName::dark).background, 0.62F);
  const Nanoseconds late = other.trace.spans[9].end - 50'000;
  EXPECT_NE(at(x_of(late), row->y0 + m.inset + 2), bar);
  EXPECT_EQ(at(x_of(late), row->y0 + m.row - m.inset - m.ghost / 2), pale);
  EXPECT_EQ(at(x_of(run.trace.spans[0].end - 50'000), row->y0 + m.inset + 2), bar);
}

TEST_F(TwoRuns, OverlaidWhatOnlyTheSecondHasStandsInTheSameGroup) {
  options.compared.overlaid = true;
  draw();
  const std::vector<Strip> first = strips(own, options), second = strips_of_compared(own, options);
  ASSERT_EQ(second.size(), 2u);
  std::vector<std::string> names;
  for (const Strip& strip : second) names.push_back(others.tracks[strip.track].name);
  EXPECT_THAT(names, ElementsAre("S2", "S3"));
  EXPECT_EQ(second[0].y0, strip_of(first, own, "S1")->y1);
  EXPECT_LT(second[1].y1, strip_of(first, own, "H2D engine")->y0);
  EXPECT_THAT(words(), Contains("S3"));
}

TEST_F(TwoRuns, AreHitEachWhereItIsDrawn) {
  for (const bool overlaid : {false, true}) {
    options.compared.overlaid = overlaid;
    draw();
    const Metrics m = metrics(options);
    const std::vector<Strip> first = strips(own, options), second = strips_of_compared(own, options);
    const Strip* above = strip_of(first, own, "Compute");
    const Strip* below = overlaid ? above : strip_of(second, others, "Compute");
    ASSERT_TRUE(above != nullptr && below != nullptr);
    const trace::Span &mine = run.trace.spans[4], &theirs = other.trace.spans[4];
    const auto one = hit(run.trace, own, view, options, x_of((mine.start + mine.end) / 2), above->y0 + m.inset + 1);
    ASSERT_TRUE(one);
    EXPECT_FALSE(one->compared);
    EXPECT_EQ(one->operation, 4u);
    const int y = overlaid ? below->y0 + m.row - m.inset - 2 : below->y0 + m.inset + 1;
    const auto two = hit(run.trace, own, view, options, x_of((theirs.start + theirs.end) / 2), y);
    ASSERT_TRUE(two);
    EXPECT_TRUE(two->compared);
    EXPECT_EQ(two->ghost, overlaid);
    EXPECT_EQ(two->operation, 4u);
    EXPECT_EQ(others.tracks[two->track].name, "Compute");
  }
}

TEST_F(TwoRuns, TheOffsetMovesTheSecondExactly) {
  // Each pixel that the moved run covers is one that a run with moved times covers, at any zoom.
  std::mt19937_64 random(4);
  std::uniform_int_distribution<Nanoseconds> offsets(-3'000'000, 3'000'000), origins(-2'000'000, 6'000'000);
  for (int round = 0; round < 60; ++round) {
    const Nanoseconds by = offsets(random);
    const View here{origins(random) * kFine + 17 * round, kSmallestScale << (round % 24)};
    const View there = view_with_offset(here, by);
    for (const trace::Span& span : other.trace.spans)
      ASSERT_EQ(pixels(there, span.start, span.end), pixels(here, span.start + by, span.end + by)) << by;
  }
  trace::Run moved = other;
  for (trace::Span& span : moved.trace.spans)
    for (Nanoseconds* time : {&span.host_begin, &span.host_end, &span.ready, &span.start, &span.end})
      if (known(*time)) *time += 123'457;
  const Tracks moved_tracks = tracks(moved.trace);
  options.compared.offset = 123'457;
  draw();
  const Scene with_offset = scene;
  options.compared.trace = &moved.trace;
  options.compared.tracks = &moved_tracks;
  options.compared.offset = 0;
  redraw();
  const auto columns = [](const Scene& p) {
    std::vector<std::tuple<int, int, int, int>> out;
    for (const Rectangle& r : p.rectangles) out.emplace_back(r.x0, r.y0, r.x1, r.y1);
    return out;
  };
  EXPECT_EQ(columns(with_offset), columns(scene));
}

TEST_F(TwoRuns, TheSelectedOfBothAreOutlined) {
  draw();
  const auto teal = [&] {
    const Colour wanted = theme(ThemeName::dark).selection;
    return std::count_if(scene.rectangles.begin(), scene.rectangles.end(),
                         [&](const Rectangle& r) { return r.colour == wanted; });
  };
  EXPECT_EQ(teal(), 0);
  options.selected = 3;
  redraw();
  const auto one = teal();
  EXPECT_GT(one, 0);
  options.compared.selected = 3;
  redraw();
  EXPECT_EQ(teal(), 2 * one);
}

TEST_F(TwoRuns, AnEmptySecondRunIsNoTrouble) {
  const trace::Trace nothing;
  const Tracks no_tracks = tracks(nothing);
  for (const bool overlaid : {false, true}) {
    options.compared.trace = &nothing;
    options.compared.tracks = &no_tracks;
    options.compared.offset = 5;
    options.compared.overlaid = overlaid;
    draw();
    EXPECT_THAT(words(), Not(Contains("no operation has a known time")));
    EXPECT_EQ(extent(own, options.compared), (trace::Interval{own.begin, own.end}));
    EXPECT_THAT(strips_of_compared(own, options), IsEmpty());
  }
}

TEST(Overlay, TracksOfOneNameLieUnderEachOtherInTurn) {
  const auto with = [](std::vector<std::string> names) {
    Tracks out;
    for (const std::string& each : names) out.tracks.emplace_back().name = each;
    return out;
  };
  const Overlay found = overlay(with({"A", "B", "A", "C"}), with({"A", "D", "A", "A", "B"}));
  EXPECT_THAT(found.under, ElementsAre(0u, 4u, 2u, kNoPartner));
  EXPECT_THAT(found.alone, ElementsAre(1u, 3u));
}

}  // namespace
}  // namespace streamscope::timeline

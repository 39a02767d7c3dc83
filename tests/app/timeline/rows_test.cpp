// Where tracks stand: pinned ones above, folded groups only by their heading.
#include "app/timeline/rows.h"

#include "app/timeline/hit.h"
#include "tests/app/timeline/layout_fixture.h"
#include "tests/support/two_devices.h"

namespace streamscope::timeline {
namespace {

using Rows = LayoutTest;

std::vector<std::string> names(const std::vector<Strip>& all, const Tracks& tracks) {
  std::vector<std::string> out;
  for (const Strip& strip : all)
    out.push_back(strip.track == Strip::kNone ? (strip.pinned ? "PINNED" : group_name(tracks, strip.kind, strip.device))
                                              : name_at(tracks.tracks[strip.track], strip));
  return out;
}

TEST_F(Rows, PinnedTracksStandAboveInTheOrderTheyWerePinned) {
  options.choice.pinned = {{TrackKind::engine, static_cast<std::uint32_t>(Engine::compute)}, {TrackKind::stream, 4}};
  const auto all = strips(shown, options);
  EXPECT_EQ(names(all, shown), (std::vector<std::string>{"PINNED", "Compute", "S2", "HOST", "main", "STREAMS", "S0",
                                                         "S1", "S3", "ENGINES", "H2D engine", "D2H engine"}));
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_GE(all[i].y0, all[i - 1].y1);
}

TEST_F(Rows, PinnedTracksStayWhereTheOthersAreScrolled) {
  options.choice.pinned = {{TrackKind::stream, 4}};
  const auto before = strips(shown, options);
  options.scroll = 60;
  const auto after = strips(shown, options);
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < after.size(); ++i) EXPECT_EQ(after[i].y0, before[i].y0 - (after[i].pinned ? 0 : 60));
  // A scrolled track under a pinned one is neither drawn nor hit there.
  const TrackArea area = scrolled_area(after, options);
  for (int y = track_area(options).top; y < area.top; ++y) {
    const Strip* strip = strip_at(after, options, y);
    EXPECT_TRUE(strip == nullptr || strip->pinned) << y;
  }
  draw();
  const Strip* main = nullptr;
  for (const Strip& strip : after)
    if (strip.track != Strip::kNone && shown.tracks[strip.track].name == "main") main = &strip;
  ASSERT_NE(main, nullptr);
  ASSERT_LT(main->y0, area.top);
  EXPECT_EQ(text("main"), nullptr);
  EXPECT_NE(text("S2"), nullptr);
}

TEST_F(Rows, AFoldedGroupIsItsHeadingWithTheNumberOfItsTracks) {
  const int tall = frame(shown, options).content_height;
  options.choice.collapsed = {TrackKind::stream};
  const auto all = strips(shown, options);
  EXPECT_EQ(names(all, shown),
            (std::vector<std::string>{"HOST", "main", "STREAMS", "ENGINES", "H2D engine", "D2H engine", "Compute"}));
  EXPECT_EQ(frame(shown, options).content_height, tall - 4 * metrics(options).row);
  draw();
  EXPECT_NE(text("STREAMS (4)"), nullptr);
  EXPECT_EQ(text("S0"), nullptr);
}

TEST_F(Rows, AGroupWhoseTracksAreAllPinnedHasNoHeading) {
  options.choice.pinned = {{TrackKind::host, 0}};
  const auto all = names(strips(shown, options), shown);
  EXPECT_EQ(std::count(all.begin(), all.end(), "HOST"), 0);
}

TEST_F(Rows, ThoseThatLieBelowThePictureAreCountedUntilTheyAreScrolledTo) {
  options.height = 2'000;
  EXPECT_EQ(lanes_below(shown, options), 0u);
  const int all = frame(shown, options).content_height, row = metrics(options).row;
  // Compute is the last row.
  options.height = track_area(options).top + metrics(options).badge + all - row - metrics(options).group_gap;
  EXPECT_EQ(lanes_below(shown, options), 1u);
  options.scroll = row;
  EXPECT_EQ(lanes_below(shown, options), 0u);
  options.scroll = row - metrics(options).inset - 1;
  EXPECT_EQ(lanes_below(shown, options), 1u) << "its bars are not whole";
  options.scroll = 0;
  options.height = track_area(options).top + metrics(options).badge;
  EXPECT_EQ(lanes_below(shown, options), 8u) << "a thread, four streams, three engines";
}

TEST_F(Rows, WhatARunDoesNotHaveIsNotPinned) {
  options.choice.pinned = {{TrackKind::stream, 99}};
  EXPECT_EQ(names(strips(shown, options), shown).front(), "HOST");
}

TEST_F(Rows, BarsOfPinnedTracksAreDrawnAndHitThere) {
  options.choice.pinned = {{TrackKind::stream, 3}};
  options.scroll = 40;
  draw();
  const trace::Span& copy = run.trace.spans[3];  // S1's first
  const int x = x_of((copy.start + copy.end) / 2), y = row_of("S1");
  const auto found = hit(run.trace, shown, view, options, x, y);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->operation, 3u);
  EXPECT_EQ(at(x, y), colour(OperationKind::h2d));
}

class RowsOfDevices : public LayoutTest {
 protected:
  RowsOfDevices() {
    run = testing::run_on_two_devices();
    shown = tracks(run.trace);
    first_name = "GPU 0 · " + run.trace.provenance.device;
  }
  std::string first_name;
  std::string second_name = "GPU 1 · NVIDIA H200 NVL";
};

TEST_F(RowsOfDevices, EachHasAHeadingAboveItsStreamsAndEngines) {
  const auto all = strips(shown, options);
  EXPECT_EQ(names(all, shown),
            (std::vector<std::string>{"HOST", "main", first_name, "S0", "S1", "H2D engine", "D2H engine", "Compute",
                                      second_name, "S2", "S3", "H2D engine", "D2H engine", "Compute"}));
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_GE(all[i].y0, all[i - 1].y1);
  EXPECT_EQ(group_count(shown), 3u);
  draw();
  EXPECT_NE(text(first_name), nullptr);
  EXPECT_NE(text(second_name), nullptr);
  EXPECT_EQ(text("H2D engine, device 1"), nullptr);
  const trace::Span& copy = run.trace.spans[0];
  EXPECT_EQ(at(x_of((copy.start + copy.end) / 2), row_of("S0")), colour(OperationKind::h2d));
}

TEST_F(RowsOfDevices, AFoldedOneIsItsHeadingAndTheOtherStaysOpen) {
  options.choice.collapsed_devices = {0};
  EXPECT_EQ(names(strips(shown, options), shown),
            (std::vector<std::string>{"HOST", "main", first_name, second_name, "S2", "S3", "H2D engine", "D2H engine",
                                      "Compute"}));
  draw();
  EXPECT_NE(text(first_name + " (5)"), nullptr);
  // Engines, wherever they are.
  options.choice = {};
  options.choice.collapsed = {TrackKind::engine};
  EXPECT_EQ(names(strips(shown, options), shown),
            (std::vector<std::string>{"HOST", "main", first_name, "S0", "S1", second_name, "S2", "S3"}));
  draw();
  EXPECT_NE(text(first_name + " (3)"), nullptr);
}

TEST_F(RowsOfDevices, APinnedRowSaysWhichItIsOf) {
  options.choice.pinned = {{TrackKind::stream, 4}};
  const auto all = names(strips(shown, options), shown);
  EXPECT_EQ(all[1], "S2, device 1");
  EXPECT_EQ(std::ranges::count(all, "S2"), 0);
}

TEST_F(RowsOfDevices, ARunOnOneDeviceBesideItIsGroupedLikewise) {
  const trace::Run one = testing::pipeline_run({});
  const Tracks its = tracks(one.trace);
  options.compared.trace = &one.trace;
  options.compared.tracks = &its;
  options.compared.name = "RUN 2";
  const auto second = names(strips_of_compared(shown, options), its);
  EXPECT_EQ(second[2], its.devices[0]);
  EXPECT_EQ(second[3], "S0");
  EXPECT_EQ(names(strips(shown, options), shown)[2], first_name);
  options.compared.overlaid = true;
  const Overlay both = overlay(shown, its);
  ASSERT_EQ(shown.tracks[1].name, "S0, device 0");
  EXPECT_EQ(its.tracks[both.under[1]].name, "S0");
}

TEST(LowestRow, KeepsTheLettersOfItsBars) {
  for (const float scale : {1.0F, 1.75F, 3.0F}) {
    LayoutOptions options;
    options.scale = scale;
    const float usual = metrics(options).bar_text;
    const int lowest = lowest_row(options);
    EXPECT_LT(lowest, metrics(options).row);
    options.row_height = lowest;
    EXPECT_EQ(metrics(options).bar_text, usual);
    options.row_height = lowest - 1;
    EXPECT_LT(metrics(options).bar_text, usual);
  }
}

}  // namespace
}  // namespace streamscope::timeline

// What lies under a pixel.
#include "app/timeline/hit.h"
#include "tests/app/timeline/layout_fixture.h"

namespace streamscope::timeline {
namespace {

using Hits = LayoutTest;

TEST_F(Hits, FindWhatIsDrawn) {
  draw();
  const trace::Span& copy = run.trace.spans[0];
  const auto found = hit(run.trace, shown, view, options, x_of((copy.start + copy.end) / 2), row_of("S0"));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->operation, 0u);
  EXPECT_EQ(found->how_many, 1u);
  EXPECT_FALSE(found->waiting);
  EXPECT_EQ(shown.tracks[found->track].name, "S0");

  const trace::Span& waiting = run.trace.spans[9];  // S3's first copy
  const auto wait = hit(run.trace, shown, view, options, x_of((waiting.ready + waiting.start) / 2), row_of("S3"));
  ASSERT_TRUE(wait.has_value());
  EXPECT_TRUE(wait->waiting);
  EXPECT_EQ(wait->operation, 9u);

  EXPECT_FALSE(hit(run.trace, shown, view, options, where.plot_x - 5, row_of("S0")).has_value());
  EXPECT_FALSE(hit(run.trace, shown, view, options, x_of(copy.end), 3).has_value());
  EXPECT_FALSE(hit(run.trace, shown, view, options, x_of(shown.end) + 20, row_of("S0")).has_value());
}

TEST_F(Hits, CountWhatOneColumnHolds) {
  draw();
  view = {0, 100'000 * kFine};  // 40 host calls of 2 us in the first column
  const auto found = hit(run.trace, shown, view, options, where.plot_x, row_of("main"));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->how_many, 40u);
  EXPECT_EQ(found->row, TrackKind::host);
  ASSERT_EQ(found->shares.size(), 1u);
  EXPECT_EQ(found->shares[0].which, kHostClass);
  EXPECT_NEAR(found->shares[0].share, 40 * 2'000.0 / 100'000, 1e-9);
}

TEST_F(Hits, OfAMergedRunCountItsColumnAlone) {
  draw();
  view = {0, 10'000 * kFine};  // some calls of 2 us in each column, and all of them are one run
  for (int column = 0; column < 8; ++column) {
    std::uint32_t there = 0;
    for (const trace::Span& span : run.trace.spans) {
      const Pixels at = pixels(view, span.host_begin, span.host_end);
      there += at.x0 <= column && column < at.x1 ? 1 : 0;
    }
    ASSERT_GT(there, 2u);
    const auto found = hit(run.trace, shown, view, options, where.plot_x + column, row_of("main"));
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->how_many, there) << column;
    const trace::Span& longest = run.trace.spans[found->operation];
    const Pixels at = pixels(view, longest.host_begin, longest.host_end);
    EXPECT_TRUE(at.x0 <= column && column < at.x1) << "the longest of this column: " << column;
  }
}

TEST_F(Hits, AgreeWithThePictureWhereItIsScrolled) {
  options.height = 220;
  options.scroll = 90;
  draw();
  for (int y = 0; y < options.height; y += 3) {
    for (int x = 0; x < options.width; x += 11) {
      const auto found = hit(run.trace, shown, view, options, x, y);
      if (!found || found->waiting) continue;
      const Track& track = shown.tracks[found->track];
      const trace::Span& span = run.trace.spans[found->operation];
      const bool host = track.kind == TrackKind::host;
      const Pixels p = pixels(view, host ? span.host_begin : span.start, host ? span.host_end : span.end);
      EXPECT_TRUE(p.x0 <= x - where.plot_x && x - where.plot_x < p.x1);
    }
  }
}

}  // namespace
}  // namespace streamscope::timeline

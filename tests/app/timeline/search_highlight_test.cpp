#include "app/timeline/search_highlight.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "tests/support/timeline_run.h"

namespace streamscope::timeline {
namespace {

// The columns that a lane's runs cover.
std::set<std::int32_t> columns(const Lane& lane, const View& view, int width) {
  std::vector<PixelRun> runs;
  emit(lane, view, 0, width, runs);
  std::set<std::int32_t> out;
  for (const PixelRun& run : runs)
    for (std::int32_t x = run.x0; x < run.x1; ++x) out.insert(x);
  return out;
}

TEST(SearchHighlight, CoversThePixelsOfWhatIsMeantAndNoOthersAtAnyZoom) {
  constexpr int kWidth = 400;
  std::mt19937 random(9);
  const trace::Run run = streamscope::testing::pipeline_run({.streams = 4, .chunks = 200});
  const Tracks all = tracks(run.trace);
  for (const unsigned one_in : {2u, 10u, 100u}) {
    std::vector<bool> meant(run.trace.spans.size());
    for (std::size_t i = 0; i < meant.size(); ++i) meant[i] = random() % one_in == 0;
    const SearchHighlight lit = search_highlight(all, meant);
    for (const Nanoseconds length : {all.end, all.end * 50, all.end / 7}) {
      const View view = fit(0, length, kWidth);
      for (const Track& track : all.tracks) {
        const HighlightedLanes& lanes = lit.tracks.at(key(track));
        ASSERT_EQ(lanes.executing.size(), track.executing.size());
        for (std::size_t k = 0; k < lanes.executing.size(); ++k) {
          std::set<std::int32_t> expected;
          const Lane& lane = track.executing[k];
          for (std::uint32_t i = 0; i < lane.size(); ++i) {
            if (!meant[lane.span[i]]) continue;
            const Pixels covered = pixels(view, lane.start[i], lane.end(i));
            for (std::int64_t x = std::max<std::int64_t>(covered.x0, 0); x < std::min<std::int64_t>(covered.x1, kWidth);
                 ++x)
              expected.insert(static_cast<std::int32_t>(x));
          }
          ASSERT_EQ(columns(lanes.executing[k], view, kWidth), expected) << track.name;
        }
      }
    }
  }
}

TEST(SearchHighlight, OfNothingThereAreEmptyLanes) {
  const trace::Run run = streamscope::testing::pipeline_run({.streams = 1, .chunks = 2});
  const Tracks all = tracks(run.trace);
  for (const auto& [key, lanes] : search_highlight(all, {}).tracks)
    for (const Lane& lane : lanes.executing) EXPECT_TRUE(lane.empty());
}

}  // namespace
}  // namespace streamscope::timeline

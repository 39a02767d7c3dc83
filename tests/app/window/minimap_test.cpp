// The frame over the overview, dragged.
#include "app/window/panels/minimap.h"

#include <gtest/gtest.h>

namespace streamscope::window {
namespace {

using Grip = ViewFrame::Grip;

constexpr int kPlot = 1000;
const timeline::View kOverview = timeline::fit(0, 1'000'000, kPlot);

TEST(ViewFrame, ItsEdgesAreTakenHoldOfAndANarrowOneCanStillBeMoved) {
  EXPECT_EQ(ViewFrame::grip({100, 300}, 98, 5), Grip::left);
  EXPECT_EQ(ViewFrame::grip({100, 300}, 303, 5), Grip::right);
  EXPECT_EQ(ViewFrame::grip({100, 300}, 200, 5), Grip::inside);
  EXPECT_EQ(ViewFrame::grip({100, 300}, 600, 5), Grip::inside);
  EXPECT_EQ(ViewFrame::grip({100, 102}, 101, 5), Grip::inside);
}

TEST(ViewFrame, InsideItMovesWithTheMouseAndKeepsItsZoom) {
  const timeline::View begun = timeline::fit(200'000, 300'000, kPlot);
  const timeline::View moved = ViewFrame::dragged(Grip::inside, begun, kOverview, 300, 400, kPlot);
  EXPECT_EQ(moved.scale, begun.scale);
  const Nanoseconds by = timeline::time_at(moved, 0) - timeline::time_at(begun, 0);
  EXPECT_NEAR(static_cast<double>(by), static_cast<double>(100 * kOverview.scale / timeline::kFine), 2);
}

TEST(ViewFrame, AnEdgeMovesAndTheOtherStays) {
  const timeline::View begun = timeline::fit(200'000, 300'000, kPlot);
  const Nanoseconds right = timeline::time_at(begun, kPlot), left = timeline::time_at(begun, 0);
  const timeline::View wider = ViewFrame::dragged(Grip::left, begun, kOverview, 200, 100, kPlot);
  EXPECT_NEAR(static_cast<double>(timeline::time_at(wider, 0)), static_cast<double>(timeline::time_at(kOverview, 100)),
              2);
  EXPECT_NEAR(static_cast<double>(timeline::time_at(wider, kPlot)), static_cast<double>(right), 1000);
  const timeline::View shorter = ViewFrame::dragged(Grip::right, begun, kOverview, 300, 250, kPlot);
  EXPECT_NEAR(static_cast<double>(timeline::time_at(shorter, 0)), static_cast<double>(left), 2);
  EXPECT_LT(shorter.scale, begun.scale);
  // Past the other edge it turns round, and never to nothing.
  const timeline::View turned = ViewFrame::dragged(Grip::right, begun, kOverview, 300, 100, kPlot);
  EXPECT_LT(timeline::time_at(turned, 0), left);
  EXPECT_GE(ViewFrame::dragged(Grip::right, begun, kOverview, 300, 200, kPlot).scale, timeline::kSmallestScale);
}

}  // namespace
}  // namespace streamscope::window

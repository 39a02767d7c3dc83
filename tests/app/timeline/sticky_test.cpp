// An error that a kernel has left is a region: faint from its failure on, stronger from where it is told.
#include "app/timeline/draw_sticky.h"
#include "tests/app/timeline/layout_fixture.h"

namespace streamscope::timeline {
namespace {

class Sticky : public LayoutTest {
 protected:
  Sticky() {
    trace::Span& fault = run.trace.spans[1];
    fault.kind = OperationKind::fault;
    fault.start = 1'000'000;
    trace::Span& last = run.trace.spans.back();
    last.host_begin = last.start = 2'000'000;
    last.host_end = last.end = 3'000'000;
    for (trace::Span& span : run.trace.spans) span.host_end = std::min<Nanoseconds>(span.host_end, 3'000'000);
  }
  std::vector<Rectangle> shaded() const {
    std::vector<Rectangle> all;
    const Colour red = theme(ThemeName::dark).error;
    for (const Rectangle& one : scene.rectangles) {
      if (one.colour.a < 255 && faded(one.colour, 255) == red) all.push_back(one);
    }
    return all;
  }
};

TEST_F(Sticky, IsShadedFromTheFailureToTheLastCall) {
  run.trace.spans[3].result = CallResult::illegal_address;
  run.trace.spans[3].host_end = 2'000'000;
  shown = tracks(run.trace);
  ASSERT_TRUE(shown.sticky);
  draw();
  const std::vector<Rectangle> all = shaded();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_NEAR(all[0].x0, x_of(1'000'000), 1);
  EXPECT_EQ(all[0].x1, all[1].x0);
  EXPECT_NEAR(all[1].x0, x_of(2'000'000), 1);
  EXPECT_NEAR(all[1].x1, x_of(3'000'000), 1);
  EXPECT_LT(all[0].colour.a, all[1].colour.a);
  EXPECT_NE(text("cudaErrorIllegalAddress sticks"), nullptr);
}

TEST_F(Sticky, NothingIsShadedForAnErrorThatDoesNotStick) {
  run.trace.spans[3].result = CallResult::invalid_configuration;
  shown = tracks(run.trace);
  EXPECT_FALSE(shown.sticky);
  draw();
  EXPECT_TRUE(shaded().empty());
}

}  // namespace
}  // namespace streamscope::timeline

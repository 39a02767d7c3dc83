// What each colour stands for.
#include <gtest/gtest.h>

#include <string>

#include "app/timeline/layout.h"
#include "app/timeline/legend.h"
#include "tests/support/timeline_run.h"

namespace streamscope::timeline {
namespace {

TEST(Legend, NamesWhatIsThereAndNothingElse) {
  trace::Run run = testing::pipeline_run({});
  const auto labels = [&](ColourBy by) {
    std::string out;
    for (const LegendEntry& entry : legend(tracks(run.trace), theme(ThemeName::light), by)) {
      out += entry.label + "; ";
    }
    return out;
  };
  EXPECT_EQ(labels(ColourBy::kind), "copy H2D; kernel; copy D2H; host call; host waits; ready, waiting; ");
  EXPECT_EQ(labels(ColourBy::stream), "S0; S1; S2; S3; host waits; ready, waiting; ");
  const std::vector<LegendEntry> all = legend(tracks(run.trace), theme(ThemeName::light), ColourBy::kind);
  EXPECT_EQ(all.front().meaning, kH2dClass);
  EXPECT_EQ(all.back().meaning, kWaitingMeaning);
  run.trace.spans.resize(1);
  EXPECT_EQ(labels(ColourBy::kind), "copy H2D; host call; ");
}

// Managed memory that is fetched back goes the way of a copy to the host.
TEST(Legend, APrefetchIsColouredByItsDirection) {
  trace::Span span = testing::pipeline_run({}).trace.spans.front();
  span.kind = OperationKind::prefetch;
  const auto drawn_as = [&](Engine engine) {
    span.engine = engine;
    return class_of(class_pair_of(span, TrackKind::stream, {}), number(ColourBy::kind));
  };
  EXPECT_EQ(drawn_as(Engine::h2d), kH2dClass);
  EXPECT_EQ(drawn_as(Engine::d2h), kD2hClass);
}

}  // namespace
}  // namespace streamscope::timeline

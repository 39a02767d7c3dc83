// How often each name comes, and how long all of it took.
#include "app/reading/name_totals.h"

#include <gtest/gtest.h>

#include "tests/support/timeline_run.h"

namespace streamscope::reading {
namespace {

TEST(NameTotals, AddUpWhatHasTheSameNameOnEachSide) {
  const trace::Run run = testing::pipeline_run({});
  const NameTotals found = name_totals(run.trace);
  ASSERT_EQ(found.device.size(), 3u);
  double shares = 0;
  for (std::size_t i = 0; i < found.device.size(); ++i) {
    const NameTotal& each = found.device[i];
    Nanoseconds sum = 0;
    std::uint64_t count = 0;
    for (const trace::Span& span : run.trace.spans) {
      if (span.stream == trace::Span::kNoStream || run.trace.names[span.name] != each.name) continue;
      sum += span.end - span.start;
      ++count;
    }
    EXPECT_EQ(each.sum, sum) << each.name;
    EXPECT_EQ(each.count, count) << each.name;
    EXPECT_EQ(each.mean(), sum / static_cast<Nanoseconds>(count)) << each.name;
    if (i > 0) {
      EXPECT_LE(each.sum, found.device[i - 1].sum);
    }
    shares += each.share;
  }
  EXPECT_NEAR(shares, 1, 1e-9);
  ASSERT_FALSE(found.host.empty());
  EXPECT_EQ(found.host.front().name, "sync");
  EXPECT_TRUE(std::any_of(found.host.begin(), found.host.end(),
                          [](const NameTotal& each) { return each.name == "cudaMemcpyAsync" && each.count == 32; }));
}

TEST(NameTotals, OfNothingAreNone) {
  const NameTotals none = name_totals({});
  EXPECT_TRUE(none.device.empty());
  EXPECT_TRUE(none.host.empty());
}

}  // namespace
}  // namespace streamscope::reading

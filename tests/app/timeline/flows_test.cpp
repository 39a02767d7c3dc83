// What led to an operation and what it led to.
#include "app/timeline/flows.h"

#include "tests/app/timeline/layout_fixture.h"

namespace streamscope::timeline {
namespace {

TEST(Flows, WhoWaitedIsListedInTheOrderOfTheirStarts) {
  trace::Trace trace;
  const auto put = [&](OperationIndex cause, Nanoseconds start) {
    trace::Span span;
    span.operation = static_cast<OperationIndex>(trace.spans.size());
    span.waits_for = cause;
    span.start = start;
    trace.spans.push_back(span);
  };
  put(kNoOperation, 0);
  put(0, 300);
  put(2, 400);
  put(0, 100);
  put(0, 100);
  const Waiters who = waiters(trace);
  const auto of = [&](OperationIndex cause) {
    const auto found = waiting_for(who, cause);
    return std::vector<OperationIndex>(found.begin(), found.end());
  };
  EXPECT_EQ(of(0), (std::vector<OperationIndex>{3, 4, 1}));
  EXPECT_EQ(of(2), (std::vector<OperationIndex>{2}));
  EXPECT_TRUE(of(1).empty());
  EXPECT_TRUE(of(kNoOperation).empty());
}

using FlowsDrawn = LayoutTest;

TEST_F(FlowsDrawn, FromTheCallFromTheCauseAndToWhatWaited) {
  const Waiters who = waiters(run.trace);
  const auto all = flows(run.trace, &who, 9);  // S3's first copy: the engine was busy with another
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0], (Flow{FlowKind::call, 9, 9, false}));
  EXPECT_EQ(all[1], (Flow{FlowKind::engine, 8, 9, false}));
  EXPECT_EQ(all[2].from, 9u);
  EXPECT_EQ(all[2].to, 10u);
  EXPECT_TRUE(all[2].forward);
  EXPECT_EQ(flows(run.trace, nullptr, 9).size(), 2u);
  EXPECT_TRUE(flows(run.trace, &who, 12345).empty());
}

// A record behind S0's copy, and S1's kernel waits for it.
TEST_F(FlowsDrawn, AnArrowComesFromTheWorkBehindAMarker) {
  trace::Span record = run.trace.spans[0];
  record.operation = static_cast<OperationIndex>(run.trace.spans.size());
  record.kind = OperationKind::record;
  record.reason = trace::WaitReason::stream;
  record.waits_for = 0;
  run.trace.spans.push_back(record);
  trace::Span& kernel = run.trace.spans[4];
  kernel.reason = trace::WaitReason::event;
  kernel.waits_for = record.operation;
  const Waiters who = waiters(run.trace);
  const auto all = flows(run.trace, &who, 4);
  EXPECT_TRUE(std::ranges::any_of(all, [](const Flow& each) { return each == Flow{FlowKind::order, 0, 4, false}; }));
  const auto of_copy = waiting_for(who, 0);
  EXPECT_NE(std::ranges::find(of_copy, 4u), of_copy.end());
}

TEST_F(FlowsDrawn, AThreadGoesFromTheHostsCallToItsExecution) {
  const Waiters who = waiters(run.trace);
  options.selected = 3;  // S1's first copy
  options.waiters = &who;
  draw();
  const trace::Span& span = run.trace.spans[3];
  const auto ends_at = [&](float x, float y) {
    return std::any_of(scene.lines.begin(), scene.lines.end(), [&](const Line& line) {
      return std::abs(line.x1 - x) < 1 && std::abs(line.y1 - y) < 3 && line.colour == theme(ThemeName::dark).selection;
    });
  };
  EXPECT_TRUE(ends_at(static_cast<float>(x_of(span.start)), static_cast<float>(row_of("S1"))));
  options.selected = kNoOperation;
  redraw();
  EXPECT_TRUE(std::none_of(scene.lines.begin(), scene.lines.end(),
                           [](const Line& line) { return line.colour == theme(ThemeName::dark).selection; }));
}

TEST_F(FlowsDrawn, AllWaitsInSightAreShownWhereTheyAreAskedFor) {
  const auto arrows = [&] {
    return std::count_if(scene.lines.begin(), scene.lines.end(),
                         [](const Line& line) { return line.colour == theme(ThemeName::dark).strong_text; });
  };
  draw();
  const auto others = arrows();
  options.all_waits = true;
  redraw();
  const auto all = arrows() - others;
  std::ptrdiff_t waited = 0;
  for (const trace::Span& span : run.trace.spans) waited += span.waits_for != kNoOperation ? 1 : 0;
  ASSERT_GT(waited, 5);
  EXPECT_GE(all, waited);
  // What has no bar of its own has no arrow, and what is out of sight neither.
  view = fit(shown.begin, shown.begin + (shown.end - shown.begin) * 1000, where.plot_width);
  redraw();
  EXPECT_EQ(arrows(), others);
}

// A call that waits, a run that began before its call returned, noise: whatever is selected, an arrow's head (the last
// lines of each three) is never left of where it came from.
TEST_F(FlowsDrawn, NoArrowRunsBackInTime) {
  for (trace::Span& span : run.trace.spans) {
    if (span.kind == OperationKind::sync && known(span.start)) span.start = span.host_begin;
    if (known(span.start) && span.stream != trace::Span::kNoStream) span.host_end = span.start + 1'000'000;
  }
  const Waiters who = waiters(run.trace);
  options.waiters = &who;
  for (std::size_t i = 0; i < run.trace.spans.size(); ++i) {
    options.selected = run.trace.spans[i].operation;
    draw();
    for (const Line& line : scene.lines) {
      const bool head = std::abs(line.y1 - line.y0) < 8 && std::abs(line.x1 - line.x0) < 8;
      if (head) continue;
      EXPECT_LE(line.x0, line.x1 + 0.01F) << "operation " << i;
    }
  }
}

}  // namespace
}  // namespace streamscope::timeline

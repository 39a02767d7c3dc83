#include "app/window/state/selection_steps.h"

#include <gtest/gtest.h>

#include "app/reading/operation_facts.h"
#include "app/timeline/hit.h"
#include "app/timeline/rows.h"
#include "app/window/panels/slider_values.h"
#include "app/window/panels/snap.h"
#include "engine/experiment/check.h"
#include "engine/experiment/experiment.h"
#include "tests/support/kernel_options.h"

namespace streamscope::window {
namespace {

trace::Span span_at(OperationIndex operation, std::uint32_t stream, Nanoseconds start, Nanoseconds end) {
  trace::Span span;
  span.operation = operation;
  span.line = operation + 1;
  span.stream = stream;
  span.kind = OperationKind::h2d;
  span.engine = Engine::h2d;
  span.source = trace::Source::event;
  span.bytes = 1 << 20;
  span.host_begin = start / 10;
  span.host_end = start / 10 + 1;
  span.ready = start;
  span.start = start;
  span.end = end;
  return span;
}

// S0: 0 and 2. S1: 1 and 3, where 3 waits for 2. Then the host's wait, 4.
State a_state() {
  auto run = std::make_shared<trace::Run>();
  run->program = "one\ntwo\nthree\nfour\n";
  run->trace.streams = {{"default", false, 0}, {"per-thread", false, 0}, {"S0", true, 0}, {"S1", true, 0}};
  run->trace.threads = {"main"};
  run->trace.names = {"H2D"};
  run->trace.spans = {span_at(0, 2, 0, 100), span_at(1, 3, 100, 200), span_at(2, 2, 200, 300), span_at(3, 3, 300, 400)};
  run->trace.spans[3].waits_for = 2;
  run->trace.spans[3].reason = trace::WaitReason::engine;
  trace::Span wait;
  wait.operation = 4;
  wait.kind = OperationKind::sync;
  wait.engine = Engine::host;
  wait.host_begin = wait.start = 50;
  wait.host_end = wait.end = 400;
  run->trace.spans.push_back(wait);
  State state;
  state.runs.shown = prepare({.id = 1, .number = 1, .started = {}, .run = run});
  return state;
}

TEST(Steps, WithNothingSelectedTheFirstIsNext) {
  const State state = a_state();
  EXPECT_EQ(next_operation(state), 0u);
  EXPECT_EQ(next_on_track(state), 0u);
  EXPECT_EQ(on_track_below(state), 0u);
  EXPECT_EQ(waited_for(state), kNoOperation);
  EXPECT_EQ(next_operation(State{}), kNoOperation);
}

TEST(Steps, AlongTheProgramTheTrackAndAcrossTracks) {
  State state = a_state();
  state.timeline.selected = 1;
  EXPECT_EQ(next_operation(state), 2u);
  EXPECT_EQ(previous_operation(state), 0u);
  EXPECT_EQ(next_on_track(state), 3u);
  EXPECT_EQ(previous_on_track(state), kNoOperation);
  EXPECT_EQ(on_track_above(state), 0u);  // S0, both 100 away: the first
  EXPECT_EQ(on_track_below(state), kNoOperation);
  state.timeline.selected = 0;
  EXPECT_EQ(on_track_above(state), 4u);  // the host thread
  state.timeline.selected = 4;
  EXPECT_EQ(next_operation(state), kNoOperation);
}

TEST(Steps, AlongWhatWaitsForWhat) {
  State state = a_state();
  state.timeline.selected = 3;
  EXPECT_EQ(waited_for(state), 2u);
  state.timeline.selected = 2;
  EXPECT_EQ(waited_by(state), 3u);
  state.timeline.selected = 0;
  EXPECT_EQ(waited_by(state), kNoOperation);
}

TEST(Snap, AnEdgeNearbyAttractsAndElseThePixelCounts) {
  const State state = a_state();
  timeline::LayoutOptions options;
  options.width = 1000;
  options.height = 600;
  const timeline::Frame where = timeline::frame(state.runs.shown->tracks, options);
  const timeline::View view{.origin = 0, .scale = timeline::kFine};  // a nanosecond a pixel
  // In the row of S0: 97 is near the end of operation 0, at 100; 150 is in the middle of nothing.
  std::optional<int> row;
  for (int y = 0; y < options.height && !row; ++y)
    if (const auto under =
            timeline::hit(state.runs.shown->run->trace, state.runs.shown->tracks, view, options, where.plot_x + 250, y);
        under && under->operation == 2)
      row = y;
  ASSERT_TRUE(row);
  const auto at = [&](int time) {
    return snap(state.runs.shown->run->trace, state.runs.shown->tracks, view, options, where.plot_x,
                where.plot_x + time, *row, 6);
  };
  EXPECT_EQ(at(97), 100);
  EXPECT_EQ(at(203), 200);
  EXPECT_EQ(at(150), 150);
}

TEST(Choices, AlwaysHoldThePresentValueAndOnlyChunksThatDivide) {
  constexpr std::uint64_t kMiB = 1 << 20;
  for (const std::uint64_t chunk : chunk_choices(256 * kMiB, 16 * kMiB)) EXPECT_EQ(256 * kMiB % chunk, 0u);
  const auto odd = chunk_choices(300'000'000, 100'000'000);
  EXPECT_NE(std::find(odd.begin(), odd.end(), 100'000'000u), odd.end());
  experiment::Experiment experiment;
  test_support::set_option(experiment.kernel, "threads", 100);
  const auto threads = option_choices(experiment, experiment.kernel.kernel->find("threads"));
  EXPECT_NE(std::find(threads.begin(), threads.end(), 100u), threads.end());
  EXPECT_EQ(threads.front(), 32u);
  EXPECT_EQ(threads.back(), 1024u);
}

TEST(Choices, OfAKernelAreThoseThatItsOtherOptionsLeave) {
  experiment::Experiment experiment;
  const auto choices = [&](std::string_view key) {
    return option_choices(experiment, experiment.kernel.kernel->find(key));
  };
  test_support::set_kernel(experiment, "tiles", {{"tile", 64 << 10}});
  EXPECT_EQ(choices("stages"), (std::vector<std::uint64_t>{1, 2, 3}));
  test_support::set_option(experiment.kernel, "tile", 16 << 10);
  EXPECT_EQ(choices("stages").back(), 8u);
  test_support::set_option(experiment.kernel, "tile", 5008);
  const auto tiles = choices("tile");
  EXPECT_TRUE(std::is_sorted(tiles.begin(), tiles.end()));
  EXPECT_TRUE(std::binary_search(tiles.begin(), tiles.end(), 5008));
  for (const std::uint64_t tile : tiles) EXPECT_EQ(tile % 16, 0u) << tile;
  test_support::set_option(experiment.kernel, "tile", 16 << 10);
  test_support::set_option(experiment.kernel, "copy", 7);  // bulk
  EXPECT_EQ(choices("align"), (std::vector<std::uint64_t>{16, 128}));
  test_support::set_kernel(experiment, "attention");
  experiment.chunk = 4 * 4 * 64 * 4;  // a row of four heads
  test_support::set_option(experiment.kernel, "heads", 4);
  EXPECT_EQ(choices("heads"), (std::vector<std::uint64_t>{1, 2, 4}));
}

TEST(Choices, AKernelThatIsChosenAgainHasTheValuesThatItHad) {
  experiment::Experiment experiment;
  test_support::set_kernel(experiment, "axpb", {{"fma", 7}});
  std::map<const kernels::Kernel*, kernels::Values> last;
  const kernels::Choice tiles = with_kernel(experiment.kernel, kernels::find("tiles"), last);
  EXPECT_EQ(tiles.values[tiles.kernel->find("fma")], 7) << "an option that both have";
  last[experiment.kernel.kernel] = experiment.kernel.values;
  EXPECT_EQ(with_kernel(tiles, kernels::find("axpb"), last), experiment.kernel);
  EXPECT_EQ(with_kernel(tiles, nullptr, last), kernels::Choice{});
}

TEST(Choices, AnotherTotalKeepsTheChunkWhereItDividesAndElseTakesASmallerOne) {
  constexpr std::uint64_t kMiB = 1 << 20;
  experiment::Experiment experiment;
  experiment.bytes = 256 * kMiB;
  experiment.chunk = 16 * kMiB;
  EXPECT_EQ(with_total(experiment, 64 * kMiB).chunk, 16 * kMiB);
  const experiment::Experiment smaller = with_total(experiment, 8 * kMiB);
  EXPECT_EQ(smaller.chunk, 8 * kMiB);
  EXPECT_TRUE(experiment::check(smaller));
}

}  // namespace
}  // namespace streamscope::window

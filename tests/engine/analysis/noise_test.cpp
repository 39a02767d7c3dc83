#include "engine/analysis/noise.h"

#include <gtest/gtest.h>

#include <cmath>

namespace streamscope {
namespace {

constexpr Nanoseconds kTie = 3'000;

Trace one(Source start, std::uint32_t start_uncertainty, Source end, std::uint32_t end_uncertainty) {
  Trace trace;
  trace.provenance.uncertainty = kTie;
  Span span;
  span.kind = OperationKind::h2d;
  span.engine = Engine::h2d;
  span.ready = 0;
  span.start = 10'000;
  span.end = 110'000;
  span.start_source = start;
  span.start_uncertainty = start_uncertainty;
  span.source = end;
  span.uncertainty = end_uncertainty;
  trace.spans = {span};
  return trace;
}

Nanoseconds execution(const Trace& trace) { return execution_noise(trace, trace.spans[0]); }

TEST(Noise, TheClocksTieFallsOutBetweenTwoDeviceTimes) {
  EXPECT_EQ(execution(one(Source::stamp, 3'032, Source::stamp, 3'032)), 64);
  EXPECT_EQ(execution(one(Source::event, 4'000, Source::cupti, 3'500)), 1'500);
}

TEST(Noise, ItStaysBetweenADeviceTimeAndAHostTime) {
  EXPECT_EQ(execution(one(Source::host, 10, Source::event, 4'000)), 4'010);
  // Inferred from a host call: surer than the tie, so it has no part in it.
  EXPECT_EQ(execution(one(Source::inferred, 10, Source::event, 4'000)), 4'010);
  EXPECT_EQ(execution(one(Source::inferred, 4'000, Source::event, 4'000)), 2'000);
}

TEST(Noise, OfAModelThereIsNone) {
  Trace trace = one(Source::model, 0, Source::model, 0);
  trace.provenance.uncertainty = 0;
  streamscope::Run run;
  run.trace = trace;
  const FigureNoise noise = figure_noise(run, analyse(trace));
  EXPECT_EQ(noise.makespan, 0);
  EXPECT_EQ(noise.speed_up, 0);
  EXPECT_EQ(noise.overlap, 0);
}

TEST(Noise, IndependentTimesAddAsSquaresInSums) {
  streamscope::Run run;
  run.trace = one(Source::event, 4'000, Source::event, 4'000);  // each duration is known to 2 us
  const Span first = run.trace.spans[0];
  run.trace.spans.assign(16, first);
  for (std::size_t i = 0; i < 16; ++i) {
    Span& span = run.trace.spans[i];
    span.operation = static_cast<OperationIndex>(i);
    span.start += static_cast<Nanoseconds>(i) * 100'000;
    span.end += static_cast<Nanoseconds>(i) * 100'000;
  }
  const FigureNoise noise = figure_noise(run, analyse(run.trace));
  EXPECT_EQ(noise.makespan, 2'000) << "only its two ends count";
  EXPECT_NEAR(noise.overlap, 8'000.0 / 1'600'000, 1e-9);
  EXPECT_NEAR(noise.speed_up, std::sqrt(25.0 + 1.5625) / 1'000, 1e-5);  // 8 us and 2 us of 1.6 ms
}

TEST(Noise, TheSpreadOverTheRunsIsPartOfTheMakespans) {
  streamscope::Run run;
  run.trace = one(Source::event, 4'000, Source::event, 4'000);
  run.makespan = Statistic{100'000, 90'000, 110'000, 700};
  EXPECT_EQ(figure_noise(run, analyse(run.trace)).makespan, 2'700);
  run.makespan->spread = kAbsent;
  EXPECT_EQ(figure_noise(run, analyse(run.trace)).makespan, 2'000);
}

TEST(Noise, OfNoDeviceWorkThereIsNone) {
  const streamscope::Run run;
  EXPECT_EQ(figure_noise(run, analyse(run.trace)).makespan, 0);
}

}  // namespace
}  // namespace streamscope

#include "engine/analysis/noise.h"

#include <gtest/gtest.h>

#include <cmath>

namespace streamscope::analysis {
namespace {

constexpr Nanoseconds kTie = 3'000;

trace::Trace one(trace::Source start, std::uint32_t start_uncertainty, trace::Source end,
                 std::uint32_t end_uncertainty) {
  trace::Trace trace;
  trace.provenance.uncertainty = kTie;
  trace::Span span;
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

Nanoseconds execution(const trace::Trace& trace) { return execution_noise(trace, trace.spans[0]); }

TEST(Noise, TheClockOffsetCancelsBetweenTwoDeviceTimes) {
  EXPECT_EQ(execution(one(trace::Source::stamp, 3'032, trace::Source::stamp, 3'032)), 64);
  EXPECT_EQ(execution(one(trace::Source::event, 4'000, trace::Source::cupti, 3'500)), 1'500);
}

// Each device's clock is tied by itself.
TEST(Noise, NothingCancelsBetweenTwoDevices) {
  trace::Trace trace = one(trace::Source::stamp, 3'032, trace::Source::stamp, 3'032);
  trace.other_devices.push_back(trace.provenance);
  EXPECT_EQ(execution(trace), 64) << "both times are of one device";
  trace::Span other = trace.spans[0];
  other.device = 1;
  EXPECT_EQ(gap_noise(trace, trace.spans[0], trace.spans[0]), 64);
  EXPECT_EQ(gap_noise(trace, trace.spans[0], other), 6'064);
  // When it was ready may follow from the other device's end.
  trace.spans[0].ready_source = trace::Source::stamp;
  trace.spans[0].ready_uncertainty = 3'032;
  EXPECT_EQ(waiting_noise(trace, trace.spans[0]), 6'064);
}

TEST(Noise, TheClockOffsetStaysBetweenADeviceTimeAndAHostTime) {
  EXPECT_EQ(execution(one(trace::Source::host, 10, trace::Source::event, 4'000)), 4'010);
  // Inferred from a host call: surer than the tie, so it has no part in it.
  EXPECT_EQ(execution(one(trace::Source::inferred, 10, trace::Source::event, 4'000)), 4'010);
  EXPECT_EQ(execution(one(trace::Source::inferred, 4'000, trace::Source::event, 4'000)), 2'000);
}

// It is not there, so nothing cancels: neither in what was inferred from such an end.
TEST(Noise, WhatTheHostSawHasNoPartInTheOffset) {
  EXPECT_EQ(execution(one(trace::Source::inferred, 5'000, trace::Source::sighting, 4'000)), 9'000);
  EXPECT_EQ(execution(one(trace::Source::sighting, 5'000, trace::Source::sighting, 4'000)), 9'000);
  EXPECT_EQ(execution(one(trace::Source::stamp, 3'032, trace::Source::sighting, 4'000)), 7'032);
  EXPECT_EQ(execution(one(trace::Source::inferred, 5'000, trace::Source::inferred, 4'000)), 9'000);
  trace::Run run;
  run.trace = one(trace::Source::inferred, 5'000, trace::Source::sighting, 4'000);
  EXPECT_EQ(figure_noise(run, analyse(run.trace)).makespan, 9'000);
  EXPECT_EQ(gap_noise(run.trace, run.trace.spans[0], run.trace.spans[0]), 9'000);
}

// It starts as much later as it ends later, and not before it was ready: 1 us before it is drawn.
TEST(Noise, AStartThatFollowsFromAnEndIsOffWithIt) {
  trace::Trace trace = one(trace::Source::inferred, 6'000, trace::Source::sighting, 5'000);
  trace.spans[0].ready = 9'000;
  trace.spans[0].ready_source = trace::Source::host;
  EXPECT_EQ(execution(trace), 1'000 + 5'000);
  trace.spans[0].ready_uncertainty = 500;
  EXPECT_EQ(execution(trace), 6'500);
  trace.spans[0].start_uncertainty = 15'000;
  EXPECT_EQ(execution(trace), 10'000) << "it can have started 10 us later and ended as drawn";
  trace.spans[0].ready = -90'000;
  EXPECT_EQ(execution(trace), 20'000);
}

TEST(Noise, OfAModelThereIsNone) {
  trace::Trace trace = one(trace::Source::model, 0, trace::Source::model, 0);
  trace.provenance.uncertainty = 0;
  trace::Run run;
  run.trace = trace;
  const FigureNoise noise = figure_noise(run, analyse(trace));
  EXPECT_EQ(noise.makespan, 0);
  EXPECT_EQ(noise.speed_up, 0);
  EXPECT_EQ(noise.overlap, 0);
}

TEST(Noise, IndependentTimesAddAsSquaresInSums) {
  trace::Run run;
  run.trace = one(trace::Source::event, 4'000, trace::Source::event, 4'000);  // each duration is known to 2 us
  const trace::Span first = run.trace.spans[0];
  run.trace.spans.assign(16, first);
  for (std::size_t i = 0; i < 16; ++i) {
    trace::Span& span = run.trace.spans[i];
    span.operation = static_cast<OperationIndex>(i);
    span.start += static_cast<Nanoseconds>(i) * 100'000;
    span.end += static_cast<Nanoseconds>(i) * 100'000;
  }
  const FigureNoise noise = figure_noise(run, analyse(run));
  EXPECT_EQ(noise.makespan, 2'000) << "only its two ends count";
  EXPECT_NEAR(noise.overlap, 8'000.0 / 1'600'000, 1e-9);
  EXPECT_NEAR(noise.speed_up, std::sqrt(25.0 + 1.5625) / 1'000, 1e-5);  // 8 us and 2 us of 1.6 ms
}

TEST(Noise, ASerialRunIsAsUncertainAsItsTwoEndsAndItsSpread) {
  trace::Run run;
  run.trace = one(trace::Source::event, 4'000, trace::Source::event, 4'000);
  run.serial = trace::Statistic{100'000, 99'000, 101'000, 1'000};
  EXPECT_NEAR(figure_noise(run, analyse(run)).speed_up, std::sqrt(9.0 + 4.0) / 100, 1e-9);
}

TEST(Noise, TheSpreadOverTheRunsIsPartOfTheMakespans) {
  trace::Run run;
  run.trace = one(trace::Source::event, 4'000, trace::Source::event, 4'000);
  run.makespan = trace::Statistic{100'000, 90'000, 110'000, 700};
  EXPECT_EQ(figure_noise(run, analyse(run.trace)).makespan, 2'700);
  run.makespan->spread = kAbsent;
  EXPECT_EQ(figure_noise(run, analyse(run.trace)).makespan, 2'000);
}

TEST(Noise, OfNoDeviceWorkThereIsNone) {
  const trace::Run run;
  EXPECT_EQ(figure_noise(run, analyse(run.trace)).makespan, 0);
}

}  // namespace
}  // namespace streamscope::analysis

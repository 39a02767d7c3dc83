#include "engine/analysis/analysis.h"

#include <gmock/gmock.h>

#include <limits>
#include <random>

#include "tests/support/two_devices.h"

namespace streamscope::analysis {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Nanoseconds kMost = std::numeric_limits<Nanoseconds>::max();

trace::Span on(Engine engine, Nanoseconds start, Nanoseconds end) {
  trace::Span span;
  span.engine = engine;
  span.kind = engine == Engine::h2d   ? OperationKind::h2d
              : engine == Engine::d2h ? OperationKind::d2h
                                      : OperationKind::kernel;
  span.start = start;
  span.end = end;
  return span;
}

trace::Span copy(Engine engine, Nanoseconds start, Nanoseconds end, std::uint64_t bytes) {
  trace::Span span = on(engine, start, end);
  span.bytes = bytes;
  return span;
}

trace::Trace trace_of(std::vector<trace::Span> spans) {
  trace::Trace trace;
  trace.streams = {{"default"}, {"per-thread"}, {"S0"}, {"S1"}};
  trace.threads = {"main"};
  trace.names = {"H2D", "axpb", "D2H"};
  trace.spans = std::move(spans);
  for (std::size_t i = 0; i < trace.spans.size(); ++i) trace.spans[i].operation = static_cast<OperationIndex>(i);
  return trace;
}

TEST(Busy, JoinsWhatOverlapsOrTouchesAndKeepsWhatDoesNot) {
  const std::vector<trace::Span> spans{on(Engine::compute, 50, 60), on(Engine::compute, 10, 20),
                                       on(Engine::compute, 15, 30), on(Engine::compute, 30, 40),
                                       on(Engine::compute, 41, 45)};
  EXPECT_THAT(busy(spans, {0, Engine::compute}),
              ElementsAre(trace::Interval{10, 40}, trace::Interval{41, 45}, trace::Interval{50, 60}));
}

TEST(Busy, ASpanInsideAnotherDoesNotShortenIt) {
  const std::vector<trace::Span> spans{on(Engine::h2d, 0, 100), on(Engine::h2d, 10, 20), on(Engine::h2d, 90, 95)};
  EXPECT_THAT(busy(spans, {0, Engine::h2d}), ElementsAre(trace::Interval{0, 100}));
}

TEST(Busy, LeavesOutOtherEnginesUnknownTimesEmptyAndInvertedSpans) {
  const std::vector<trace::Span> spans{on(Engine::h2d, 0, 10),       on(Engine::d2h, 20, 30),
                                       on(Engine::h2d, kAbsent, 50), on(Engine::h2d, 40, kAbsent),
                                       on(Engine::h2d, 60, 60),      on(Engine::h2d, 80, 70),
                                       on(Engine::compute, 5, 200),  on(Engine::h2d, kAbsent, kAbsent)};
  EXPECT_THAT(busy(spans, {0, Engine::h2d}), ElementsAre(trace::Interval{0, 10}));
  EXPECT_THAT(busy(spans, {0, Engine::host}), IsEmpty());
}

// The union counted point by point, on small whole numbers.
TEST(Busy, IsThePointwiseUnion) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<trace::Span> spans;
    std::vector<bool> covered(64, false);
    for (int i = 0; i < 8; ++i) {
      const Nanoseconds start = random() % 60, end = start + random() % 4;
      spans.push_back(on(Engine::d2h, start, end));
      for (Nanoseconds at = start; at < end; ++at) covered[static_cast<std::size_t>(at)] = true;
    }
    std::vector<bool> said(64, false);
    Nanoseconds last = -1;
    for (const trace::Interval& interval : busy(spans, {0, Engine::d2h})) {
      ASSERT_LT(interval.start, interval.end);
      ASSERT_LT(last, interval.start) << "sorted, with a gap between";
      last = interval.end;
      for (Nanoseconds at = interval.start; at < interval.end; ++at) said[static_cast<std::size_t>(at)] = true;
    }
    ASSERT_EQ(said, covered);
  }
}

// Two chunks through a pipeline, times in ns:
//   h2d      [100,200) [200,300)
//   compute            [200,280) [300,380)
//   d2h                          [280,390)   [390,500)
TEST(Analyse, ThePipelineCountedByHand) {
  trace::Trace trace =
      trace_of({copy(Engine::h2d, 100, 200, 1000), on(Engine::compute, 200, 280), copy(Engine::d2h, 280, 390, 1000),
                copy(Engine::h2d, 200, 300, 1000), on(Engine::compute, 300, 380), copy(Engine::d2h, 390, 500, 1000)});
  trace.spans[1].bytes = 1000;  // what a kernel touches is not moved by a copy
  trace.spans[3].ready = 10;    // waited 190
  trace.spans[5].ready = 380;   // waited 10
  trace.spans[0].ready = 100;   // waited 0
  for (trace::Span& span : trace.spans) span.host_begin = 5, span.host_end = 7;
  const Analysis found = analyse(trace);
  EXPECT_EQ(found.makespan, 400);
  EXPECT_EQ(found.serial_sum, 100 + 80 + 110 + 100 + 80 + 110);
  EXPECT_DOUBLE_EQ(found.speed_up, 580.0 / 400.0);
  // h2d with compute [200,280); h2d with d2h [280,300); compute with d2h [300,380): 180 in all.
  EXPECT_EQ(found.overlapped, 180);
  EXPECT_DOUBLE_EQ(found.overlap, 180.0 / 400.0);
  EXPECT_THAT(found.busy_at_once, ElementsAre(0, 220, 180, 0));
  EXPECT_EQ(found.waiting, 200);
  EXPECT_EQ(found.host_calls, 12);
  ASSERT_EQ(found.engines.size(), 3u);
  EXPECT_EQ(found.engines[0].engine, Engine::h2d);
  EXPECT_EQ(found.engines[0].busy, 200);
  EXPECT_DOUBLE_EQ(found.engines[0].use, 0.5);
  EXPECT_EQ(found.engines[0].bytes, 2000u);
  EXPECT_EQ(found.engines[0].operations, 2u);
  EXPECT_EQ(found.engines[1].engine, Engine::d2h);
  EXPECT_EQ(found.engines[1].busy, 220);
  EXPECT_EQ(found.engines[1].bytes, 2000u);
  EXPECT_EQ(found.engines[2].engine, Engine::compute);
  EXPECT_EQ(found.engines[2].busy, 160);
  EXPECT_EQ(found.engines[2].bytes, 0u);
  EXPECT_EQ(found.engines[2].operations, 2u);
}

TEST(Analyse, ThreeEnginesAtOnceOverlapOnce) {
  const Analysis found =
      analyse(trace_of({on(Engine::h2d, 0, 100), on(Engine::d2h, 0, 100), on(Engine::compute, 0, 100)}));
  EXPECT_EQ(found.overlapped, 100);
  EXPECT_DOUBLE_EQ(found.overlap, 1.0);
  EXPECT_DOUBLE_EQ(found.speed_up, 3.0);
}

TEST(Analyse, TwoKernelsAtOnceAreOneBusyEngineAndOverlap) {
  const Analysis found = analyse(trace_of({on(Engine::compute, 0, 100), on(Engine::compute, 50, 150)}));
  EXPECT_EQ(found.engines[2].busy, 150);
  EXPECT_DOUBLE_EQ(found.engines[2].use, 1.0);
  EXPECT_EQ(found.overlapped, 50);
  EXPECT_EQ(found.serial_sum, 200);
}

TEST(Analyse, EnginesThatOnlyMeetDoNotOverlap) {
  const Analysis found = analyse(trace_of({on(Engine::h2d, 0, 100), on(Engine::compute, 100, 200)}));
  EXPECT_EQ(found.overlapped, 0);
  EXPECT_DOUBLE_EQ(found.speed_up, 1.0);
}

TEST(Analyse, OverlapIsCountedPointByPoint) {
  std::mt19937 random(11);
  const Engine engines[] = {Engine::h2d, Engine::d2h, Engine::compute};
  for (int round = 0; round < 200; ++round) {
    std::vector<trace::Span> spans;
    std::vector<int> at_once(64, 0);
    for (int i = 0; i < 9; ++i) {
      const Nanoseconds start = random() % 60, end = start + random() % 5;
      spans.push_back(on(engines[random() % 3], start, end));
      for (Nanoseconds at = start; at < end; ++at) ++at_once[static_cast<std::size_t>(at)];
    }
    ASSERT_EQ(analyse(trace_of(spans)).overlapped,
              std::count_if(at_once.begin(), at_once.end(), [](int each) { return each >= 2; }));
  }
}

TEST(Analyse, ATraceWithoutSpansHasNoFigures) {
  const Analysis found = analyse(trace::Trace{});
  EXPECT_EQ(found.makespan, kAbsent);
  EXPECT_EQ(found.serial_sum, 0);
  EXPECT_EQ(found.speed_up, 0);
  EXPECT_EQ(found.overlap, 0);
  EXPECT_EQ(found.engines.size(), 3u);
}

TEST(Analyse, WhatIsNotKnownCountsNowhereButAsAnOperation) {
  trace::Trace trace = trace_of({on(Engine::h2d, 10, 30), on(Engine::h2d, kAbsent, 900),
                                 on(Engine::compute, 40, kAbsent), on(Engine::d2h, 70, 60)});
  trace.spans[0].host_begin = 1;  // no host_end
  const Analysis found = analyse(trace);
  EXPECT_EQ(found.makespan, 20);
  EXPECT_EQ(found.serial_sum, 20);
  EXPECT_EQ(found.waiting, 0);
  EXPECT_EQ(found.host_calls, 0);
  EXPECT_EQ(found.engines[0].operations, 2u);
  EXPECT_EQ(found.engines[0].busy, 20);
  EXPECT_EQ(found.engines[1].busy, 0);
  EXPECT_EQ(found.engines[2].busy, 0);
}

TEST(Analyse, OnlyAsynchronousCallsAreHostCalls) {
  trace::Trace trace = trace_of({on(Engine::h2d, 0, 10), on(Engine::h2d, 10, 20), on(Engine::none, 20, 20)});
  trace.spans[1].blocking = true;
  trace.spans[2].kind = OperationKind::record;
  trace::Span sync;
  sync.kind = OperationKind::sync;
  sync.engine = Engine::host;
  trace.spans.push_back(sync);
  const Nanoseconds lengths[] = {2, 300, 1, 5000};
  for (std::size_t i = 0; i < 4; ++i) trace.spans[i].host_begin = 100, trace.spans[i].host_end = 100 + lengths[i];
  EXPECT_EQ(analyse(trace).host_calls, 3);
}

TEST(Analyse, AGraphsLaunchIsOneHostCall) {
  trace::Trace trace = trace_of({on(Engine::none, 0, 0), on(Engine::compute, 10, 20), on(Engine::compute, 20, 30)});
  trace.spans[0].kind = OperationKind::launch;
  trace.spans[1].launch = trace.spans[2].launch = 0;
  for (trace::Span& span : trace.spans) span.host_begin = 100, span.host_end = 107;
  EXPECT_EQ(analyse(trace).host_calls, 7);
}

TEST(Analyse, RecordsAndWaitsAreNoDeviceWork) {
  trace::Trace trace = trace_of({on(Engine::h2d, 100, 200), on(Engine::none, 500, 501)});
  trace.spans[1].kind = OperationKind::wait;
  trace.spans[1].ready = 200;
  const Analysis found = analyse(trace);
  EXPECT_EQ(found.makespan, 100);
  EXPECT_EQ(found.waiting, 0);
}

TEST(Analyse, HostFunctionsBelongToTheMakespan) {
  trace::Trace trace = trace_of({on(Engine::h2d, 0, 10), on(Engine::host, 10, 60)});
  trace.spans[1].kind = OperationKind::hostfn;
  const Analysis found = analyse(trace);
  EXPECT_EQ(found.makespan, 60);
  EXPECT_EQ(found.serial_sum, 60);
}

TEST(Analyse, TimesAtTheEdgeOfWhatFitsSaturate) {
  const Analysis found = analyse(trace_of(
      {on(Engine::h2d, -kMost, kMost), on(Engine::compute, -kMost, kMost), on(Engine::d2h, kMost - 1, kMost)}));
  EXPECT_EQ(found.makespan, kMost);
  EXPECT_EQ(found.serial_sum, kMost);
  EXPECT_EQ(found.overlapped, kMost);
}

TEST(Analysis, EachDeviceHasEnginesOfItsOwn) {
  const trace::Run run = testing::run_on_two_devices();
  const Analysis found = analyse(run.trace);
  ASSERT_EQ(found.engines.size(), 6u);
  for (std::uint32_t i = 0; i < 6; ++i) {
    const EngineUse& use = found.engines[i];
    EXPECT_EQ(use.device, i / 3);
    EXPECT_EQ(use.engine, found.engines[i % 3].engine);
    Nanoseconds sum = 0;
    for (const trace::Interval& part : busy(run.trace.spans, {use.device, use.engine})) sum += part.end - part.start;
    EXPECT_EQ(use.busy, sum);
    EXPECT_EQ(use.operations, 8u) << "two of four streams, sixteen chunks";
  }
  EXPECT_EQ(found.busy_at_once.size(), 7u);
}

TEST(Analysis, ASpanOfADeviceThatIsNotThereIsOnNoEngine) {
  trace::Span stray = on(Engine::h2d, 0, 10);
  stray.device = 3;
  const Analysis found = analyse(trace_of({stray}));
  ASSERT_EQ(found.engines.size(), 3u);
  for (const EngineUse& use : found.engines) EXPECT_EQ(use.operations, 0u);
  EXPECT_EQ(found.makespan, 10);
}

}  // namespace
}  // namespace streamscope::analysis

// What operations take one after the other: measured, or the sum of isolated durations.
#include "engine/analysis/serial.h"

#include <gtest/gtest.h>

#include "engine/analysis/analysis.h"

namespace streamscope::analysis {
namespace {

trace::Run run_of(std::initializer_list<std::pair<Nanoseconds, Nanoseconds>> executions) {
  trace::Run run;
  for (const auto& [start, end] : executions) {
    trace::Span span;
    span.kind = OperationKind::kernel;
    span.engine = Engine::compute;
    span.start = start;
    span.end = end;
    run.trace.spans.push_back(span);
  }
  return run;
}

// Two kernels that share the GPU take nearly as long as one after the other.
TEST(Serial, AMeasuredOneIsTaken) {
  trace::Run run = run_of({{0, 2'000}, {10, 2'010}});
  run.trace.provenance.kind = trace::Provenance::Kind::measured;
  run.serial = trace::Statistic{2'030, 2'000, 2'100};
  run.makespan = trace::Statistic{2'010, 2'000, 2'020};
  const Analysis found = analyse(run);
  EXPECT_EQ(found.serial.source, SerialSource::measured);
  EXPECT_EQ(found.serial.time, 2'030);
  EXPECT_NEAR(found.serial_speed_up, 1.01, 1e-3);
  EXPECT_NEAR(found.speed_up, 1.99, 1e-2) << "the deprecated one, which sums what sharing stretched";
  run.trace.provenance.kind = trace::Provenance::Kind::model;
  EXPECT_EQ(serial_of(run).source, SerialSource::simulated);
}

TEST(Serial, IsolatedDurationsCountForAllOfTheirSort) {
  const Serial sum = serial_of(run_of({{0, 100}, {200, 500}, {250, 600}, {700, 810}}));
  EXPECT_EQ(sum.source, SerialSource::durations);
  EXPECT_EQ(sum.time, 4 * 100);
  EXPECT_EQ(sum.never_alone, 0u);
}

// Two lines may launch one kernel with other options; that a copy stands elsewhere changes nothing.
TEST(Serial, KernelsOfTwoLinesAreTwoSorts) {
  trace::Run run = run_of({{0, 100}, {200, 250}});
  run.trace.spans[0].line = 3;
  run.trace.spans[1].line = 4;
  EXPECT_EQ(serial_of(run).time, 150);
  for (trace::Span& span : run.trace.spans) span.kind = OperationKind::h2d;
  EXPECT_EQ(serial_of(run).time, 100);
}

TEST(Serial, OfASortThatNeverRanAloneTheShortestCountsAndIsTold) {
  trace::Run run = run_of({{0, 100}, {200, 500}, {250, 600}, {400, 480}});
  run.trace.spans[3].bytes = 7;
  const Serial sum = serial_of(run);
  EXPECT_EQ(sum.time, 3 * 100 + 80);
  EXPECT_EQ(sum.never_alone, 1u);
}

TEST(Serial, WhatRunsBesideALongerOneIsNotAlone) {
  const Serial sum = serial_of(run_of({{0, 1'000}, {100, 150}, {300, 340}}));
  EXPECT_EQ(sum.never_alone, 3u);
  EXPECT_EQ(sum.time, 3 * 40);
}

// Kernels of any size and name would count as one sort there.
TEST(Serial, OfAnotherToolsTraceNothingIsKnown) {
  trace::Run run = run_of({{0, 100}, {200, 500}});
  run.trace.provenance.instrument = "pytorch";
  EXPECT_FALSE(known(serial_of(run).time));
  EXPECT_EQ(serial_of(run).source, SerialSource::unknown);
}

TEST(Serial, OfNothingNothingIsKnown) {
  EXPECT_EQ(serial_of(run_of({})).source, SerialSource::unknown);
  EXPECT_FALSE(known(analyse(run_of({})).serial.time));
  EXPECT_EQ(analyse(run_of({{0, 5}}).trace).serial.source, SerialSource::unknown) << "a trace alone is no run";
}

}  // namespace
}  // namespace streamscope::analysis

// Who is to blame where a run and its prediction part.
#include "engine/analysis/compare.h"

#include <gmock/gmock.h>

namespace streamscope::analysis {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

using What = Deviation::What;

// Device work on stream S0 of a model's trace: no time is uncertain.
trace::Span work(OperationIndex operation, OperationKind kind, Engine engine, Nanoseconds start, Nanoseconds end) {
  trace::Span span;
  span.operation = operation;
  span.line = operation + 10;
  span.kind = kind;
  span.engine = engine;
  span.stream = 2;
  span.bytes = 1'000'000;
  span.host_begin = operation * 2'000;
  span.host_end = span.host_begin + 1'500;
  span.start = start;
  span.end = end;
  span.ready = start;
  span.start_source = span.source = span.ready_source = trace::Source::model;
  return span;
}
trace::Span after(trace::Span span, trace::WaitReason reason, OperationIndex waits_for) {
  span.reason = reason;
  span.waits_for = waits_for;
  return span;
}

trace::Run run_of(std::vector<trace::Span> measured, std::vector<trace::Span> predicted) {
  trace::Run run;
  run.trace.streams = {{"default"}, {"per-thread"}, {"S0"}};
  run.trace.threads = {"main"};
  run.trace.names = {"op"};
  run.prediction.emplace();
  run.prediction->trace = run.trace;
  run.prediction->trace.provenance.profile = "h200";
  run.trace.spans = std::move(measured);
  run.prediction->trace.spans = std::move(predicted);
  return run;
}

// A copy in, a kernel and a copy out, one after the other; the kernel takes this much longer than predicted.
trace::Run chain(Nanoseconds longer) {
  const auto h2d = work(0, OperationKind::h2d, Engine::h2d, 5'000, 105'000);
  const auto kernel = [&](Nanoseconds by) {
    return after(work(1, OperationKind::kernel, Engine::compute, 106'000, 206'000 + by), trace::WaitReason::stream, 0);
  };
  const auto d2h = [&](Nanoseconds by) {
    return after(work(2, OperationKind::d2h, Engine::d2h, 207'000 + by, 307'000 + by), trace::WaitReason::stream, 1);
  };
  return run_of({h2d, kernel(longer), d2h(longer)}, {h2d, kernel(0), d2h(0)});
}

TEST(Compare, ARunAsPredictedHasNoDeviations) {
  const Comparison comparison = compare(chain(0));
  EXPECT_THAT(comparison.deviations, IsEmpty());
  EXPECT_EQ(comparison.count, 0u);
  EXPECT_EQ(sums_text(comparison), "");
}

TEST(Compare, TheKernelThatTookLongerIsNamedAndNotWhatFollowsIt) {
  for (const Nanoseconds by : {40'000, -40'000}) {
    const Comparison comparison = compare(chain(by));
    ASSERT_EQ(comparison.deviations.size(), 1u) << by;
    const Deviation& deviation = comparison.deviations.front();
    EXPECT_EQ(deviation.operation, 1u);
    EXPECT_EQ(deviation.line, 11u);
    EXPECT_EQ(deviation.what, What::execution);
    EXPECT_EQ(deviation.by, by);
    EXPECT_EQ(deviation.end, by);
    EXPECT_THAT(deviation.cause, HasSubstr("100 us predicted"));
  }
}

TEST(Compare, WhatLiesWithinTheMeasurementsUncertaintyIsNotListed) {
  auto run = chain(400);
  run.trace.provenance.kind = trace::Provenance::Kind::measured;
  for (trace::Span& span : run.trace.spans) span.start_uncertainty = span.uncertainty = 200;
  EXPECT_THAT(compare(run).deviations, IsEmpty());
  run.trace.spans[1].uncertainty = 199;
  EXPECT_EQ(compare(run).deviations.size(), 1u);
}

TEST(Compare, ACopyThatWaitedForTheOtherDirectionSaysSo) {
  const auto h2d = work(0, OperationKind::h2d, Engine::h2d, 5'000, 105'000);
  const auto free = work(1, OperationKind::d2h, Engine::d2h, 6'000, 106'000);
  const auto held = after(work(1, OperationKind::d2h, Engine::h2d, 105'000, 205'000), trace::WaitReason::engine, 0);
  const Comparison comparison = compare(run_of({h2d, held}, {h2d, free}));
  ASSERT_EQ(comparison.deviations.size(), 1u);
  EXPECT_EQ(comparison.deviations[0].what, What::waiting);
  EXPECT_EQ(comparison.deviations[0].by, 99'000);
  EXPECT_THAT(comparison.deviations[0].cause, HasSubstr("the other direction held it: "));
  EXPECT_THAT(comparison.deviations[0].cause, HasSubstr("op #0 (line 10)"));
  EXPECT_THAT(comparison.deviations[0].cause, HasSubstr("predicted: it did not wait"));
}

TEST(Compare, AWaitInASharedHardwareQueueIsAFalseDependency) {
  const auto first = work(0, OperationKind::kernel, Engine::compute, 5'000, 105'000);
  const auto free = work(1, OperationKind::kernel, Engine::compute, 6'000, 106'000);
  const auto held =
      after(work(1, OperationKind::kernel, Engine::compute, 106'000, 206'000), trace::WaitReason::queue, 0);
  const Comparison comparison = compare(run_of({first, held}, {first, free}));
  ASSERT_FALSE(comparison.deviations.empty());
  EXPECT_THAT(comparison.deviations[0].cause, HasSubstr("a false dependency: "));
}

// The model has it wait where nothing was waited for.
TEST(Compare, AnOperationThatStartedSoonerThanPredictedIsListedToo) {
  const auto first = work(0, OperationKind::h2d, Engine::h2d, 5'000, 105'000);
  const auto free = work(1, OperationKind::h2d, Engine::h2d, 6'000, 106'000);
  const auto held = after(work(1, OperationKind::h2d, Engine::h2d, 105'000, 205'000), trace::WaitReason::engine, 0);
  const Comparison comparison = compare(run_of({first, free}, {first, held}));
  ASSERT_EQ(comparison.deviations.size(), 1u);
  EXPECT_EQ(comparison.deviations[0].by, -99'000);
  EXPECT_THAT(comparison.deviations[0].cause, HasSubstr("predicted: waited"));
}

// Two causes: the late engine explains all of it, though the stream's own predecessor was on time.
TEST(Compare, ADelayInheritedFromAnotherOperationIsNotItsOwn) {
  const auto early = work(0, OperationKind::h2d, Engine::h2d, 5'000, 105'000);
  const auto late = work(0, OperationKind::h2d, Engine::h2d, 5'000, 155'000);
  const auto second = after(work(1, OperationKind::h2d, Engine::h2d, 105'000, 205'000), trace::WaitReason::engine, 0);
  const auto pushed = after(work(1, OperationKind::h2d, Engine::h2d, 155'000, 255'000), trace::WaitReason::engine, 0);
  const Comparison comparison = compare(run_of({late, pushed}, {early, second}));
  ASSERT_EQ(comparison.deviations.size(), 1u);
  EXPECT_EQ(comparison.deviations[0].operation, 0u);
  EXPECT_THAT(comparison.deviations[0].cause, HasSubstr("ran at"));
}

TEST(Compare, AHostCallThatWasHeldIsTheCauseOfALateStart) {
  const auto predicted = work(0, OperationKind::kernel, Engine::compute, 5'000, 105'000);
  auto measured = predicted;
  measured.host_end += 200'000;
  measured.start += 200'000;
  measured.end += 200'000;
  const Comparison comparison = compare(run_of({measured}, {predicted}));
  ASSERT_EQ(comparison.deviations.size(), 1u);
  EXPECT_EQ(comparison.deviations[0].what, What::call);
  EXPECT_EQ(comparison.deviations[0].by, 200'000);
  EXPECT_THAT(comparison.deviations[0].cause, HasSubstr("the host call was held"));
}

// The instrument that counts calls sees no end that the host waited for: the whole wait is compared.
TEST(Compare, OfARunThatSawOnlyCallsWholeCallsAreCompared) {
  trace::Run run = chain(0);
  trace::Span sync;
  sync.operation = 3;
  sync.kind = OperationKind::sync;
  sync.engine = Engine::host;
  sync.host_begin = 8'000;
  sync.host_end = 310'000;
  run.trace.spans.push_back(sync);
  run.prediction->trace.spans.push_back(after(sync, trace::WaitReason::host, 2));
  for (trace::Span& span : run.trace.spans) span.ready = span.start = span.end = kAbsent;
  EXPECT_THAT(compare(run).deviations, IsEmpty());
  run.trace.spans.back().host_end += 500'000;
  ASSERT_EQ(compare(run).deviations.size(), 1u);
  EXPECT_THAT(compare(run).deviations[0].cause, HasSubstr("the host call took 802"));
}

// The wait at the end lasts as long as what it waits for: no call of its own.
TEST(Compare, ASynchronisationIsNotListedForWhatItWaitedFor) {
  auto run = chain(40'000);
  const auto sync = [](Nanoseconds end) {
    trace::Span span = after(work(3, OperationKind::sync, Engine::host, kAbsent, kAbsent), trace::WaitReason::host, 2);
    span.stream = trace::Span::kNoStream;
    span.host_end = end + 3'000;
    return span;
  };
  run.trace.spans.push_back(sync(347'000));
  run.prediction->trace.spans.push_back(sync(307'000));
  const Comparison comparison = compare(run);
  ASSERT_EQ(comparison.deviations.size(), 1u);
  EXPECT_EQ(comparison.deviations[0].operation, 1u);
}

TEST(Compare, CopiesWithTheOtherDirectionBusySayForHowLong) {
  const auto in = work(0, OperationKind::h2d, Engine::h2d, 5'000, 105'000);
  const auto in_slow = work(0, OperationKind::h2d, Engine::h2d, 5'000, 125'000);
  const auto out = work(1, OperationKind::d2h, Engine::d2h, 65'000, 165'000);
  const auto out_later = work(1, OperationKind::d2h, Engine::d2h, 105'000, 205'000);
  const Comparison comparison = compare(run_of({in_slow, out}, {in, out_later}));
  std::string causes;
  for (const Deviation& each : comparison.deviations)
    if (each.operation == 0) causes += each.cause;
  EXPECT_THAT(causes, HasSubstr("the other direction was busy for 50 % of it, 0 % predicted"));
}

TEST(Compare, TheWorstComesFirstAndTheRestIsCounted) {
  std::vector<trace::Span> measured, predicted;
  for (OperationIndex i = 0; i < 300; ++i) {
    predicted.push_back(work(i, OperationKind::kernel, Engine::compute, 5'000 + i * 3'000, 6'000 + i * 3'000));
    predicted.back().host_end = predicted.back().host_begin;
    measured.push_back(predicted.back());
    measured.back().end += 1 + (i * 7) % 300;
  }
  const Comparison comparison = compare(run_of(measured, predicted));
  EXPECT_EQ(comparison.count, 300u);
  ASSERT_EQ(comparison.deviations.size(), kDeviationsKept);
  EXPECT_EQ(comparison.deviations.front().by, 300);
  EXPECT_EQ(comparison.execution, (Comparison::Sum{300, 300 * 301 / 2}));
  EXPECT_EQ(sums_text(comparison), "execution +45.15 us in 300");
  for (std::size_t i = 1; i < comparison.deviations.size(); ++i)
    EXPECT_GE(comparison.deviations[i - 1].by, comparison.deviations[i].by);
}

TEST(Compare, WithoutAPredictionOrItsSpansThereIsNothing) {
  auto run = chain(1'000);
  run.trace.spans.clear();
  EXPECT_THAT(compare(run).deviations, IsEmpty());
  run.prediction.reset();
  EXPECT_THAT(compare(run).deviations, IsEmpty());
  EXPECT_EQ(prediction_text(run), "");
}

TEST(Compare, DifferencesAreMeasuredLessPredictedAndUnknownWhereOneIs) {
  const auto run = chain(40'000);
  const auto at = [&](std::size_t i) { return difference(run.trace.spans[i], run.prediction->trace.spans[i]); };
  EXPECT_EQ(at(1), (Difference{0, 40'000, 40'000, 0}));
  EXPECT_EQ(at(2), (Difference{40'000, 40'000, 0, 0}));
  EXPECT_EQ(difference(trace::Span{}, run.trace.spans[0]), Difference{});
}

TEST(Prediction, IsComparedWithBareRunsWhereThereAreSome) {
  auto run = chain(0);
  run.trace.provenance.kind = trace::Provenance::Kind::measured;
  run.prediction->wall = 5'910'000;
  run.prediction->makespan = 200;
  run.makespan = trace::Statistic{100, 100, 100};
  run.wall = trace::Statistic{6'000'000, 6'000'000, 6'000'000};
  EXPECT_THAT(prediction_text(run), HasSubstr("measured 6 ms: -1.5 %"));
  run.bare_wall = trace::Statistic{5'975'000, 5'975'000, 5'975'000};
  EXPECT_EQ(prediction_text(run), "predicted 5.91 ms (h200), measured 5.975 ms bare: -1.1 %");
  EXPECT_DOUBLE_EQ(*prediction_error(run).makespan, 1);
  run.wall.reset();
  run.bare_wall.reset();
  EXPECT_FALSE(prediction_error(run).wall);
  EXPECT_THAT(prediction_text(run), Not(HasSubstr("measured")));
}

}  // namespace
}  // namespace streamscope::analysis

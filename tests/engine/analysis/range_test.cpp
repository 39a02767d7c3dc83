// Figures of a range, against counting nanosecond by nanosecond.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <random>

#include "engine/analysis/analysis.h"
#include "engine/analysis/noise.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::analysis {
namespace {

using ::testing::ElementsAre;

constexpr Nanoseconds kLength = 64;
constexpr std::array kEngines3{Engine::h2d, Engine::d2h, Engine::compute};

trace::Span made(std::mt19937& random, OperationIndex operation) {
  constexpr std::array kKinds{OperationKind::h2d, OperationKind::d2h, OperationKind::kernel};
  trace::Span span;
  span.operation = operation;
  const std::size_t which = random() % 4;  // the last: a record, no device work
  span.kind = which < 3 ? kKinds[which] : OperationKind::record;
  span.engine = which < 3 ? kEngines3[which] : Engine::none;
  span.host_begin = static_cast<Nanoseconds>(random() % 50);
  span.host_end = span.host_begin + static_cast<Nanoseconds>(random() % 5);
  span.ready = static_cast<Nanoseconds>(random() % 40);
  span.start = span.ready + static_cast<Nanoseconds>(random() % 8);
  span.end = span.start + static_cast<Nanoseconds>(random() % 12);
  if (random() % 10 == 0) span.end = kAbsent;
  if (random() % 10 == 0) span.ready = kAbsent;
  span.bytes = 1'000 * (random() % 4);
  return span;
}

trace::Trace made_trace(std::mt19937& random, bool packed) {
  std::vector<trace::Span> spans;
  for (OperationIndex i = 0; i < 12; ++i) spans.push_back(made(random, i));
  trace::Trace trace;
  if (packed)
    trace.packed = std::make_shared<const trace::PackedSpans>(std::move(spans));
  else
    trace.spans = std::move(spans);
  return trace;
}

bool covers(Nanoseconds from, Nanoseconds to, Nanoseconds at) {
  return known(from) && known(to) && from <= at && at < to;
}

TEST(Range, TheSumsAreThoseOfItsNanoseconds) {
  std::mt19937 random(5);
  for (int round = 0; round < 400; ++round) {
    const trace::Trace trace = made_trace(random, round % 2 == 0);
    const Nanoseconds from = random() % kLength, to = from + random() % (kLength - from);
    const Analysis found = analyse(trace, {from, to});
    Nanoseconds serial = 0, waiting = 0, host = 0, first = kAbsent, last = kAbsent;
    std::array<Nanoseconds, 3> busy{};
    std::array<Nanoseconds, 4> at_once{};
    Nanoseconds overlapped = 0;
    for (Nanoseconds at = from; at < to; ++at) {
      std::array<bool, 3> runs{};
      int running = 0;
      for (std::size_t i = 0; i < trace::span_count(trace); ++i) {
        const trace::Span span = trace::span_at(trace, i);
        host += covers(span.host_begin, span.host_end, at);
        if (!trace::device_work(span)) continue;
        waiting += covers(span.ready, span.start, at);
        if (!covers(span.start, span.end, at)) continue;
        ++serial;
        ++running;
        runs[static_cast<std::size_t>(std::find(kEngines3.begin(), kEngines3.end(), span.engine) - kEngines3.begin())] =
            true;
      }
      overlapped += running >= 2;
      for (std::size_t k = 0; k < 3; ++k) busy[k] += runs[k];
      ++at_once[static_cast<std::size_t>(runs[0] + runs[1] + runs[2])];
    }
    for (std::size_t i = 0; i < trace::span_count(trace); ++i) {
      const trace::Span span = trace::span_at(trace, i);
      if (!trace::device_work(span) || !known(span.end)) continue;
      const bool inside = span.start == span.end ? from <= span.start && span.start < to
                                                 : std::max(span.start, from) < std::min(span.end, to);
      if (!inside) continue;
      first = known(first) ? std::min(first, std::max(span.start, from)) : std::max(span.start, from);
      last = known(last) ? std::max(last, std::min(span.end, to)) : std::min(span.end, to);
    }
    ASSERT_EQ(found.serial_sum, serial);
    ASSERT_EQ(found.waiting, waiting);
    ASSERT_EQ(found.host_calls, host);
    ASSERT_EQ(found.makespan, elapsed(first, last));
    ASSERT_EQ(found.overlapped, overlapped);
    for (std::size_t k = 1; k < at_once.size(); ++k) ASSERT_EQ(found.busy_at_once[k], at_once[k]) << k;
    ASSERT_EQ(found.busy_at_once[0], known(found.makespan) ? found.makespan - at_once[1] - at_once[2] - at_once[3] : 0);
    for (std::size_t k = 0; k < 3; ++k) ASSERT_EQ(found.engines[k].busy, busy[k]);
  }
}

void expect_same(const Analysis& a, const Analysis& b) {
  EXPECT_EQ(a.makespan, b.makespan);
  EXPECT_EQ(a.serial_sum, b.serial_sum);
  EXPECT_EQ(a.overlapped, b.overlapped);
  EXPECT_EQ(a.waiting, b.waiting);
  EXPECT_EQ(a.host_calls, b.host_calls);
  EXPECT_EQ(a.speed_up, b.speed_up);
  ASSERT_EQ(a.engines.size(), b.engines.size());
  for (std::size_t i = 0; i < a.engines.size(); ++i) {
    EXPECT_EQ(a.engines[i].busy, b.engines[i].busy);
    EXPECT_EQ(a.engines[i].bytes, b.engines[i].bytes);
    EXPECT_EQ(a.engines[i].use, b.engines[i].use);
  }
}

TEST(Range, ARangeOfEverythingGivesTheFiguresOfTheWhole) {
  std::mt19937 random(6);
  for (int round = 0; round < 50; ++round) {
    trace::Trace trace = made_trace(random, round % 2 == 0);
    if (!trace.packed)
      for (trace::Span& span : trace.spans) span.end = known(span.end) ? span.end : span.start;
    if (trace.packed) {
      std::vector<trace::Span> spans;
      for (std::size_t i = 0; i < trace::span_count(trace); ++i) spans.push_back(trace::span_at(trace, i));
      for (trace::Span& span : spans) span.end = known(span.end) ? span.end : span.start;
      trace.packed = std::make_shared<const trace::PackedSpans>(std::move(spans));
    }
    expect_same(analyse(trace), analyse(trace, {-10, 1'000}));
  }
}

TEST(Range, OperationsAndBytesAreThoseThatLieInIt) {
  trace::Trace trace;
  for (OperationIndex i = 0; i < 3; ++i) {
    trace::Span span;
    span.operation = i;
    span.kind = OperationKind::h2d;
    span.engine = Engine::h2d;
    span.start = 100 * i;
    span.end = span.start + 100;
    span.bytes = 1'000;
    trace.spans.push_back(span);
  }
  const Analysis cut = analyse(trace, {50, 110});
  EXPECT_EQ(cut.engines[0].operations, 2u);
  EXPECT_EQ(cut.engines[0].bytes, 500u + 100u);
  EXPECT_EQ(cut.makespan, 60);
  EXPECT_EQ(analyse(trace, {100, 200}).engines[0].operations, 1u) << "those that only touch it are not in it";
  EXPECT_EQ(analyse(trace, {400, 500}).makespan, kAbsent);
}

TEST(Range, AnOperationLiesInItByItsExecutionElseByItsHostCall) {
  trace::Span span;
  span.host_begin = 10;
  span.host_end = 20;
  EXPECT_TRUE(meets(trace::Interval{15, 16}, span));
  EXPECT_FALSE(meets(trace::Interval{20, 30}, span));
  span.start = span.end = 40;
  EXPECT_FALSE(meets(trace::Interval{15, 16}, span));
  EXPECT_TRUE(meets(trace::Interval{40, 41}, span));
  EXPECT_FALSE(meets(trace::Interval{30, 40}, span)) << "a range does not hold its own end";
  trace::Trace trace;
  trace.spans = {span, span};
  trace.spans[1].end = 60;
  EXPECT_THAT(operations_in(trace, {{0, 100}, {41, 50}, {60, 70}}), ElementsAre(2, 1, 0));
}

TEST(Range, ItsEndsAreExact) {
  trace::Run run;
  trace::Span span;
  span.kind = OperationKind::h2d;
  span.engine = Engine::h2d;
  span.start = 10'000;
  span.end = 110'000;
  span.start_source = span.source = trace::Source::event;
  span.start_uncertainty = 400;
  span.uncertainty = 600;
  run.trace.spans = {span};
  const auto noise = [&](trace::Interval range) {
    return figure_noise(run, analyse(run.trace, range), range).makespan;
  };
  EXPECT_EQ(noise({0, 200'000}), 1'000);
  EXPECT_EQ(noise({20'000, 200'000}), 600);
  EXPECT_EQ(noise({0, 50'000}), 400);
  EXPECT_EQ(noise({20'000, 50'000}), 0);
}

}  // namespace
}  // namespace streamscope::analysis

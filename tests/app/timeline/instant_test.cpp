// What stands where at one instant, held against a search through all spans.
#include "app/timeline/instant.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <set>
#include <tuple>

#include "tests/engine/model/simulated.h"
#include "tests/support/timeline_run.h"

namespace streamscope::timeline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::size_t kAll = 1'000'000;

Nanoseconds end_of(const trace::Span& span) { return std::max(span.start, span.end); }

Nanoseconds entry_of(const trace::Trace& trace, const trace::Span& span) {
  Nanoseconds entry = span.host_begin;
  if (!known(entry) && span.launch != kNoOperation)
    for (std::size_t i = 0; i < trace::span_count(trace); ++i)
      if (trace::span_at(trace, i).operation == span.launch) entry = trace::span_at(trace, i).host_begin;
  if (!known(entry)) entry = span.ready;
  return known(entry) ? std::min(entry, span.start) : span.start;
}

// Indices of the spans that `take` takes, in the order of begin, end and index.
template <class Take>
std::vector<std::uint32_t> search(const trace::Trace& trace, Take take) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < trace::span_count(trace); ++i)
    if (const trace::Span span = trace::span_at(trace, i); known(span.start) && known(span.end) && take(span))
      out.push_back(i);
  std::stable_sort(out.begin(), out.end(), [&](std::uint32_t a, std::uint32_t b) {
    const trace::Span x = trace::span_at(trace, a), y = trace::span_at(trace, b);
    return std::tuple(x.start, end_of(x)) < std::tuple(y.start, end_of(y));
  });
  return out;
}

std::vector<std::uint32_t> indices(const std::vector<OperationStatus>& of) {
  std::vector<std::uint32_t> out;
  for (const OperationStatus& each : of) out.push_back(each.index);
  return out;
}

void expect_as_by_search(const trace::Trace& trace, const InstantIndex& index, Nanoseconds t) {
  const Instant now = instant(trace, index, t, kAll), few = instant(trace, index, t, 3);
  std::set<std::uint32_t> streams;
  for (std::size_t i = 0; i < trace::span_count(trace); ++i)
    if (const trace::Span span = trace::span_at(trace, i);
        span.stream != trace::Span::kNoStream && known(span.start) && known(span.end))
      streams.insert(span.stream);
  ASSERT_EQ(now.streams.size(), streams.size());
  for (std::size_t s = 0; s < now.streams.size(); ++s) {
    const StreamNow& stream = now.streams[s];
    auto queue = search(trace, [&](const trace::Span& span) {
      return span.stream == stream.stream && span.start <= t && t < end_of(span);
    });
    ASSERT_EQ(stream.running, queue.size()) << "stream " << stream.stream << " at " << t;
    const auto waiting = search(trace, [&](const trace::Span& span) {
      return span.stream == stream.stream && entry_of(trace, span) <= t && t < span.start;
    });
    ASSERT_EQ(stream.waiting, waiting.size()) << "stream " << stream.stream << " at " << t;
    queue.insert(queue.end(), waiting.begin(), waiting.end());
    ASSERT_EQ(indices(stream.queue), queue) << "stream " << stream.stream << " at " << t;
    // Fewer are listed than there are, and of those that wait always the first.
    const StreamNow& short_one = few.streams[s];
    ASSERT_EQ(short_one.running, stream.running);
    ASSERT_EQ(short_one.waiting, stream.waiting);
    const std::size_t running = std::min<std::size_t>(3, stream.running);
    std::vector<std::uint32_t> wanted(queue.begin(), queue.begin() + static_cast<std::ptrdiff_t>(running));
    const std::size_t rest = std::min<std::size_t>(running < 3 ? 3 - running : 1, waiting.size());
    wanted.insert(wanted.end(), waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(rest));
    ASSERT_EQ(indices(short_one.queue), wanted);
  }
  for (const EngineNow& engine : now.engines) {
    const auto running = search(trace, [&](const trace::Span& span) {
      return trace::queue_of(span) == engine.engine && span.start <= t && t < end_of(span);
    });
    ASSERT_EQ(indices(engine.running), running);
    ASSERT_EQ(engine.count, running.size());
    const auto later = search(
        trace, [&](const trace::Span& span) { return trace::queue_of(span) == engine.engine && t < span.start; });
    ASSERT_EQ(engine.next.has_value(), !later.empty());
    if (engine.next) {
      ASSERT_EQ(engine.next->index, later.front());
    }
  }
  for (const HostNow& host : now.threads) {
    Nanoseconds innermost = kAbsent, next = kAbsent;
    for (std::size_t i = 0; i < trace::span_count(trace); ++i) {
      const trace::Span span = trace::span_at(trace, i);
      if (span.thread != host.thread || !trace::has_own_call(span)) continue;
      if (span.host_begin <= t && t < span.host_end) innermost = std::max(innermost, span.host_begin);
      if (span.host_begin > t && (!known(next) || span.host_begin < next)) next = span.host_begin;
    }
    ASSERT_EQ(host.call.has_value(), known(innermost)) << t;
    if (host.call) {
      ASSERT_EQ(host.call->since, innermost);
    }
    ASSERT_EQ(host.next.has_value(), known(next));
    if (host.next) {
      ASSERT_EQ(host.next->left, next - t);
    }
  }
}

std::set<Nanoseconds> events(const trace::Trace& trace) {
  std::set<Nanoseconds> all;
  for (std::size_t i = 0; i < trace::span_count(trace); ++i) {
    const trace::Span span = trace::span_at(trace, i);
    if (trace::has_own_call(span)) {
      all.insert(span.host_begin);
      all.insert(std::max(span.host_begin, span.host_end));
    }
    const bool device = span.engine != Engine::none && span.engine != Engine::host;
    if (!known(span.start) || !known(span.end) || (span.stream == trace::Span::kNoStream && !device)) continue;
    all.insert(span.start);
    all.insert(end_of(span));
  }
  return all;
}

void expect_steps_through_all_events(const trace::Trace& trace, const InstantIndex& index) {
  const std::set<Nanoseconds> all = events(trace);
  Nanoseconds at = -1'000'000;
  for (const Nanoseconds wanted : all) ASSERT_EQ(at = event_after(trace, index, at), wanted);
  ASSERT_EQ(event_after(trace, index, at), kAbsent);
  at = 1'000'000'000'000;
  for (auto wanted = all.rbegin(); wanted != all.rend(); ++wanted)
    ASSERT_EQ(at = event_before(trace, index, at), *wanted);
  ASSERT_EQ(event_before(trace, index, at), kAbsent);
}

trace::Trace random_trace(std::mt19937_64& random) {
  const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<std::uint64_t>(limit)); };
  trace::Trace trace;
  const int streams = 1 + below(4), count = below(400), orderly = below(2);
  std::vector<Nanoseconds> free(static_cast<std::size_t>(streams), 0);
  for (int i = 0; i < count; ++i) {
    trace::Span span;
    span.operation = static_cast<OperationIndex>(i);
    span.stream = below(8) == 0 ? trace::Span::kNoStream : static_cast<std::uint32_t>(below(streams));
    span.engine = static_cast<Engine>(below(5));
    span.thread = static_cast<std::uint32_t>(below(2));
    span.host_begin = i * 3 + (orderly != 0 ? 0 : below(40));
    span.host_end = span.host_begin + below(orderly != 0 ? 3 : 9) - (orderly != 0 ? 0 : 1);
    span.ready = span.host_begin + below(30);
    span.start = span.ready + (below(3) == 0 ? 0 : below(60));
    if (orderly != 0 && span.stream != trace::Span::kNoStream) {
      Nanoseconds& last = free[span.stream];
      span.start = std::max(span.start, last);
      last = span.end = span.start + (below(4) == 0 ? 0 : below(20));
    } else {
      span.end = span.start + below(25) - (below(6) == 0 ? 10 : 0);
    }
    if (below(9) == 0) span.host_begin = span.host_end = kAbsent;
    if (below(9) == 0) span.ready = kAbsent;
    if (below(20) == 0) span.start = kAbsent;
    if (below(20) == 0) span.end = kAbsent;
    if (i > 0 && below(9) == 0) span.launch = static_cast<OperationIndex>(below(i));
    trace.spans.push_back(span);
  }
  if (below(2) == 0) trace.packed = std::make_shared<trace::PackedSpans>(std::exchange(trace.spans, {}));
  return trace;
}

TEST(Instant, OfRandomTracesIsWhatASearchFinds) {
  std::mt19937_64 random(20261122);
  for (int round = 0; round < 60; ++round) {
    const trace::Trace trace = random_trace(random);
    const InstantIndex index(trace);
    for (int i = 0; i < 30; ++i) {
      expect_as_by_search(trace, index, static_cast<Nanoseconds>(random() % 1500) - 20);
      if (HasFatalFailure()) return;
    }
    expect_steps_through_all_events(trace, index);
    if (HasFatalFailure()) return;
  }
}

TEST(Instant, OfALongQueueIsListedInPartAndCountedInFull) {
  trace::Trace trace;
  for (int i = 0; i < 5000; ++i) {
    trace::Span span;
    span.operation = static_cast<OperationIndex>(i);
    span.stream = 2;
    span.engine = Engine::compute;
    // Every third was issued late: the order by entry is one of its own.
    span.host_begin = i % 3 == 0 ? 900'000 + i : i;
    span.host_end = span.host_begin + 1;
    span.ready = span.start = 1'000'000 + i * 10;
    span.end = span.start + 10;
    trace.spans.push_back(span);
  }
  const InstantIndex index(trace);
  const Instant now = instant(trace, index, 100'000, 4);
  EXPECT_EQ(now.streams[0].running, 0u);
  EXPECT_EQ(now.streams[0].waiting, 3333u);
  EXPECT_THAT(indices(now.streams[0].queue), ElementsAre(1, 2, 4, 5));
  EXPECT_EQ(now.engines[0].next->state, OperationState::unissued) << "operation 0 goes first, and was not issued yet";
}

trace::Trace model_run(std::string_view text) {
  model::Simulated run = model::simulate(text);
  trace::Trace trace;
  trace.spans = std::move(run.spans);
  return trace;
}

TEST(Instant, OfModelledProgramsIsWhatASearchFinds) {
  for (const char* text :
       {"streams S 3\nbuffer a 4MiB\nbuffer b 4MiB\nrepeat 6 {\nS0: h2d a\nS0: axpb a fma=64\nS1: h2d b\n"
        "S1: d2h b\nS2: axpb b fma=2000\n}\nhost: sync device\n",
        "stream A nonblocking\nstream B nonblocking\nbuffer x 16MiB\nrepeat 4 {\nA: h2d x\nA: record full\n"
        "B: wait full\nB: axpb x fma=256\nB: record empty\nA: wait empty\n}\nhost: sync device\n"}) {
    const trace::Trace trace = model_run(text);
    const InstantIndex index(trace);
    expect_steps_through_all_events(trace, index);
    for (const Nanoseconds at : events(trace))
      for (const Nanoseconds t : {at - 1, at, at + 1}) {
        expect_as_by_search(trace, index, t);
        if (HasFatalFailure()) return;
      }
  }
}

// What the model knows of an operation's reasons, listed while it waits and not before or after.
TEST(Instant, OfAModelledProgramTellsWhatWaitsForWhat) {
  const trace::Trace trace = model_run(
      "stream A nonblocking\nstream B nonblocking\nbuffer x 16MiB\nbuffer y 16MiB\nA: h2d x\nA: record full\n"
      "B: h2d y\nB: wait full\nB: axpb x fma=64\nhost: sync device\n");
  const InstantIndex index(trace);
  const auto wait_at = [&](Nanoseconds t, OperationIndex of) -> std::optional<Wait> {
    for (const Wait& each : instant(trace, index, t).waits)
      if (each.operation == of) return each;
    return std::nullopt;
  };
  const trace::Span &first = trace.spans[0], &second = trace.spans[2], &sync = trace.spans.back();
  ASSERT_EQ(second.reason, trace::WaitReason::engine);
  const Nanoseconds middle = (second.ready + second.start) / 2;
  ASSERT_LT(second.ready, middle);
  const auto engine = wait_at(middle, second.operation);
  ASSERT_TRUE(engine);
  EXPECT_EQ(engine->reason, trace::WaitReason::engine);
  EXPECT_EQ(engine->on, first.operation);
  EXPECT_EQ(engine->since, second.ready);
  EXPECT_FALSE(wait_at(second.start, second.operation)) << "it runs";
  // Behind it in its stream, while it runs: the wait for the event, which has come already.
  const auto behind = wait_at(second.start + 1, 3);
  ASSERT_TRUE(behind);
  EXPECT_EQ(behind->reason, trace::WaitReason::stream);
  EXPECT_EQ(behind->on, second.operation);
  const auto host = wait_at(second.start, sync.operation);
  ASSERT_TRUE(host);
  EXPECT_EQ(host->reason, trace::WaitReason::host);
  EXPECT_EQ(host->on, sync.waits_for);
  const Instant after = instant(trace, index, sync.host_end);
  EXPECT_THAT(after.waits, IsEmpty());
  EXPECT_FALSE(after.threads[0].call);
}

TEST(Instant, SaysHowFarWhatRunsIs) {
  const trace::Trace trace = testing::pipeline_run({}).trace;
  const InstantIndex index(trace);
  const trace::Span& copy = trace.spans[0];
  const Instant now = instant(trace, index, copy.start + (copy.end - copy.start) / 4);
  ASSERT_EQ(now.engines[0].running.size(), 1u);
  EXPECT_EQ(now.engines[0].running[0].operation, 0u);
  EXPECT_NEAR(now.engines[0].running[0].done, 0.25, 1e-4);
  EXPECT_EQ(now.engines[0].running[0].left, copy.end - now.time);
  ASSERT_TRUE(now.engines[0].next);
  EXPECT_EQ(now.engines[0].next->operation, 3u);
  EXPECT_EQ(now.engines[0].next->state, OperationState::ready);
  ASSERT_GT(now.streams[0].queue.size(), 1u);
  EXPECT_EQ(now.streams[0].queue[0].state, OperationState::running);
  EXPECT_EQ(now.streams[0].queue[1].state, OperationState::held);
}

TEST(Instant, OfATraceWithoutHostCallsSaysNothingOfQueues) {
  trace::Trace trace = testing::pipeline_run({}).trace;
  for (trace::Span& span : trace.spans) span.host_begin = span.host_end = span.ready = kAbsent;
  const InstantIndex index(trace);
  const Instant now = instant(trace, index, trace.spans[0].start);
  EXPECT_TRUE(now.threads.empty());
  for (const StreamNow& stream : now.streams) EXPECT_EQ(stream.waiting, 0u);
  EXPECT_EQ(now.streams[0].running, 1u);
  ASSERT_TRUE(now.engines[0].next);
  EXPECT_EQ(now.engines[0].next->state, OperationState::unknown);
  EXPECT_THAT(now.waits, IsEmpty());
}

}  // namespace
}  // namespace streamscope::timeline

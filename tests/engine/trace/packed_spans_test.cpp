#include "engine/trace/packed_spans.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace streamscope::trace {
namespace {

using Random = std::mt19937_64;

std::shared_ptr<const PackedSpans> packed(const std::vector<Span>& spans) {
  SpanPacker packer;
  for (const Span& span : spans) packer.add(span);
  return std::move(packer).finish();
}

void expect_same(const std::vector<Span>& spans) {
  const auto found = packed(spans);
  ASSERT_EQ(found->size(), spans.size());
  for (std::size_t i = 0; i < spans.size(); ++i) ASSERT_TRUE((*found)[i] == spans[i]) << "span " << i;
  const PackedSpans at_once(spans);
  ASSERT_EQ(at_once.size(), spans.size());
  for (std::size_t i = 0; i < spans.size(); ++i) ASSERT_TRUE(at_once[i] == spans[i]) << "span " << i;
}

// A number of so many bits, with the ends of its range among them.
std::uint64_t number(Random& random, int bits) {
  const std::uint64_t most = bits == 64 ? ~0ull : (1ull << bits) - 1;
  switch (random() % 8) {
    case 0: return 0;
    case 1: return most;
    case 2: return most - 1;
    default: return random() & most;
  }
}

// kAbsent, times near to it and to the other end, and some between.
Nanoseconds moment(Random& random, int bits) {
  switch (random() % 16) {
    case 0: return kAbsent;
    case 1: return kAbsent + 1;
    case 2: return std::numeric_limits<Nanoseconds>::max();
    case 3: return -static_cast<Nanoseconds>(number(random, std::min(bits, 62)));
    default: return static_cast<Nanoseconds>(number(random, std::min(bits, 62)));
  }
}

// Fields that vary are chosen for each block, the rest stays as it is: so columns of all widths meet.
std::vector<Span> any_spans(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  std::vector<Span> spans(count);
  std::uint64_t varies = 0;
  int bits = 1;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 4096 == 0) {
      varies = random();
      bits = 1 << random() % 7;
    }
    Span& span = spans[i];
    const int half = std::min(bits, 32);
    std::uint64_t field = 1;
    const auto one = [&](auto& member, auto value) {
      if (varies & field) member = static_cast<std::remove_reference_t<decltype(member)>>(value);
      field <<= 1;
    };
    if (varies >> 63) span.operation = static_cast<OperationIndex>(i);
    one(span.operation, number(random, half));
    one(span.line, number(random, half));
    one(span.name, number(random, half));
    one(span.stream, number(random, half));
    one(span.kind, random() % kOperationKinds);
    one(span.engine, random() % kEngines);
    one(span.ready_source, random() % 7);
    one(span.start_source, random() % 7);
    one(span.source, random() % 7);
    one(span.reason, random() % 10);
    one(span.blocking, random() % 2);
    one(span.waits_for, random() % 3 ? kNoOperation : number(random, half));
    one(span.launch, random() % 3 ? kNoOperation : number(random, half));
    one(span.thread, number(random, half));
    one(span.bytes, number(random, bits));
    one(span.host_begin, moment(random, bits));
    one(span.host_end, moment(random, bits));
    one(span.ready, moment(random, bits));
    one(span.start, moment(random, bits));
    one(span.end, moment(random, bits));
    one(span.ready_uncertainty, number(random, half));
    one(span.start_uncertainty, number(random, half));
    one(span.uncertainty, number(random, half));
    one(span.samples, number(random, half));
    one(span.spread, number(random, half));
    one(span.polls, number(random, half));
  }
  return spans;
}

TEST(PackedSpans, GiveBackWhatTheyWereGiven) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) expect_same(any_spans(seed, 1 + seed * 331 % 9000));
}

TEST(PackedSpans, EndsOfBlocks) {
  for (const std::size_t count : {0u, 1u, 4095u, 4096u, 4097u, 8192u}) expect_same(any_spans(7, count));
}

TEST(PackedSpans, ADurationThatWrapsAroundToAbsentIsKept) {
  Span span;
  span.start = -(1ll << 62);
  span.end = 1ll << 62;
  ASSERT_EQ(static_cast<std::int64_t>(static_cast<std::uint64_t>(span.end) - static_cast<std::uint64_t>(span.start)),
            kAbsent);
  Span reversed = span;
  std::swap(reversed.start, reversed.end);
  expect_same({span, reversed, Span{}});
}

// Spans as from a profiler: host ranges, and kernels with the call that launched them.
std::vector<Span> profile(std::size_t count) {
  Random random(3);
  std::vector<Span> spans;
  Nanoseconds now = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Span span;
    span.operation = static_cast<OperationIndex>(i);
    span.name = static_cast<std::uint32_t>(random() % 400);
    span.thread = static_cast<std::uint32_t>(random() % 8);
    span.host_begin = now += static_cast<Nanoseconds>(random() % 20'000);
    span.host_end = span.host_begin + static_cast<Nanoseconds>(random() % 100'000);
    if (i % 2 == 0) {
      span.kind = OperationKind::kernel;
      span.engine = Engine::compute;
      span.stream = static_cast<std::uint32_t>(random() % 4);
      span.start = span.host_end + static_cast<Nanoseconds>(random() % 1'000'000);
      span.end = span.start + static_cast<Nanoseconds>(random() % 1'000'000);
      span.source = span.start_source = Source::cupti;
    }
    spans.push_back(span);
  }
  return spans;
}

TEST(PackedSpans, TakeFewBytes) {
  const auto few = [](const std::vector<Span>& spans) {
    return static_cast<double>(packed(spans)->bytes()) / static_cast<double>(spans.size());
  };
  const double typical = few(profile(100'000)), worst = few(any_spans(5, 4096));
  EXPECT_LT(typical, 25) << "bytes a span";
  EXPECT_GT(typical, 10);
  EXPECT_LT(worst, 152) << "no more than plain ones";
  RecordProperty("bytes_a_span", std::to_string(typical));
  // Of spans that differ in nothing but their number, next to none.
  std::vector<Span> alike(50'000);
  for (std::size_t i = 0; i < alike.size(); ++i) alike[i].operation = static_cast<OperationIndex>(i);
  EXPECT_LT(few(alike), 0.2);
}

TEST(PackedSpans, AreFoundByTheirOperation) {
  Trace trace;
  std::vector<Span> spans = profile(10'000);
  for (Span& span : spans) span.operation *= 3;
  trace.packed = packed(spans);
  EXPECT_EQ(find_index(trace, 3 * 7777), 7777u);
  EXPECT_EQ(find_index(trace, 3 * 7777 + 1), std::nullopt);
  EXPECT_TRUE(find_span(trace, 27) == spans[9]);
}

}  // namespace
}  // namespace streamscope::trace

#include "app/reading/operations.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <random>

#include "app/reading/figures.h"
#include "app/reading/histogram.h"
#include "engine/analysis/analysis.h"
#include "engine/base/quantity.h"
#include "engine/trace/packed_spans.h"
#include "tests/support/timeline_run.h"
#include "tests/support/two_devices.h"

namespace streamscope::reading {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<std::uint32_t> list(const Rows& rows) {
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < rows.size(); ++i) out.push_back(rows[i]);
  return out;
}

trace::Trace random_trace(std::mt19937& random, std::size_t count, Nanoseconds longest) {
  trace::Trace trace;
  trace.names = {"b", "a", "c"};
  trace.streams = {{"default"}, {"per-thread"}, {"S1"}, {"S0"}};
  trace.threads = {"main"};
  std::uniform_int_distribution<Nanoseconds> time(0, longest);
  for (std::size_t i = 0; i < count; ++i) {
    trace::Span span;
    span.operation = static_cast<OperationIndex>(i);
    span.line = random() % 5;
    span.name = random() % 3;
    span.stream = random() % 5 == 0 ? trace::Span::kNoStream : random() % 4;
    span.kind = static_cast<OperationKind>(random() % kOperationKinds);
    span.engine = static_cast<Engine>(random() % kEngines);
    span.reason = static_cast<trace::WaitReason>(random() % 10);
    span.bytes = random() % 3 * 1'000'000;
    span.host_begin = time(random);
    span.host_end = span.host_begin + time(random) % 7;
    span.ready = time(random);
    span.start = random() % 4 == 0 ? kAbsent : span.ready + time(random) % 5;
    span.end = random() % 4 == 0 || !known(span.start) ? kAbsent : span.start + time(random) % 9;
    trace.spans.push_back(span);
  }
  return trace;
}

// What a column is sorted by, said once more and plainly; nothing where it is not known.
std::optional<std::string> text_key(const trace::Trace& trace, const trace::Span& span, Column column) {
  const std::string text = cell(trace, span, column);
  return text.empty() ? std::nullopt : std::optional(text);
}
std::optional<double> number_key(const trace::Span& span, Column column) {
  const auto time = [](Nanoseconds value) {
    return known(value) ? std::optional(static_cast<double>(value)) : std::nullopt;
  };
  switch (column) {
    case Column::operation: return span.operation;
    case Column::line: return span.line == 0 ? std::nullopt : std::optional<double>(span.line);
    case Column::host_call: return time(host_call_of(span));
    case Column::start: return time(start_of(span));
    case Column::duration: return time(duration_of(span));
    case Column::waiting: return time(waiting_of(span));
    case Column::bytes: return span.bytes == 0 ? std::nullopt : std::optional<double>(static_cast<double>(span.bytes));
    case Column::rate: return rate_of(span) > 0 ? std::optional(rate_of(span)) : std::nullopt;
    default: return std::nullopt;
  }
}

template <class Key>
void stable_by(std::vector<std::uint32_t>& rows, bool descending, Key key) {
  std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
    const auto x = key(a), y = key(b);
    if (!x || !y) return x.has_value() && !y.has_value();
    return descending ? *y < *x : *x < *y;
  });
}

class Sorted : public ::testing::TestWithParam<Nanoseconds> {};  // times up to this
TEST_P(Sorted, ByAnyColumnBothWaysIsAStableSort) {
  std::mt19937 random(3);
  const trace::Trace trace = random_trace(random, 200, GetParam());
  std::vector<std::uint32_t> some;
  for (std::uint32_t i = 0; i < 200; ++i)
    if (random() % 3 != 0) some.push_back(i);
  for (std::size_t i = 0; i < kColumns; ++i) {
    for (const bool descending : {false, true}) {
      const auto column = static_cast<Column>(i);
      std::vector<std::uint32_t> expected = some;
      if (is_number(column))
        stable_by(expected, descending, [&](std::uint32_t row) { return number_key(trace.spans[row], column); });
      else
        stable_by(expected, descending, [&](std::uint32_t row) { return text_key(trace, trace.spans[row], column); });
      ASSERT_EQ(list(sorted(trace, Rows(some), {column, descending})), expected) << heading(column) << descending;
    }
  }
}
// The second: the times leave no room for the row beside them in one number.
INSTANTIATE_TEST_SUITE_P(Times, Sorted, ::testing::Values(50, Nanoseconds{1} << 62));

TEST(Sorted, WithNothingKnownTheOrderStays) {
  trace::Trace trace;
  trace.spans.resize(4);
  EXPECT_THAT(list(sorted(trace, Rows::all(4), {Column::duration, true})), ElementsAre(0, 1, 2, 3));
}

TEST(Rows, AllOfThemNeedNoList) {
  const Rows rows = Rows::all(5);
  EXPECT_THAT(list(rows), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(rows.find(4), 4u);
  EXPECT_EQ(rows.find(5), std::nullopt);
  const Rows some(std::vector<std::uint32_t>{7, 3});
  EXPECT_EQ(some.find(3), 1u);
  EXPECT_EQ(some.find(4), std::nullopt);
  EXPECT_EQ(Rows(std::vector<std::uint32_t>{}).size(), 0u);
  EXPECT_EQ(Rows(std::vector<std::uint32_t>{}).find(0), std::nullopt);
}

TEST(FindOperations, AreSummedWithoutWhatOnlyWaits) {
  trace::Trace trace;
  for (const OperationKind kind : {OperationKind::kernel, OperationKind::sync}) {
    trace::Span span;
    span.operation = static_cast<OperationIndex>(trace.spans.size());
    span.kind = kind;
    span.start = 100;
    span.end = 400;
    trace.spans.push_back(span);
  }
  EXPECT_EQ(find_operations(trace, *parse_query(""), std::nullopt).total, 300);
  EXPECT_EQ(find_operations(trace, *parse_query("kind:sync"), std::nullopt).total, kAbsent);
}

TEST(FindOperations, AreThoseOfTheQueryInTheRange) {
  std::mt19937 random(4);
  for (int round = 0; round < 30; ++round) {
    trace::Trace trace = random_trace(random, 100, 60);
    const Query query = *parse_query("S0 -kind:wait,record dur>=2ns");
    const trace::Interval range{10, 10 + static_cast<Nanoseconds>(random() % 40)};
    const Matcher meant(trace, query);
    std::vector<std::uint32_t> expected;
    Nanoseconds total = kAbsent;
    std::vector<bool> lit(100);
    for (std::uint32_t i = 0; i < 100; ++i) {
      lit[i] = meant(trace.spans[i]);
      if (!lit[i] || !analysis::meets(range, trace.spans[i])) continue;
      expected.push_back(i);
      if (!known(trace.spans[i].end) || only_waits(trace.spans[i].kind)) continue;
      total = (known(total) ? total : 0) + trace.spans[i].end - trace.spans[i].start;
    }
    if (round % 2 == 1) trace.packed = std::make_shared<const trace::PackedSpans>(std::exchange(trace.spans, {}));
    const Matches found = find_operations(trace, query, range);
    ASSERT_EQ(list(found.rows), expected);
    ASSERT_EQ(found.total, total);
    ASSERT_EQ(*found.meant, lit);
  }
}

TEST(FindOperations, WithoutAQueryAllAreMeantAndNoneIsListed) {
  const trace::Run run = testing::pipeline_run({.streams = 1, .chunks = 2});
  const Matches found = find_operations(run.trace, {}, std::nullopt);
  EXPECT_EQ(found.rows.size(), run.trace.spans.size());
  EXPECT_EQ(found.meant, nullptr);
  EXPECT_EQ(find_operations(run.trace, {}, trace::Interval{0, 1}).meant, nullptr);
}

TEST(Csv, HasUnitsInItsHeaderNumbersUnroundedAndQuotesWhereNeeded) {
  trace::Run run = testing::pipeline_run({.streams = 1, .chunks = 1});
  run.trace.names[1] = "k<int, \"x\">";
  run.trace.spans[2].end = kAbsent;
  const std::string csv = to_csv(run.trace, Rows::all(4), 100);
  EXPECT_EQ(csv,
            "operation,line,name,kind,stream,engine,host_call_ns,start_ns,duration_ns,waiting_ns,bytes,"
            "rate_bytes_per_s,reason\n"
            "0,1,H2D,h2d,S0,h2d,2000,6000,302000,0,16777216,55553695364,\n"
            "1,2,\"k<int, \"\"x\"\">\",kernel,S0,compute,2000,308000,290000,0,,,\n"
            "2,3,D2H,d2h,S0,d2h,2000,598000,,0,16777216,,\n"
            "3,4,sync,sync,,host,898500,7500,898500,,,,\n");
}

TEST(Csv, IsOfTheRowsShownInTheirOrderAndNoMoreThanAskedFor) {
  const trace::Run run = testing::pipeline_run({.streams = 1, .chunks = 4});
  const Rows rows(std::vector<std::uint32_t>{5, 2, 7});
  const std::string csv = to_csv(run.trace, rows, 2);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3);
  EXPECT_THAT(csv.substr(csv.find('\n') + 1), StartsWith("5,6,D2H"));
  EXPECT_THAT(csv, HasSubstr("\n2,3,D2H"));
}

TEST(Cells, SayTheDeviceOfARunOnSeveralAndAreSortedByIt) {
  const trace::Run one = testing::pipeline_run({}), two = testing::run_on_two_devices();
  EXPECT_EQ(cell(one.trace, one.trace.spans[0], Column::device), "");
  EXPECT_EQ(cell(two.trace, two.trace.spans[0], Column::device), "GPU 0");
  EXPECT_EQ(cell(two.trace, two.trace.spans.back(), Column::device), "");  // of the host
  const Rows all = sorted(two.trace, Rows::all(two.trace.spans.size()), {Column::device, true});
  EXPECT_EQ(cell(two.trace, two.trace.spans[all[0]], Column::device), "GPU 1");
  const std::string csv = to_csv(two.trace, all, 1);
  EXPECT_THAT(csv, HasSubstr(",stream,device,engine,"));
  EXPECT_THAT(csv, HasSubstr(",S2,1,"));
}

TEST(Cells, HaveAUnitOrAreEmpty) {
  const trace::Run run = testing::pipeline_run({.streams = 1, .chunks = 2});
  const trace::Span& second = run.trace.spans[3];
  EXPECT_EQ(cell(run.trace, second, Column::duration), "302 us");
  EXPECT_EQ(cell(run.trace, second, Column::bytes), "16 MiB");
  EXPECT_EQ(cell(run.trace, second, Column::rate), "55.55 GB/s");
  EXPECT_EQ(cell(run.trace, run.trace.spans[1], Column::rate), "");
  EXPECT_EQ(cell(run.trace, run.trace.spans.back(), Column::stream), "");
}

TEST(Buckets, AreA125SeriesWithoutGaps) {
  EXPECT_EQ(bucket_of(0), 0u);
  EXPECT_EQ(bucket_of(1), 1u);
  EXPECT_EQ(bucket_from(bucket_of(9'999)), 5'000);
  EXPECT_EQ(bucket_from(bucket_of(10'000)), 10'000);
  EXPECT_EQ(bucket_to(bucket_of(10'000)), 20'000);
  for (std::size_t i = 0; i < kBuckets; ++i) {
    ASSERT_EQ(bucket_of(bucket_from(i)), i);
    if (i + 1 < kBuckets) {
      ASSERT_EQ(bucket_of(bucket_to(i)), i + 1);
      ASSERT_EQ(bucket_of(bucket_to(i) - 1), i);
    }
  }
  EXPECT_EQ(bucket_of(std::numeric_limits<Nanoseconds>::max()), kBuckets - 1);
}

TEST(Histogram, FiguresAreThoseOfTheSortedDurations) {
  std::mt19937 random(8);
  for (int round = 0; round < 20; ++round) {
    const trace::Trace trace = random_trace(random, 300, 4'000);
    std::vector<std::uint32_t> some;
    for (std::uint32_t i = 0; i < 300; ++i)
      if (random() % 4 != 0) some.push_back(i);
    std::map<OperationKind, std::vector<Nanoseconds>> times;
    std::map<OperationKind, std::uint64_t> unknown;
    for (const std::uint32_t i : some) {
      const trace::Span& span = trace.spans[i];
      if (known(span.start) && known(span.end))
        times[span.kind].push_back(span.end - span.start);
      else
        ++unknown[span.kind];
    }
    const Histogram found = histogram(trace, Rows(some));
    std::size_t seen = 0;
    for (const KindFigures& kind : found.kinds) {
      std::vector<Nanoseconds>& of = times[kind.kind];
      std::sort(of.begin(), of.end());
      seen += of.size() + kind.unknown;
      ASSERT_EQ(kind.count, of.size());
      ASSERT_EQ(kind.unknown, unknown[kind.kind]);
      ASSERT_EQ(kind.total, std::accumulate(of.begin(), of.end(), Nanoseconds{0}));
      if (of.empty()) continue;
      ASSERT_EQ(kind.median, of[(of.size() - 1) / 2]);
      ASSERT_EQ(kind.longest, of.back());
      // The shortest of which at least 95 % are no longer.
      const auto p95 = std::find_if(of.begin(), of.end(), [&](Nanoseconds time) {
        return 20 * (std::upper_bound(of.begin(), of.end(), time) - of.begin()) >=
               19 * static_cast<std::ptrdiff_t>(of.size());
      });
      ASSERT_EQ(kind.p95, *p95);
      for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
        const auto in = std::count_if(of.begin(), of.end(), [&](Nanoseconds t) {
          return bucket_from(bucket) <= t && (bucket + 1 == kBuckets || t < bucket_to(bucket));
        });
        ASSERT_EQ(kind.buckets[bucket], static_cast<std::uint64_t>(in));
      }
    }
    ASSERT_EQ(seen, some.size());
  }
}

TEST(Cells, AStartLateInARunHasTheDigitsThatTellItFromTheNext) {
  trace::Trace trace;
  trace::Span span;
  span.start = 1'347'123'400;
  const std::string first = cell(trace, span, Column::start);
  span.start += 40'000;
  EXPECT_NE(cell(trace, span, Column::start), first);
  EXPECT_EQ(first, "1.3471234 s");
  span.start = 12'340;
  EXPECT_EQ(cell(trace, span, Column::start), display_duration(12'340));
}

}  // namespace
}  // namespace streamscope::reading

#include "engine/analysis/serial.h"

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "engine/trace/packed_spans.h"

namespace streamscope::analysis {
namespace {

constexpr Nanoseconds kNever = std::numeric_limits<Nanoseconds>::max();

struct Shortest {
  Nanoseconds alone = kNever, of_all = kNever;
  std::size_t count = 0;
};
struct Execution {
  Nanoseconds start, end;
  Shortest* sort;
};

}  // namespace

Serial sum_of_isolated(const trace::Trace& trace) {
  std::map<trace::OperationClass, Shortest> sorts;
  std::vector<Execution> all;
  for (std::size_t i = 0; i < trace::span_count(trace); ++i) {
    const trace::Span span = trace::span_at(trace, i);
    if (!trace::device_work(span) || !known(span.start) || !known(span.end) || span.end < span.start) continue;
    trace::OperationClass sort = trace::class_of(span);
    // Beside others few copies of one line ever run alone. What a kernel does is not told by its name and bytes.
    if (span.kind != OperationKind::kernel && span.kind != OperationKind::hostfn) sort.line = 0;
    all.push_back({span.start, span.end, &sorts[sort]});
  }
  if (all.empty()) return {};
  std::sort(all.begin(), all.end(), [](const Execution& a, const Execution& b) { return a.start < b.start; });
  Nanoseconds until = kAbsent;  // when all that began before has ended
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Execution& each = all[i];
    Shortest& sort = *each.sort;
    const Nanoseconds took = each.end - each.start;
    const bool alone = each.start >= until && (i + 1 == all.size() || all[i + 1].start >= each.end);
    ++sort.count;
    sort.of_all = std::min(sort.of_all, took);
    if (alone) sort.alone = std::min(sort.alone, took);
    until = std::max(until, each.end);
  }
  Serial sum{.time = 0, .source = SerialSource::durations};
  for (const auto& [sort, shortest] : sorts) {
    const bool alone = shortest.alone != kNever;
    if (!alone) sum.never_alone += shortest.count;
    const Nanoseconds each = alone ? shortest.alone : shortest.of_all;
    Nanoseconds together = 0;
    if (__builtin_mul_overflow(each, static_cast<Nanoseconds>(shortest.count), &together)) together = kNever;
    add(sum.time, together);
  }
  return sum;
}

Serial serial_of(const trace::Run& run) {
  // Which of their kernels are alike other tools do not say.
  if (!run.serial && trace::of_another_tool(run.trace.provenance)) return {};
  if (!run.serial) return sum_of_isolated(run.trace);
  const bool model = run.trace.provenance.kind == trace::Provenance::Kind::model;
  return {.time = run.serial->median, .source = model ? SerialSource::simulated : SerialSource::measured};
}

}  // namespace streamscope::analysis

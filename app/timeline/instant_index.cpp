#include "app/timeline/instant_index.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace streamscope::timeline {
namespace {

constexpr std::size_t kFan = 16;
using Levels = std::vector<std::vector<Nanoseconds>>;

struct Entry {
  RowTimes times;
  std::uint32_t index;
};

std::optional<std::uint32_t> row_id(const trace::Span& span, RowKind kind) {
  switch (kind) {
    case RowKind::thread: return span.thread;
    case RowKind::stream: return span.stream == trace::Span::kNoStream ? std::nullopt : std::optional(span.stream);
    case RowKind::engine: break;
  }
  const bool device = span.engine == Engine::h2d || span.engine == Engine::d2h || span.engine == Engine::compute;
  return device ? std::optional(number(trace::queue_of(span))) : std::nullopt;
}

Levels levels_of(std::vector<Nanoseconds> values) {
  Levels levels;
  while (values.size() > 1) {
    std::vector<Nanoseconds> above((values.size() + kFan - 1) / kFan, kAbsent);
    for (std::size_t i = 0; i < values.size(); ++i) above[i / kFan] = std::max(above[i / kFan], values[i]);
    levels.push_back(above);
    values = std::move(above);
  }
  return levels;
}

// The entries are sorted by begin; an order that differs from theirs is made and kept.
template <class Key>
std::vector<std::uint32_t> order_by(const std::vector<Entry>& entries, Key key) {
  const auto before = [&](const Entry& a, const Entry& b) { return key(a) < key(b); };
  if (std::is_sorted(entries.begin(), entries.end(), before)) return {};
  std::vector<std::uint32_t> order(entries.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return key(entries[a]) < key(entries[b]); });
  for (std::uint32_t& each : order) each = entries[each].index;
  return order;
}

template <class Key>
std::vector<Nanoseconds> values_of(const std::vector<Entry>& entries, Key key) {
  std::vector<Nanoseconds> values;
  values.reserve(entries.size());
  for (const Entry& each : entries) values.push_back(key(each));
  return values;
}

InstantIndex::Row row_of(std::uint32_t id, std::vector<Entry> entries) {
  const auto before = [](const Entry& a, const Entry& b) {
    return std::tuple(a.times.begin, a.times.end, a.index) < std::tuple(b.times.begin, b.times.end, b.index);
  };
  if (!std::is_sorted(entries.begin(), entries.end(), before)) std::sort(entries.begin(), entries.end(), before);
  InstantIndex::Row row;
  row.id = id;
  row.by_begin.reserve(entries.size());
  for (const Entry& each : entries) row.by_begin.push_back(each.index);
  const auto end = [](const Entry& each) { return each.times.end; };
  const auto entry = [](const Entry& each) { return each.times.entry; };
  row.by_end = order_by(entries, end);
  row.by_entry = order_by(entries, entry);
  if (!row.by_end.empty()) row.latest_end = levels_of(values_of(entries, end));
  if (!row.by_entry.empty())
    row.first_entry = levels_of(values_of(entries, [&](const Entry& each) { return -entry(each); }));
  return row;
}

std::vector<InstantIndex::Row> rows(const trace::Trace& trace, RowKind kind) {
  std::map<std::uint32_t, std::vector<Entry>> by_id;
  std::vector<Entry>* last = nullptr;
  std::uint32_t last_id = 0;
  const auto count = static_cast<std::uint32_t>(trace::span_count(trace));
  for (std::uint32_t i = 0; i < count; ++i) {
    const trace::Span span = trace::span_at(trace, i);
    const auto id = row_id(span, kind);
    if (!id) continue;
    const auto times = row_times(trace, span, kind);
    if (!times) continue;
    if (last == nullptr || last_id != *id) last = &by_id[last_id = *id];
    last->push_back({*times, i});
  }
  std::vector<InstantIndex::Row> out;
  for (auto& [id, entries] : by_id) out.push_back(row_of(id, std::exchange(entries, {})));
  return out;
}

// How many of that order have their time at or before this one.
template <class Key>
std::size_t count_until(const trace::Trace& trace, const std::vector<std::uint32_t>& order, RowKind kind,
                        Nanoseconds time, Key key) {
  const auto at = std::partition_point(order.begin(), order.end(), [&](std::uint32_t index) {
    return key(*row_times(trace, trace::span_at(trace, index), kind)) <= time;
  });
  return static_cast<std::size_t>(at - order.begin());
}

// The positions in [from, to) whose value is at least so much, at most so many, in order.
template <class Value, class Take>
void find_at_least(const Levels& levels, std::size_t from, std::size_t to, Nanoseconds least, std::size_t most,
                   Value value, Take take) {
  for (std::size_t i = from; i < to && most > 0;) {
    // The largest aligned block that begins here and holds nothing is passed over.
    std::size_t skip = 0, size = kFan;
    for (std::size_t level = 0; level < levels.size() && i % size == 0; ++level, size *= kFan) {
      if (levels[level][i / size] >= least) break;
      skip = size;
    }
    if (skip > 0) {
      i += skip;
      continue;
    }
    if (value(i) >= least) {
      take(i);
      --most;
    }
    ++i;
  }
}

}  // namespace

Nanoseconds entry_time(const trace::Trace& trace, const trace::Span& span) {
  Nanoseconds entry = span.host_begin;
  if (!known(entry) && span.launch != kNoOperation) {  // a graph's nodes are issued with its launch
    const std::optional<trace::Span> launch = trace::find_span(trace, span.launch);
    if (launch) entry = launch->host_begin;
  }
  if (!known(entry)) entry = span.ready;
  return known(entry) && (!known(span.start) || entry < span.start) ? entry : span.start;
}

std::optional<RowTimes> row_times(const trace::Trace& trace, const trace::Span& span, RowKind kind) {
  if (kind == RowKind::thread) {
    if (!trace::has_own_call(span)) return std::nullopt;
    return RowTimes{span.host_begin, span.host_begin, std::max(span.host_begin, span.host_end)};
  }
  if (!known(span.start) || !known(span.end)) return std::nullopt;
  const Nanoseconds entry = kind == RowKind::stream ? entry_time(trace, span) : span.start;
  return RowTimes{entry, span.start, std::max(span.start, span.end)};
}

InstantIndex::InstantIndex(const trace::Trace& trace)
    : threads_(rows(trace, RowKind::thread)),
      streams_(rows(trace, RowKind::stream)),
      engines_(rows(trace, RowKind::engine)) {}

RowCounts row_counts(const trace::Trace& trace, const InstantIndex::Row& row, RowKind kind, Nanoseconds time) {
  const auto until = [&](const std::vector<std::uint32_t>& order, auto key) {
    return count_until(trace, order.empty() ? row.by_begin : order, kind, time, key);
  };
  RowCounts at;
  at.begun = until(row.by_begin, [](const RowTimes& times) { return times.begin; });
  at.running = at.begun - until(row.by_end, [](const RowTimes& times) { return times.end; });
  at.waiting = until(row.by_entry, [](const RowTimes& times) { return times.entry; }) - at.begun;
  return at;
}

void running_at(const trace::Trace& trace, const InstantIndex::Row& row, RowKind kind, Nanoseconds time,
                const RowCounts& at, std::size_t most, std::vector<std::uint32_t>& out) {
  if (row.by_end.empty()) {
    const std::size_t first = at.begun - at.running;
    for (std::size_t i = first; i < first + std::min(most, at.running); ++i) out.push_back(row.by_begin[i]);
    return;
  }
  find_at_least(
      row.latest_end, 0, at.begun, time + 1, std::min(most, at.running),
      [&](std::size_t i) { return row_times(trace, trace::span_at(trace, row.by_begin[i]), kind)->end; },
      [&](std::size_t i) { out.push_back(row.by_begin[i]); });
}

void waiting_at(const trace::Trace& trace, const InstantIndex::Row& row, RowKind kind, Nanoseconds time,
                const RowCounts& at, std::size_t most, std::vector<std::uint32_t>& out) {
  if (row.by_entry.empty()) {
    for (std::size_t i = at.begun; i < at.begun + std::min(most, at.waiting); ++i) out.push_back(row.by_begin[i]);
    return;
  }
  find_at_least(
      row.first_entry, at.begun, row.by_begin.size(), -time, std::min(most, at.waiting),
      [&](std::size_t i) { return -row_times(trace, trace::span_at(trace, row.by_begin[i]), kind)->entry; },
      [&](std::size_t i) { out.push_back(row.by_begin[i]); });
}

}  // namespace streamscope::timeline

#include "app/reading/operations.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <ranges>
#include <utility>

#include "app/reading/figures.h"
#include "engine/analysis/analysis.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::reading {
namespace {

// Their places in the alphabet; equal texts have the same.
template <class Texts>
std::vector<std::int64_t> ranks(const Texts& texts) {
  std::map<std::string_view, std::int64_t> order;
  for (const std::string_view each : texts) order.emplace(each, 0);
  std::int64_t next = 0;
  for (auto& [text, rank] : order) rank = next++;
  std::vector<std::int64_t> out;
  for (const std::string_view each : texts) out.push_back(order[each]);
  return out;
}

constexpr auto kMostBytes = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

// What a column is sorted by; kAbsent where there is nothing.
class Keys {
 public:
  Keys(const trace::Trace& trace, Column column) : trace_(trace), column_(column) {
    switch (column) {
      case Column::name: ranks_ = ranks(trace.names); break;
      case Column::kind: ranks_ = ranks(kNames<OperationKind>); break;
      case Column::engine: ranks_ = ranks(kNames<Engine>); break;
      case Column::reason: ranks_ = ranks(kNames<trace::WaitReason>); break;
      case Column::stream: ranks_ = ranks(std::views::transform(trace.streams, &trace::StreamInfo::name)); break;
      default: break;
    }
  }
  std::int64_t operator()(const trace::Span& span) const {
    switch (column_) {
      case Column::operation: return span.operation;
      case Column::line: return span.line == 0 ? kAbsent : span.line;
      case Column::name: return rank(span.name);
      case Column::kind: return rank(static_cast<std::size_t>(span.kind));
      case Column::stream: return rank(span.stream);
      case Column::device: {
        const std::optional<std::uint32_t> device = device_of(trace_, span);
        return device ? *device : kAbsent;
      }
      case Column::engine: return span.engine == Engine::none ? kAbsent : rank(static_cast<std::size_t>(span.engine));
      case Column::host_call: return host_call_of(span);
      case Column::start: return start_of(span);
      case Column::duration: return duration_of(span);
      case Column::waiting: return waiting_of(span);
      case Column::bytes:
        return span.bytes == 0 ? kAbsent : static_cast<std::int64_t>(std::min(span.bytes, kMostBytes));
      case Column::rate: {
        const double rate = rate_of(span);
        return rate > 0 ? std::llround(std::min(rate, 9e18)) : kAbsent;
      }
      case Column::reason:
        return span.reason == trace::WaitReason::none ? kAbsent : rank(static_cast<std::size_t>(span.reason));
    }
    return kAbsent;
  }

 private:
  std::int64_t rank(std::size_t index) const { return index < ranks_.size() ? ranks_[index] : kAbsent; }
  const trace::Trace& trace_;
  Column column_;
  std::vector<std::int64_t> ranks_;
};

}  // namespace

Rows Rows::all(std::size_t count) {
  Rows rows;
  rows.count_ = count;
  return rows;
}

std::optional<std::size_t> Rows::find(std::uint32_t place) const {
  if (listed_.empty()) return place < count_ ? std::optional<std::size_t>(place) : std::nullopt;
  const auto at = std::find(listed_.begin(), listed_.end(), place);
  if (at == listed_.end()) return std::nullopt;
  return static_cast<std::size_t>(at - listed_.begin());
}

Matches find_operations(const trace::Trace& trace, const Query& query, const std::optional<trace::Interval>& range) {
  const Matcher meant(trace, query);
  const std::size_t count = trace::span_count(trace);
  Matches out;
  std::vector<bool> those(meant.all() ? 0 : count);
  std::vector<std::uint32_t> listed;
  const bool whole = meant.all() && !range;
  for (std::size_t i = 0; i < count; ++i) {
    const trace::Span span = trace::span_at(trace, i);
    if (!meant.all()) {
      if (!meant(span)) continue;
      those[i] = true;
    }
    if (range && !analysis::meets(*range, span)) continue;
    if (!whole) listed.push_back(static_cast<std::uint32_t>(i));
    const Nanoseconds time = duration_of(span);
    if (!known(time) || only_waits(span.kind)) continue;
    if (!known(out.total)) out.total = 0;
    if (__builtin_add_overflow(out.total, time, &out.total)) out.total = std::numeric_limits<Nanoseconds>::max();
  }
  out.rows = whole ? Rows::all(count) : Rows(std::move(listed));
  if (!meant.all()) out.meant = std::make_shared<const std::vector<bool>>(std::move(those));
  return out;
}

Rows sorted(const trace::Trace& trace, const Rows& rows, TableSort by) {
  if (by == TableSort{}) return rows;
  const Keys key_of(trace, by.by);
  const std::size_t count = rows.size();
  std::vector<std::int64_t> keys(count);
  std::int64_t least = std::numeric_limits<std::int64_t>::max(), most = std::numeric_limits<std::int64_t>::min();
  for (std::size_t i = 0; i < count; ++i) {
    keys[i] = key_of(trace::span_at(trace, rows[i]));
    if (keys[i] == kAbsent) continue;
    least = std::min(least, keys[i]);
    most = std::max(most, keys[i]);
  }
  if (most < least) return rows;  // nothing is known
  // From the first in the wanted order; what is not known comes behind all.
  const std::uint64_t spread = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least);
  const auto distance = [&](std::int64_t key) {
    if (key == kAbsent) return spread + 1;
    return by.descending ? static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(key)
                         : static_cast<std::uint64_t>(key) - static_cast<std::uint64_t>(least);
  };
  std::vector<std::uint32_t> listed(count);
  const int row_bits = std::bit_width(count);
  if (spread < std::numeric_limits<std::uint64_t>::max() >> (row_bits + 1)) {
    // The row stands in the low bits: one number for each, no two alike, so that equal keys keep their order.
    std::vector<std::uint64_t> both(count);
    for (std::size_t i = 0; i < count; ++i) both[i] = distance(keys[i]) << row_bits | i;
    std::vector<std::int64_t>().swap(keys);
    std::sort(both.begin(), both.end());
    const std::uint64_t mask = (std::uint64_t{1} << row_bits) - 1;
    for (std::size_t i = 0; i < count; ++i) listed[i] = rows[both[i] & mask];
    return Rows(std::move(listed));
  }
  for (std::size_t i = 0; i < count; ++i) listed[i] = static_cast<std::uint32_t>(i);
  std::stable_sort(listed.begin(), listed.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (keys[a] == kAbsent || keys[b] == kAbsent) return keys[a] != kAbsent && keys[b] == kAbsent;
    return distance(keys[a]) < distance(keys[b]);
  });
  for (std::uint32_t& each : listed) each = rows[each];
  return Rows(std::move(listed));
}

}  // namespace streamscope::reading

#include "engine/trace/packed_spans.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include "engine/trace/description.h"

namespace streamscope::trace {
namespace {

// A member as a number, all of one type; kAbsent where its type's largest stands for "none".
template <class T>
std::int64_t number(T value) {
  if constexpr (std::is_same_v<T, std::uint32_t>) return value == 0xFFFFFFFFu ? kAbsent : std::int64_t{value};
  return static_cast<std::int64_t>(value);
}
template <class T>
void put(T& member, std::int64_t value) {
  member = static_cast<T>(value);
  if constexpr (std::is_same_v<T, std::uint32_t>)
    if (value == kAbsent) member = 0xFFFFFFFFu;
}

// Differences wrap around, so that any two times have one that can be undone.
std::int64_t plus(std::int64_t a, std::int64_t b) {
  return std::bit_cast<std::int64_t>(std::bit_cast<std::uint64_t>(a) + std::bit_cast<std::uint64_t>(b));
}
std::int64_t minus(std::int64_t a, std::int64_t b) {
  return std::bit_cast<std::int64_t>(std::bit_cast<std::uint64_t>(a) - std::bit_cast<std::uint64_t>(b));
}

std::uint8_t bytes_for(std::uint64_t most) {
  return most <= 0xFFu ? 1 : most <= 0xFFFFu ? 2 : most <= 0xFFFF'FFFFu ? 4 : 8;
}

template <class T>
void store(std::uint8_t* at, std::uint64_t value) {
  const T as = static_cast<T>(value);
  std::memcpy(at, &as, sizeof as);
}
void store(std::uint8_t* at, std::uint8_t width, std::uint64_t value) {
  switch (width) {
    case 1: store<std::uint8_t>(at, value); break;
    case 2: store<std::uint16_t>(at, value); break;
    case 4: store<std::uint32_t>(at, value); break;
    default: store<std::uint64_t>(at, value); break;
  }
}

// The least and the most of a member's values; both kAbsent where all are.
struct Range {
  std::int64_t least = std::numeric_limits<std::int64_t>::max(), most = kAbsent;
  bool some_absent = false;
};
// How a member's values are stored: less `least`, and one more where some are absent, which 0 then stands for.
struct Storing {
  std::int64_t least;
  bool some_absent;
  std::uint8_t width;
  std::size_t stride;
};

// A member of Span. What goes over many spans is a loop of its own for each member.
struct Column {
  Range (*range)(const std::vector<Span>&);
  void (*store)(const std::vector<Span>&, const Storing&, std::uint8_t* at);
  void (*set)(Span&, std::int64_t);
};

template <class Member>
Range range_of(const std::vector<Span>& spans) {
  Range range;
  for (const Span& span : spans) {
    const std::int64_t value = number(Member::of(span));
    range.some_absent |= value == kAbsent;
    if (value == kAbsent) continue;
    range.least = std::min(range.least, value);
    range.most = std::max(range.most, value);
  }
  return range;
}
template <class Member>
void store_all(const std::vector<Span>& spans, const Storing& how, std::uint8_t* at) {
  for (const Span& span : spans) {
    const std::int64_t value = number(Member::of(span));
    const std::uint64_t offset = std::bit_cast<std::uint64_t>(minus(value, how.least));
    store(at, how.width, !how.some_absent ? offset : value == kAbsent ? 0 : offset + 1);
    at += how.stride;
  }
}

template <class Member>
constexpr auto column_of(const Member&) {
  if constexpr (Member::kWhere == schema::Where::computed) {
    return std::tuple<>();
  } else {
    return std::tuple(Column{range_of<Member>, store_all<Member>,
                             [](Span& span, std::int64_t value) { put(Member::of(span), value); }});
  }
}
constexpr auto kColumns = std::apply(
    [](const auto&... member) {
      return std::apply([](auto... column) { return std::array{column...}; }, std::tuple_cat(column_of(member)...));
    },
    schema::Description<Span>::members);

// Whether the end of every span can be stored as a duration: none lacks its start, and no duration wraps around to the
// value that stands for "absent".
bool tells_durations(const std::vector<Span>& spans, Nanoseconds trace::Span::*start, Nanoseconds trace::Span::*end) {
  return std::all_of(spans.begin(), spans.end(), [=](const Span& span) {
    return !known(span.*end) || (known(span.*start) && known(minus(span.*end, span.*start)));
  });
}

void shorten(Span& span, Nanoseconds trace::Span::*start, Nanoseconds trace::Span::*end) {
  if (known(span.*end)) span.*end = minus(span.*end, span.*start);
}
void lengthen(Span& span, Nanoseconds trace::Span::*start, Nanoseconds trace::Span::*end) {
  if (known(span.*end)) span.*end = plus(span.*end, span.*start);
}

template <class T>
std::uint64_t load(const std::uint8_t* from) {
  T as;
  std::memcpy(&as, from, sizeof as);
  return as;
}
std::uint64_t load(const std::uint8_t* from, std::uint8_t width) {
  switch (width) {
    case 1: return load<std::uint8_t>(from);
    case 2: return load<std::uint16_t>(from);
    case 4: return load<std::uint32_t>(from);
    default: return load<std::uint64_t>(from);
  }
}

}  // namespace

PackedSpans::PackedSpans(const std::vector<Span>& spans) : size_(spans.size()) {
  for (std::size_t from = 0; from < spans.size(); from += kBlock) {
    const auto begin = spans.begin() + static_cast<std::ptrdiff_t>(from);
    blocks_.push_back(pack({begin, begin + static_cast<std::ptrdiff_t>(std::min(kBlock, spans.size() - from))}));
  }
}

PackedSpans::Block PackedSpans::pack(std::vector<Span> spans) {
  Block block;
  block.numbered = spans.front().operation != kNoOperation;
  for (std::size_t i = 1; i < spans.size(); ++i)
    block.numbered &= spans[i].operation != kNoOperation && spans[i].operation - spans[0].operation == i;
  block.from_start = tells_durations(spans, &Span::start, &Span::end);
  block.from_begin = tells_durations(spans, &Span::host_begin, &Span::host_end);
  for (Span& span : spans) {
    if (block.numbered) span.operation = spans[0].operation;
    if (block.from_start) shorten(span, &Span::start, &Span::end);
    if (block.from_begin) shorten(span, &Span::host_begin, &Span::host_end);
  }
  block.same = spans.front();
  for (std::uint8_t i = 0; i < kColumns.size(); ++i) {
    const auto [least, most, some_absent] = kColumns[i].range(spans);
    const bool none = most == kAbsent;
    if (none || (least == most && !some_absent)) continue;  // as block.same has it
    const std::uint64_t range = std::bit_cast<std::uint64_t>(minus(most, least)) + (some_absent ? 1 : 0);
    const std::uint8_t width = bytes_for(range);
    block.parts.push_back({least, static_cast<std::uint32_t>(block.stride), i, width, some_absent});
    block.stride += width;
  }
  block.parts.shrink_to_fit();
  block.size = block.stride * spans.size();
  block.bytes = std::make_unique_for_overwrite<std::uint8_t[]>(block.size);
  for (const Part& part : block.parts) {
    kColumns[part.column].store(spans, {part.least, part.some_absent, part.width, block.stride},
                                block.bytes.get() + part.at);
  }
  return block;
}

Span PackedSpans::operator[](std::size_t index) const {
  const Block& block = blocks_[index / kBlock];
  const std::size_t at = index % kBlock;
  const std::uint8_t* const bytes = block.bytes.get() + at * block.stride;
  Span span = block.same;
  if (block.numbered) span.operation += static_cast<std::uint32_t>(at);
  for (const Part& part : block.parts) {
    std::uint64_t offset = load(bytes + part.at, part.width);
    const bool absent = part.some_absent && offset == 0;
    offset -= part.some_absent ? 1 : 0;
    kColumns[part.column].set(span, absent ? kAbsent : plus(part.least, std::bit_cast<std::int64_t>(offset)));
  }
  if (block.from_start) lengthen(span, &Span::start, &Span::end);
  if (block.from_begin) lengthen(span, &Span::host_begin, &Span::host_end);
  return span;
}

void PackedSpans::prefetch(std::size_t index) const {
  const Block& block = blocks_[index / kBlock];
  if (block.stride == 0) return;
  const std::uint8_t* const bytes = block.bytes.get() + index % kBlock * block.stride;
  __builtin_prefetch(bytes);  // a line of cache, or two where it lies across
  __builtin_prefetch(bytes + block.stride - 1);
}

std::size_t PackedSpans::bytes() const {
  std::size_t sum = sizeof *this + blocks_.capacity() * sizeof(Block);
  for (const Block& block : blocks_) sum += block.size + block.parts.capacity() * sizeof(Part);
  return sum;
}

void SpanPacker::add(const Span& span) {
  block_.push_back(span);
  ++packed_.size_;
  if (block_.size() < PackedSpans::kBlock) return;
  packed_.blocks_.push_back(PackedSpans::pack(block_));
  block_.clear();
}

std::shared_ptr<const PackedSpans> SpanPacker::finish() && {
  if (!block_.empty()) packed_.blocks_.push_back(PackedSpans::pack(block_));
  packed_.blocks_.shrink_to_fit();
  block_ = {};
  return std::make_shared<const PackedSpans>(std::move(packed_));
}

std::size_t span_count(const Trace& trace) { return trace.packed ? trace.packed->size() : trace.spans.size(); }

Span span_at(const Trace& trace, std::size_t index) {
  return trace.packed ? (*trace.packed)[index] : trace.spans[index];
}

void prefetch_span(const Trace& trace, std::size_t index) {
  if (trace.packed)
    trace.packed->prefetch(index);
  else
    __builtin_prefetch(&trace.spans[index]);
}

std::optional<std::size_t> find_index(const Trace& trace, OperationIndex operation) {
  if (operation == kNoOperation) return std::nullopt;
  const std::size_t count = span_count(trace);
  if (operation < count && span_at(trace, operation).operation == operation) return operation;
  std::size_t low = 0, high = count;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (span_at(trace, middle).operation < operation)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == count || span_at(trace, low).operation != operation) return std::nullopt;
  return low;
}

std::optional<Span> find_span(const Trace& trace, OperationIndex operation) {
  const auto index = find_index(trace, operation);
  if (!index) return std::nullopt;
  return span_at(trace, *index);
}

}  // namespace streamscope::trace

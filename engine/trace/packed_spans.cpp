#include "engine/trace/packed_spans.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

namespace streamscope::trace {
namespace {

// The fields as numbers, all of one type; each field's value for "none" becomes kAbsent.
enum Field : std::uint8_t {
  kOperation,
  kLine,
  kName,
  kStream,
  kKind,
  kEngine,
  kReadySource,
  kStartSource,
  kSource,
  kReason,
  kWaitsFor,
  kLaunch,
  kThread,
  kBytes,
  kHostBegin,
  kHostEnd,
  kReady,
  kStart,
  kEnd,
  kReadyUncertainty,
  kStartUncertainty,
  kUncertainty,
  kSamples,
  kSpread,
  kPolls,
  kFields
};

std::int64_t or_absent(std::uint32_t value) { return value == 0xFFFFFFFFu ? kAbsent : std::int64_t{value}; }
std::uint32_t index_of(std::int64_t value) {
  return value == kAbsent ? 0xFFFFFFFFu : static_cast<std::uint32_t>(value);
}

std::int64_t get(const Span& span, Field field) {
  switch (field) {
    case kOperation: return or_absent(span.operation);
    case kLine: return span.line;
    case kName: return span.name;
    case kStream: return or_absent(span.stream);
    case kKind: return static_cast<std::int64_t>(span.kind);
    case kEngine: return static_cast<std::int64_t>(span.engine);
    case kReadySource: return static_cast<std::int64_t>(span.ready_source);
    case kStartSource: return static_cast<std::int64_t>(span.start_source);
    case kSource: return static_cast<std::int64_t>(span.source);
    case kReason: return static_cast<std::int64_t>(span.reason);
    case kWaitsFor: return or_absent(span.waits_for);
    case kLaunch: return or_absent(span.launch);
    case kThread: return span.thread;
    case kBytes: return std::bit_cast<std::int64_t>(span.bytes);
    case kHostBegin: return span.host_begin;
    case kHostEnd: return span.host_end;
    case kReady: return span.ready;
    case kStart: return span.start;
    case kEnd: return span.end;
    case kReadyUncertainty: return span.ready_uncertainty;
    case kStartUncertainty: return span.start_uncertainty;
    case kUncertainty: return span.uncertainty;
    case kSamples: return span.samples;
    case kSpread: return span.spread;
    case kPolls: return span.polls;
    case kFields: break;
  }
  return 0;
}

void set(Span& span, Field field, std::int64_t value) {
  const auto small = static_cast<std::uint32_t>(value);
  switch (field) {
    case kOperation: span.operation = index_of(value); break;
    case kLine: span.line = small; break;
    case kName: span.name = small; break;
    case kStream: span.stream = index_of(value); break;
    case kKind: span.kind = static_cast<OperationKind>(value); break;
    case kEngine: span.engine = static_cast<Engine>(value); break;
    case kReadySource: span.ready_source = static_cast<Source>(value); break;
    case kStartSource: span.start_source = static_cast<Source>(value); break;
    case kSource: span.source = static_cast<Source>(value); break;
    case kReason: span.reason = static_cast<WaitReason>(value); break;
    case kWaitsFor: span.waits_for = index_of(value); break;
    case kLaunch: span.launch = index_of(value); break;
    case kThread: span.thread = small; break;
    case kBytes: span.bytes = std::bit_cast<std::uint64_t>(value); break;
    case kHostBegin: span.host_begin = value; break;
    case kHostEnd: span.host_end = value; break;
    case kReady: span.ready = value; break;
    case kStart: span.start = value; break;
    case kEnd: span.end = value; break;
    case kReadyUncertainty: span.ready_uncertainty = small; break;
    case kStartUncertainty: span.start_uncertainty = small; break;
    case kUncertainty: span.uncertainty = small; break;
    case kSamples: span.samples = small; break;
    case kSpread: span.spread = small; break;
    case kPolls: span.polls = small; break;
    case kFields: break;
  }
}

// Differences wrap around, so that any two times have one that can be undone.
std::int64_t plus(std::int64_t a, std::int64_t b) {
  return std::bit_cast<std::int64_t>(std::bit_cast<std::uint64_t>(a) + std::bit_cast<std::uint64_t>(b));
}
std::int64_t minus(std::int64_t a, std::int64_t b) {
  return std::bit_cast<std::int64_t>(std::bit_cast<std::uint64_t>(a) - std::bit_cast<std::uint64_t>(b));
}

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
  for (std::uint8_t i = 0; i < kFields; ++i) {
    const auto field = static_cast<Field>(i);
    std::int64_t least = std::numeric_limits<std::int64_t>::max(), most = kAbsent;
    bool some_absent = false;
    for (const Span& span : spans) {
      const std::int64_t value = get(span, field);
      some_absent |= value == kAbsent;
      if (value == kAbsent) continue;
      least = std::min(least, value);
      most = std::max(most, value);
    }
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
    std::uint8_t* at = block.bytes.get() + part.at;
    for (const Span& span : spans) {
      const std::int64_t value = get(span, static_cast<Field>(part.field));
      const std::uint64_t offset = std::bit_cast<std::uint64_t>(minus(value, part.least));
      store(at, part.width, !part.some_absent ? offset : value == kAbsent ? 0 : offset + 1);
      at += block.stride;
    }
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
    set(span, static_cast<Field>(part.field), absent ? kAbsent : plus(part.least, std::bit_cast<std::int64_t>(offset)));
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

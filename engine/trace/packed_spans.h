// The spans of a trace that another tool wrote: there may be ten million, so they are kept packed and read by value.
//
// A trace holds its spans in Trace::spans or, where it was read from such a file, in Trace::packed. Code for traces of
// both sorts calls span_count() and span_at().
//
// The spans are packed in blocks of some thousands. A member that is the same in the whole block is stored once; of
// every other member each span stores the offset from the block's minimum, in as few bytes as the block's offsets need.
// A span of a profiler's trace takes 10 to 25 bytes instead of 112, and they are contiguous.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/trace/trace.h"

namespace streamscope::trace {

class PackedSpans {
 public:
  PackedSpans() = default;
  explicit PackedSpans(const std::vector<Span>& spans);

  std::size_t size() const { return size_; }
  Span operator[](std::size_t index) const;  // index < size(); in constant time
  void prefetch(std::size_t index) const;    // it is read soon; index < size()
  std::size_t bytes() const;                 // of memory that the spans take

 private:
  friend class SpanPacker;
  static constexpr std::size_t kBlock = 4096;

  struct Part {
    std::int64_t least = 0;    // what the offsets count from
    std::uint32_t at = 0;      // of the offset among a span's bytes
    std::uint8_t column = 0;   // which member of Span
    std::uint8_t width = 0;    // bytes of an offset
    bool some_absent = false;  // offset 0 stands for kAbsent, the others count from 1
  };
  struct Block {
    Span same;                                  // the members that all spans of the block share
    bool numbered = true;                       // operations are consecutive from same.operation on
    bool from_start = true, from_begin = true;  // end and host_end are stored as durations
    std::vector<Part> parts;
    std::unique_ptr<std::uint8_t[]> bytes;
    std::size_t stride = 0, size = 0;  // bytes of a span, of all
  };
  static Block pack(std::vector<Span> spans);

  std::vector<Block> blocks_;
  std::size_t size_ = 0;
};

// Takes spans one after the other.
class SpanPacker {
 public:
  SpanPacker() { block_.reserve(PackedSpans::kBlock); }
  void add(const Span& span);
  std::shared_ptr<const PackedSpans> finish() &&;

 private:
  PackedSpans packed_;
  std::vector<Span> block_;  // not packed yet
};

std::size_t span_count(const Trace& trace);
Span span_at(const Trace& trace, std::size_t index);  // index < span_count()
// It is read soon: fetches packed spans into the cache.
void prefetch_span(const Trace& trace, std::size_t index);

// The span of this operation, by binary search: operations ascend with the index.
std::optional<std::size_t> find_index(const Trace& trace, OperationIndex operation);
std::optional<Span> find_span(const Trace& trace, OperationIndex operation);

}  // namespace streamscope::trace

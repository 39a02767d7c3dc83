// The spans of a trace that another tool wrote: there may be ten million, so they are kept packed and told by value.
//
// A trace holds its spans in Trace::spans or, where it was read from such a file, in Trace::packed. What looks at
// traces of both sorts asks span_count() and span_at().
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "engine/trace/trace.h"

namespace streamscope {

class PackedSpans {
 public:
  explicit PackedSpans(std::vector<Span> spans) : spans_(std::move(spans)) {}
  std::size_t size() const { return spans_.size(); }
  Span operator[](std::size_t index) const { return spans_[index]; }

 private:
  std::vector<Span> spans_;
};

std::size_t span_count(const Trace& trace);
Span span_at(const Trace& trace, std::size_t index);  // index < span_count()

// Of the span of this operation. Operations rise with the index.
std::optional<std::size_t> find_index(const Trace& trace, OperationIndex operation);
std::optional<Span> find_span(const Trace& trace, OperationIndex operation);

}  // namespace streamscope

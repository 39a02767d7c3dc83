#include "engine/trace/packed_spans.h"

namespace streamscope {

std::size_t span_count(const Trace& trace) { return trace.packed ? trace.packed->size() : trace.spans.size(); }

Span span_at(const Trace& trace, std::size_t index) {
  return trace.packed ? (*trace.packed)[index] : trace.spans[index];
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

}  // namespace streamscope

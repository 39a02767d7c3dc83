#include <fmt/format.h>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/program/check/operation_builder.h"
#include "engine/program/syntax/characters.h"

namespace streamscope::program {

std::optional<Range> OperationBuilder::range(const syntax::Range& text, Side side) {
  const Symbol* symbol = use(text.buffer, SymbolKind::buffer);
  std::optional<std::int64_t> offset = 0, length;
  if (text.offset) {
    offset = expansion_.scope.value(*text.offset);
    length = expansion_.scope.value(*text.bytes);
  }
  if (!symbol) return std::nullopt;
  const Buffer& buffer = expansion_.program.buffers[symbol->id];
  if (symbol->ended_line != 0)
    return refuse(text.buffer, tr("'{}' is used after line {} freed it; move that `free {}` behind this line",
                                  buffer.name, symbol->ended_line, buffer.name));
  if (side != Side::device && buffer.made_in_run)
    return refuse(text.buffer, tr("'{}' has no host side: `{}: malloc` (line {}) makes device memory only; "
                                  "declare it with `buffer {} {}` to copy it",
                                  buffer.name, buffer.stream_ordered ? "STREAM" : "host", buffer.line, buffer.name,
                                  exact_bytes(buffer.bytes)));
  if (side == Side::both && is_shared(buffer.host)) {
    const bool managed = buffer.host == HostMemory::managed;
    return refuse(text.buffer,
                  tr("'{}' is {} (line {}): there is one allocation, which both sides work on, and nothing to "
                     "copy; use {}`host: touch {}`, or declare it with host=pinned",
                     buffer.name, managed ? "managed" : "mapped", buffer.line,
                     managed ? tr("`prefetch {} to=device`, ", buffer.name) : "", buffer.name));
  }
  if (buffer.made_in_run && !usable(text.buffer, symbol->id)) return std::nullopt;
  if (!text.offset) return Range{BufferId{symbol->id}, 0, buffer.bytes};
  if (!offset || !length || !inside(text, *offset, *length, buffer)) return std::nullopt;
  return Range{BufferId{symbol->id}, static_cast<std::uint64_t>(*offset), static_cast<std::uint64_t>(*length)};
}

bool OperationBuilder::inside(const syntax::Range& text, std::int64_t offset, std::int64_t length,
                              const Buffer& buffer) {
  if (offset < 0)
    return deny(*text.offset,
                tr("the offset '{}' comes to {}; it must be 0 or more", printable(text.offset->text), offset));
  if (length <= 0)
    return deny(*text.bytes,
                tr("the length '{}' comes to {} bytes; a range has at least 1", printable(text.bytes->text), length));
  const auto from = static_cast<std::uint64_t>(offset), size = static_cast<std::uint64_t>(length);
  if (from + size <= buffer.bytes) return true;  // both are below 2^63
  const bool begins_inside = from < buffer.bytes;
  // In a repeat the errors of all passes should have one location, to be reported once.
  const bool at_length = begins_inside || !text.offset->expression.nodes.empty();
  return deny(at_length ? *text.bytes : *text.offset,
              tr("the range {}[{}:{}] ends at byte {}, but '{}' (line {}) has {} bytes ({}){}{}", buffer.name,
                 printable(text.offset->text), printable(text.bytes->text), from + size, buffer.name, buffer.line,
                 buffer.bytes, exact_bytes(buffer.bytes),
                 begins_inside ? tr("; write at most {} for the length", exact_bytes(buffer.bytes - from))
                               : tr("; the offset must lie below that"),
                 at_length && text.bytes->expression.nodes.empty() && !text.offset->expression.nodes.empty()
                     ? expansion_.scope.values()
                     : ""));
}

// `x` alone is the same range on both sides; behind `from` and `to` stands the host's.
OperationBuilder::Built OperationBuilder::copy(Direction direction, bool blocking, std::size_t first) {
  if (statement_.arguments.size() <= first + 1) {
    const auto range = this->range(range_text(first), Side::both);
    if (!range) return std::nullopt;
    return op::Copy{direction, *range, *range, blocking};
  }
  const auto& word = std::get<syntax::Word>(statement_.arguments[first + 1]);
  const bool in = direction == Direction::h2d;
  if (word.text != (in ? "from" : "to")) {
    expansion_.diagnostics.error(word.location,
                                 in ? tr("a copy to the device reads from the host: write `h2d x from y`")
                                    : tr("a copy from the device writes to the host: write `d2h x to y`"));
    return std::nullopt;
  }
  const auto device = range(range_text(first), Side::device);
  const auto host = range(range_text(first + 2), Side::host);
  if (!device || !host) return std::nullopt;
  const syntax::Name& where = range_text(first + 2).buffer;
  if (device->bytes != host->bytes)
    return refuse(where, tr("the two ranges differ in length: {} bytes on the device, {} bytes on the host; give both "
                            "the same",
                            device->bytes, host->bytes));
  for (const Range* side : {&*device, &*host}) {
    const Buffer& buffer = expansion_.program.buffers[side->buffer.value];
    if (!is_shared(buffer.host)) continue;
    return refuse(
        side == &*device ? range_text(first).buffer : where,
        tr("'{}' is {} (line {}): there is one allocation, which both sides work on, so it is no side of such "
           "a copy; declare it with host=pinned",
           buffer.name, program::name(buffer.host), buffer.line));
  }
  return op::Copy{direction, *host, *device, blocking};
}

OperationBuilder::Built OperationBuilder::blocking_copy() {
  const bool in = std::get<syntax::Word>(statement_.arguments[0]).text == "h2d";
  return copy(in ? Direction::h2d : Direction::d2h, true, 1);
}

OperationBuilder::Built OperationBuilder::copy_on_device() {
  const auto to = range(range_text(0), Side::device);
  const auto from = range(range_text(1), Side::device);
  if (!to || !from) return std::nullopt;
  const syntax::Name& where = range_text(1).buffer;
  if (to->bytes != from->bytes)
    return refuse(where, tr("the two ranges differ in length: {} bytes to, {} bytes from; give both the same",
                            to->bytes, from->bytes));
  if (!apart(where, *to, *from, tr("a copy may not overlap itself"))) return std::nullopt;
  return op::CopyOnDevice{*to, *from, statement_.verb == syntax::Verb::d2d_now};
}

bool OperationBuilder::apart(const syntax::Name& where, const Range& to, const Range& from, std::string_view why) {
  if (to.buffer != from.buffer || to.offset >= from.offset + from.bytes || from.offset >= to.offset + to.bytes) {
    return true;
  }
  return deny(where, tr("the two ranges of '{}' overlap; {}: choose ranges apart or another buffer",
                        expansion_.program.buffers[to.buffer.value].name, why));
}

OperationBuilder::Built OperationBuilder::memset() {
  const auto range = this->range(range_text(0), Side::device);
  const auto value = within(expansion_, number(1), tr_later("the value of every byte"), 0, 255);
  if (!range || !value) return std::nullopt;
  return op::Memset{*range, static_cast<std::uint8_t>(*value), statement_.verb == syntax::Verb::memset_now};
}

OperationBuilder::Built OperationBuilder::prefetch() {
  const auto range = this->range(range_text(0), Side::device);
  if (!range || statement_.options.empty()) return std::nullopt;  // a missing `to=` has been reported
  const Buffer& buffer = expansion_.program.buffers[range->buffer.value];
  if (buffer.made_in_run || buffer.host != HostMemory::managed)
    return refuse(range_text(0).buffer,
                  tr("'{}' (line {}) is not managed memory: only that is moved by prefetch; declare it with "
                     "`buffer {} {} host=managed`{}",
                     buffer.name, buffer.line, buffer.name, exact_bytes(buffer.bytes),
                     buffer.made_in_run || is_shared(buffer.host) ? "" : tr(", or copy it with h2d and d2h")));
  const auto& to = std::get<syntax::Word>(*statement_.options[0].value);
  return op::Prefetch{*range, to.text == "device" ? MemoryLocation::device : MemoryLocation::host};
}

OperationBuilder::Built OperationBuilder::touch() {
  const auto range = this->range(range_text(0), Side::host);
  if (!range) return std::nullopt;
  return op::Touch{*range};
}

}  // namespace streamscope::program

#include <fmt/format.h>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/program/check/operation_builder.h"
#include "engine/program/syntax/characters.h"

namespace streamscope::program {
namespace {

// Rows lie between each other's where both ranges have the same pitch; with two pitches it is the whole spans that
// count.
bool overlap(const Range& a, const Range& b) {
  if (a.buffer != b.buffer || a.offset >= b.offset + b.bytes || b.offset >= a.offset + a.bytes) return false;
  if (a.pitch == 0 || a.pitch != b.pitch) return true;
  const std::uint64_t apart = (a.offset > b.offset ? a.offset - b.offset : b.offset - a.offset) % a.pitch;
  return apart < row_bytes(a) || a.pitch - apart < row_bytes(a);
}

}  // namespace

std::optional<Range> OperationBuilder::range(const syntax::Range& text, Side side, std::optional<DeviceId> device) {
  const Symbol* symbol = use(text.buffer, SymbolKind::buffer);
  std::optional<std::int64_t> offset = 0, length;
  if (text.offset) {
    offset = expansion_.scope.value(*text.offset);
    length = expansion_.scope.value(*text.bytes);
  }
  if (!symbol) return std::nullopt;
  const Buffer& buffer = expansion_.program.buffers[symbol->id];
  if (symbol->ended_line != 0)
    return refuse(text.buffer, tr("'{}' is used after line {} freed it; move that `{} {}` behind this line",
                                  buffer.name, symbol->ended_line, buffer.on_host ? "free-host" : "free", buffer.name));
  if (side != Side::host && buffer.on_host)
    return refuse(text.buffer, tr("'{}' has no device side: `host: malloc-host` (line {}) makes host memory only; "
                                  "write it behind `from` or `to`, or declare it with `buffer {} {}`",
                                  buffer.name, buffer.line, buffer.name, exact_bytes(buffer.bytes)));
  if (side != Side::device && buffer.made_in_run && !buffer.on_host)
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
  if (side != Side::host && !on_device(text.buffer, buffer, device)) return std::nullopt;
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

std::optional<OperationBuilder::Rows> OperationBuilder::rows(std::string_view other) {
  if (statement_.options.empty()) return Rows{};
  const auto number_of = [&](std::string_view key) -> const syntax::Number* {
    const syntax::Option* const option = find_option(statement_, key);
    return option != nullptr && option->value ? &std::get<syntax::Number>(*option->value) : nullptr;
  };
  const syntax::Number *const count = number_of("rows"), *const width = number_of("width");
  if (count == nullptr || width == nullptr) {
    expansion_.diagnostics.error(statement_.options.front().location,
                                 tr("a copy of rows needs both 'rows' and 'width'; write for example "
                                    "`rows=1024 width=4KiB pitch=8KiB`"));
    return std::nullopt;
  }
  const auto rows = within(expansion_, *count, "'rows'", 1, kMaximumPitch);
  const auto bytes = within(expansion_, *width, "'width'", 1, kMaximumPitch);
  if (!rows || !bytes) return std::nullopt;
  const auto pitch_of = [&](std::string_view key, std::int64_t standard) -> std::optional<std::int64_t> {
    const syntax::Number* const text = number_of(key);
    if (text == nullptr) return standard;
    const auto value = within(expansion_, *text, fmt::format("'{}'", key), 1, kMaximumPitch);
    if (!value || *value >= *bytes) return value;
    return refuse(*text, tr("'{}' is {} bytes, less than the {} of a row: rows would overlap; write {} or more", key,
                            *value, *bytes, *bytes));
  };
  const auto pitch = pitch_of("pitch", *bytes);
  if (!pitch) return std::nullopt;
  const auto other_pitch = pitch_of(other, *pitch);
  if (!other_pitch) return std::nullopt;
  return Rows{static_cast<std::uint64_t>(*rows), static_cast<std::uint64_t>(*bytes), static_cast<std::uint32_t>(*pitch),
              static_cast<std::uint32_t>(*other_pitch)};
}

std::optional<Range> OperationBuilder::with_rows(const syntax::Range& text, const Range& range, const Rows& rows,
                                                 std::uint32_t pitch) {
  if (rows.count == 0) return range;
  const std::uint64_t needed = (rows.count - 1) * pitch + rows.width;
  if (needed <= range.bytes) return Range{range.buffer, range.offset, needed, pitch};
  const std::uint64_t fit = range.bytes < rows.width ? 0 : (range.bytes - rows.width) / pitch + 1;
  return refuse(
      text.buffer,
      tr("{} rows of {} bytes, {} bytes apart, end {} bytes behind their beginning, and the range of '{}' has "
         "{}{}",
         rows.count, rows.width, pitch, needed, expansion_.program.buffers[range.buffer.value].name, range.bytes,
         fit > 0 ? tr("; write rows={}", fit) : tr(": it holds no such row")));
}

// `x` alone is the same range on both sides; behind `from` and `to` stands the host's.
OperationBuilder::Built OperationBuilder::copy(Direction direction, bool blocking, std::size_t first) {
  const auto rows = this->rows("host-pitch");
  if (statement_.arguments.size() <= first + 1) {
    const auto range = this->range(range_text(first), Side::both);
    if (!range || !rows) return std::nullopt;
    const auto device = with_rows(range_text(first), *range, *rows, rows->pitch);
    const auto host = with_rows(range_text(first), *range, *rows, rows->other_pitch);
    if (!device || !host) return std::nullopt;
    const auto registered =
        this->registered(range_text(first).buffer, *use(range_text(first).buffer, SymbolKind::buffer));
    if (!registered) return std::nullopt;
    return op::Copy{direction, *host, *device, blocking, *registered};
  }
  const auto& word = std::get<syntax::Word>(statement_.arguments[first + 1]);
  const bool in = direction == Direction::h2d;
  if (word.text != (in ? "from" : "to")) {
    expansion_.diagnostics.error(word.location,
                                 in ? tr("a copy to the device reads from the host: write `h2d x from y`")
                                    : tr("a copy from the device writes to the host: write `d2h x to y`"));
    return std::nullopt;
  }
  auto device = range(range_text(first), Side::device);
  auto host = range(range_text(first + 2), Side::host);
  if (!device || !host || !rows) return std::nullopt;
  const syntax::Name& where = range_text(first + 2).buffer;
  device = with_rows(range_text(first), *device, *rows, rows->pitch);
  host = with_rows(range_text(first + 2), *host, *rows, rows->other_pitch);
  if (!device || !host) return std::nullopt;
  if (rows->count == 0 && device->bytes != host->bytes)
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
  const auto registered = this->registered(where, *use(where, SymbolKind::buffer));
  if (!registered) return std::nullopt;
  return op::Copy{direction, *host, *device, blocking, *registered};
}

OperationBuilder::Built OperationBuilder::blocking_copy() {
  const bool in = std::get<syntax::Word>(statement_.arguments[0]).text == "h2d";
  return copy(in ? Direction::h2d : Direction::d2h, true, 1);
}

OperationBuilder::Built OperationBuilder::copy_on_device() {
  const auto rows = this->rows("from-pitch");
  auto to = range(range_text(0), Side::device);
  auto from = range(range_text(1), Side::device);
  if (!to || !from || !rows) return std::nullopt;
  const syntax::Name& where = range_text(1).buffer;
  to = with_rows(range_text(0), *to, *rows, rows->pitch);
  from = with_rows(range_text(1), *from, *rows, rows->other_pitch);
  if (!to || !from) return std::nullopt;
  if (rows->count == 0 && to->bytes != from->bytes)
    return refuse(where, tr("the two ranges differ in length: {} bytes to, {} bytes from; give both the same",
                            to->bytes, from->bytes));
  if (!apart(where, *to, *from, tr("a copy may not overlap itself"))) return std::nullopt;
  return op::CopyOnDevice{*to, *from, statement_.verb == syntax::Verb::d2d_now};
}

bool OperationBuilder::apart(const syntax::Name& where, const Range& to, const Range& from, std::string_view why) {
  if (!overlap(to, from)) return true;
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

#include "engine/program/operations.h"

#include <fmt/format.h>

#include <limits>

#include "engine/base/quantity.h"
#include "engine/program/cursor.h"

namespace streamscope {
namespace {

using syntax::Statement;
using syntax::Verb;

constexpr std::int64_t kMaximumThreads = 1024;
constexpr std::int64_t kMaximumBlocks = 2'147'483'647;
constexpr std::int64_t kMaximumSharedBytes = 227 * 1024;
constexpr std::uint64_t kFloatBytes = 4;

class Maker {
 public:
  Maker(Expansion& expansion, const Statement& statement) : x_(expansion), statement_(statement) {}

  std::optional<Operation> make() {
    std::optional<StreamId> stream;
    bool good = true;
    if (statement_.stream) {
      const Named* named = use(*statement_.stream, static_cast<NameKinds>(NameKind::stream));
      if (named) stream = StreamId{named->id};
      good = named != nullptr;
    }
    auto made = work();  // also after an error in the stream's name, for its own errors
    if (!made || !good) return std::nullopt;
    return Operation{std::move(*made), stream, ThreadId{0}, statement_.place.line};
  }

 private:
  using Made = std::optional<Work>;

  Made work() {
    switch (statement_.verb) {
      case Verb::h2d: return copy(Direction::h2d);
      case Verb::d2h: return copy(Direction::d2h);
      case Verb::d2d: return copy_on_device();
      case Verb::memset: return memset();
      case Verb::spin: return spin();
      case Verb::axpb: return axpb();
      case Verb::record: return record();
      case Verb::wait: return wait();
      case Verb::hostfn: return lasting<op::HostFunction>();
      case Verb::work: return lasting<op::Work>();
      case Verb::sync: return sync();
      case Verb::poll: return poll();
      case Verb::memcpy: return blocking_copy();
      case Verb::malloc: return malloc();
      case Verb::free: return free();
      case Verb::touch: return touch();
      default: return std::nullopt;
    }
  }

  const syntax::Name& name(std::size_t i) const { return std::get<syntax::Name>(statement_.arguments[i]); }
  const syntax::Number& number(std::size_t i) const { return std::get<syntax::Number>(statement_.arguments[i]); }
  const syntax::Range& range_text(std::size_t i) const { return std::get<syntax::Range>(statement_.arguments[i]); }

  // What the name stands for, where it is of one of the kinds.
  Named* use(const syntax::Name& name, NameKinds expected) {
    const auto text = x_.scope.text(name);
    if (!text) return nullptr;
    Named* named = x_.names.find(*text);
    if (!named) {
      if (!x_.names.forgiven(*text)) x_.names.unknown(name, *text, expected, x_.scope);
      return nullptr;
    }
    if ((static_cast<NameKinds>(named->kind) & expected) == 0) {
      mismatch(name, *text, *named, expected);
      return nullptr;
    }
    return named;
  }

  void mismatch(const syntax::Name& name, std::string_view text, const Named& named, NameKinds expected) {
    const std::string where = named.place.line == 0 ? "" : fmt::format(" (line {})", named.place.line);
    x_.scope.error(name, fmt::format("'{}' is {}{}, expected {}", shown(text),
                                     words(static_cast<NameKinds>(named.kind)), where, words(expected)));
  }

  enum class Side { device, host };  // host: the host's copy of the data is read or written, too

  std::optional<Range> range(const syntax::Range& text, Side side) {
    const Named* named = use(text.buffer, static_cast<NameKinds>(NameKind::buffer));
    std::optional<std::int64_t> offset = 0, length;
    if (text.offset) {
      offset = x_.scope.value(*text.offset);
      length = x_.scope.value(*text.bytes);
    }
    if (!named) return std::nullopt;
    const Buffer& buffer = x_.program.buffers[named->id];
    if (named->freed_line != 0) {
      x_.scope.error(text.buffer,
                     fmt::format("'{}' is used after line {} freed it; move the `host: free {}` behind this line",
                                 buffer.name, named->freed_line, buffer.name));
      return std::nullopt;
    }
    if (side == Side::host && buffer.made_in_run) {
      x_.scope.error(text.buffer,
                     fmt::format("'{}' has no host side: `host: malloc` (line {}) makes device memory only; "
                                 "declare it with `buffer {} {}` to copy it",
                                 buffer.name, buffer.line, buffer.name, exact_bytes(buffer.bytes)));
      return std::nullopt;
    }
    if (!text.offset) return Range{BufferId{named->id}, 0, buffer.bytes};
    if (!offset || !length || !inside(text, *offset, *length, buffer)) return std::nullopt;
    return Range{BufferId{named->id}, static_cast<std::uint64_t>(*offset), static_cast<std::uint64_t>(*length)};
  }

  bool inside(const syntax::Range& text, std::int64_t offset, std::int64_t length, const Buffer& buffer) {
    if (offset < 0) {
      x_.scope.error(*text.offset, fmt::format("the offset '{}' comes to {}; it must be 0 or more",
                                               shown(text.offset->text), offset));
      return false;
    }
    if (length <= 0) {
      x_.scope.error(*text.bytes, fmt::format("the length '{}' comes to {} bytes; a range has at least 1",
                                              shown(text.bytes->text), length));
      return false;
    }
    const auto from = static_cast<std::uint64_t>(offset), size = static_cast<std::uint64_t>(length);
    if (from + size <= buffer.bytes) return true;  // both are below 2^63
    const bool begins_inside = from < buffer.bytes;
    // In a repeat the passes' errors should fall on one place.
    const bool at_length = begins_inside || !text.offset->expression.nodes.empty();
    x_.scope.error(
        at_length ? *text.bytes : *text.offset,
        fmt::format("the range {}[{}:{}] ends at byte {}, but '{}' (line {}) has {} bytes ({}){}", buffer.name,
                    shown(text.offset->text), shown(text.bytes->text), from + size, buffer.name, buffer.line,
                    buffer.bytes, exact_bytes(buffer.bytes),
                    begins_inside ? fmt::format("; write at most {} for the length", exact_bytes(buffer.bytes - from))
                                  : std::string("; the offset must lie below that")) +
            (at_length && text.bytes->expression.nodes.empty() && !text.offset->expression.nodes.empty()
                 ? x_.scope.values()
                 : std::string()));
    return false;
  }

  Made copy(Direction direction) {
    const auto range = this->range(range_text(0), Side::host);
    if (!range) return std::nullopt;
    return op::Copy{direction, *range};
  }

  Made blocking_copy() {
    const auto direction =
        std::get<syntax::Word>(statement_.arguments[0]).text == "h2d" ? Direction::h2d : Direction::d2h;
    const auto range = this->range(range_text(1), Side::host);
    if (!range) return std::nullopt;
    return op::BlockingCopy{direction, *range};
  }

  Made copy_on_device() {
    const auto to = range(range_text(0), Side::device);
    const auto from = range(range_text(1), Side::device);
    if (!to || !from) return std::nullopt;
    const syntax::Name& where = range_text(1).buffer;
    if (to->bytes != from->bytes) {
      x_.scope.error(where,
                     fmt::format("the two ranges differ in length: {} bytes to, {} bytes from; give both the same",
                                 to->bytes, from->bytes));
      return std::nullopt;
    }
    if (to->buffer == from->buffer && to->offset < from->offset + from->bytes &&
        from->offset < to->offset + to->bytes) {
      x_.scope.error(where,
                     fmt::format("the two ranges of '{}' overlap; a copy may not overlap itself: choose ranges apart "
                                 "or another buffer",
                                 x_.program.buffers[to->buffer.value].name));
      return std::nullopt;
    }
    return op::CopyOnDevice{*to, *from};
  }

  Made memset() {
    const auto range = this->range(range_text(0), Side::device);
    const auto value = within(x_, number(1), "the value of every byte", 0, 255);
    if (!range || !value) return std::nullopt;
    return op::Memset{*range, static_cast<std::uint8_t>(*value)};
  }

  // The option's value, its default where it is not given, nothing after an error.
  std::optional<std::uint32_t> option(std::string_view key, std::int64_t least, std::int64_t most, std::int64_t absent,
                                      std::string_view what) {
    for (const syntax::Option& one : statement_.options) {
      if (one.key != key) continue;
      const auto value = within(x_, std::get<syntax::Number>(*one.value), what, least, most);
      if (!value) return std::nullopt;
      return static_cast<std::uint32_t>(*value);
    }
    return static_cast<std::uint32_t>(absent);
  }

  std::optional<std::uint32_t> threads(std::int64_t absent) {
    return option("threads", 1, kMaximumThreads, absent, "'threads' (in a block)");
  }
  std::optional<std::uint32_t> blocks(std::int64_t absent) {
    return option("blocks", 1, kMaximumBlocks, absent, "'blocks' (in the grid)");
  }

  Made spin() {
    const auto duration = lasts(number(0));
    const auto blocks = this->blocks(1);
    const auto threads = this->threads(128);
    const auto shared =
        option("smem", 0, kMaximumSharedBytes, 0,
               "'smem' (shared memory of a block in bytes; 227KiB is the most that any device has, many have less)");
    if (!duration || !blocks || !threads || !shared) return std::nullopt;
    return op::Spin{*duration, *blocks, *threads, *shared};
  }

  Made axpb() {
    const auto range = this->range(range_text(0), Side::device);
    const auto fma = option("fma", 1, std::numeric_limits<std::int32_t>::max(), 1, "'fma' (multiply-adds per element)");
    const auto blocks = this->blocks(0);
    const auto threads = this->threads(256);
    if (!range || !fma || !blocks || !threads) return std::nullopt;
    if (range->offset % kFloatBytes != 0 || range->bytes % kFloatBytes != 0) {
      const bool offset = range->offset % kFloatBytes != 0;
      x_.scope.error(
          range_text(0).buffer,
          fmt::format("axpb works on float32: the {} must be a multiple of 4 bytes, found {}; write {} or {}",
                      offset ? "offset" : "length", offset ? range->offset : range->bytes,
                      (offset ? range->offset : range->bytes) / kFloatBytes * kFloatBytes,
                      ((offset ? range->offset : range->bytes) / kFloatBytes + 1) * kFloatBytes));
      return std::nullopt;
    }
    return op::Axpb{*range, *fma, *blocks, *threads};
  }

  std::optional<Nanoseconds> lasts(const syntax::Number& number) {
    return within(x_, number, "a duration in nanoseconds (ten minutes at most)", 0, kLongestDuration);
  }

  template <class T>
  Made lasting() {
    const auto duration = lasts(number(0));
    if (!duration) return std::nullopt;
    return T{*duration};
  }

  Made record() {
    const auto text = x_.scope.text(name(0));
    if (!text) {
      forgive(x_, statement_);
      return std::nullopt;
    }
    std::optional<EventId> event;
    if (Named* named = x_.names.find(*text)) {
      if (named->kind != NameKind::event) {
        mismatch(name(0), *text, *named, static_cast<NameKinds>(NameKind::event));
        return std::nullopt;
      }
      if (named->unseen) {
        named->unseen = false;
        named->place = name(0).place;
      }
      event = EventId{named->id};
    } else {
      event = add_event(x_, name(0), *text, false, 0);
    }
    if (!event) return std::nullopt;
    return op::Record{*event};
  }

  struct Target {
    Named named;
    OperationIndex record = kNoOperation;
  };
  // An event that is not there yet may still be declared or recorded further down: waiting for it does nothing.
  std::optional<Target> target(NameKinds expected) {
    const auto text = x_.scope.text(name(0));
    if (!text) return std::nullopt;
    Named* named = x_.names.find(*text);
    if (named && (static_cast<NameKinds>(named->kind) & expected) == 0) {
      mismatch(name(0), *text, *named, expected);
      return std::nullopt;
    }
    if (named && named->kind == NameKind::stream) return Target{*named, kNoOperation};
    if (!named) {
      if (x_.names.forgiven(*text)) return std::nullopt;
      const std::string owned(*text);
      if (!add_event(x_, name(0), owned, true, expected)) return std::nullopt;
      named = x_.names.find(owned);
    }
    const OperationIndex record = x_.last_record[named->id];
    const auto& event = x_.program.events[named->id].name;
    if (record == kNoOperation) {
      x_.unrecorded.try_emplace(name(0).place, Expansion::Unrecorded{event, false});
    } else if (!x_.unrecorded.empty()) {
      const auto at = x_.unrecorded.find(name(0).place);
      if (at != x_.unrecorded.end()) at->second.found = true;
    }
    return Target{*named, record};
  }

  Made wait() {
    const auto target = this->target(static_cast<NameKinds>(NameKind::event));
    if (!target) return std::nullopt;
    return op::Wait{EventId{target->named.id}, target->record};
  }

  Made sync() {
    if (name(0).text == "device") return op::SyncDevice{};
    const auto target = this->target(NameKind::stream | NameKind::event);
    if (!target) return std::nullopt;
    if (target->named.kind == NameKind::stream) return op::SyncStream{StreamId{target->named.id}};
    return op::SyncEvent{EventId{target->named.id}, target->record};
  }

  Made poll() {
    Nanoseconds every = kDefaultPoll;
    bool good = true;
    for (const syntax::Option& one : statement_.options) {
      const auto value = within(x_, std::get<syntax::Number>(*one.value),
                                "'every' in nanoseconds (a query takes about 1us, ten minutes at most)", kShortestPoll,
                                kLongestDuration);
      if (value) every = *value;
      good = value.has_value();
    }
    if (name(0).text == "device") {
      x_.scope.error(name(0),
                     "a device cannot be polled, expected a stream or an event; `host: sync device` waits for it");
      return std::nullopt;
    }
    const auto target = this->target(NameKind::stream | NameKind::event);
    if (!target || !good) return std::nullopt;
    if (target->named.kind == NameKind::stream) return op::PollStream{StreamId{target->named.id}, every};
    return op::PollEvent{EventId{target->named.id}, target->record, every};
  }

  Made malloc() {
    const auto text = x_.scope.text(name(0));
    if (!text) {
      forgive(x_, statement_);
      return std::nullopt;
    }
    const std::string owned(*text);
    const auto bytes = within(x_, number(1), "the size of an allocation in bytes", 1, std::int64_t{1} << 62);
    if (!bytes) {
      x_.names.forgive(owned);
      return std::nullopt;
    }
    const auto id = static_cast<std::uint32_t>(x_.program.buffers.size());
    const Named made{.kind = NameKind::buffer, .id = id, .place = name(0).place, .in_run = true};
    Named* old = x_.names.find(owned);
    if (old && old->in_run && old->freed_line != 0) {
      *old = made;
    } else if (old && old->in_run) {
      x_.scope.error(name(0),
                     fmt::format("'{}' is allocated already, in line {}; write `host: free {}` before this line", owned,
                                 old->place.line, owned));
      return std::nullopt;
    } else if (!add_name(x_, name(0), owned, made)) {
      return std::nullopt;
    }
    x_.program.buffers.push_back(
        {owned, static_cast<std::uint64_t>(*bytes), HostMemory::pinned, true, statement_.place.line});
    return op::Malloc{BufferId{id}};
  }

  Made free() {
    Named* named = use(name(0), static_cast<NameKinds>(NameKind::buffer));
    if (!named) return std::nullopt;
    const std::string& text = x_.program.buffers[named->id].name;
    if (!named->in_run) {
      x_.scope.error(name(0),
                     fmt::format("'{}' is declared with `buffer` (line {}) and lives for the whole run; only what "
                                 "`host: malloc` made is freed",
                                 text, named->place.line));
      return std::nullopt;
    }
    if (named->freed_line != 0) {
      x_.scope.error(name(0), fmt::format("'{}' is freed twice: line {} freed it already", text, named->freed_line));
      return std::nullopt;
    }
    named->freed_line = statement_.place.line;
    return op::Free{BufferId{named->id}};
  }

  Made touch() {
    const auto range = this->range(range_text(0), Side::host);
    if (!range) return std::nullopt;
    return op::Touch{*range};
  }

  Expansion& x_;
  const Statement& statement_;
};

}  // namespace

std::optional<Operation> make_operation(Expansion& expansion, const Statement& statement) {
  return Maker(expansion, statement).make();
}

}  // namespace streamscope

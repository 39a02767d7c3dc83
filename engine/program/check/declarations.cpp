#include <fmt/format.h>

#include <limits>

#include "engine/base/quantity.h"
#include "engine/program/check/operations.h"
#include "engine/program/syntax/characters.h"
#include "engine/program/syntax/cursor.h"
#include "engine/program/syntax/grammar.h"

namespace streamscope::program {
namespace {

using syntax::Statement;
using syntax::Verb;

// The sum of all declared buffers must fit the sums that devices and views make.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 62;

bool is_name(std::string_view text) {
  if (text.empty() || text.size() > kLongestName) return false;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!letter && (c < '0' || c > '9' || &c == text.data())) return false;
  }
  return true;
}

std::string own_pass_hint(const Named& old, const syntax::Name& name) {
  if (old.place != name.place) return "; choose another name";
  return fmt::format(
      "; an earlier pass of the repeat declared it: move it out of the repeat, or put the variable into the "
      "name, as in {}{{i}}",
      name.pieces.empty() ? name.text : name.pieces[0].letters);
}

const syntax::Option* option(const Statement& statement, std::string_view key) {
  for (const syntax::Option& one : statement.options) {
    if (one.key == key) return &one;
  }
  return nullptr;
}

HostMemory host_memory(std::string_view word) {
  if (word == "pageable") return HostMemory::pageable;
  if (word == "write-combined") return HostMemory::write_combined;
  if (word == "mapped") return HostMemory::mapped;
  return word == "managed" ? HostMemory::managed : HostMemory::pinned;
}

void declare_buffer(Expansion& expansion, const Statement& statement, const syntax::Name& name, std::string_view text) {
  const auto& size = std::get<syntax::Number>(statement.arguments[1]);
  const auto bytes =
      within(expansion, size, "the size of a buffer in bytes", 1, std::numeric_limits<std::int64_t>::max());
  if (!bytes) return expansion.names.forgive(text);
  if (expansion.program.buffers.size() >= kMaximumNames) {
    return expansion.scope.error(name, fmt::format("more than {} buffers; use ranges of fewer", kMaximumNames));
  }
  if (static_cast<std::uint64_t>(*bytes) > kMostBytes - expansion.buffer_bytes) {
    expansion.names.forgive(text);
    return expansion.scope.error(size, "integer overflow: the buffers together have more than 2^62 bytes");
  }
  const auto id = static_cast<std::uint32_t>(expansion.program.buffers.size());
  Buffer buffer{std::string(text), static_cast<std::uint64_t>(*bytes), HostMemory::pinned, false, statement.place.line};
  if (const syntax::Option* host = option(statement, "host")) {
    buffer.host = host_memory(std::get<syntax::Word>(*host->value).text);
  }
  if (!add_name(expansion, name, text, {.kind = NameKind::buffer, .id = id, .place = name.place})) return;
  expansion.buffer_bytes += buffer.bytes;
  expansion.program.buffers.push_back(std::move(buffer));
}

bool add_stream(Expansion& expansion, const syntax::Name& name, Stream stream) {
  if (expansion.program.streams.size() >= kMaximumStreams) {
    expansion.scope.error(name, fmt::format("more than {} streams", kMaximumStreams));
    return false;
  }
  const auto id = static_cast<std::uint32_t>(expansion.program.streams.size());
  if (!add_name(expansion, name, stream.name, {.kind = NameKind::stream, .id = id, .place = name.place})) return false;
  expansion.program.streams.push_back(std::move(stream));
  return true;
}

void declare_stream(Expansion& expansion, const Statement& statement, const syntax::Name& name, std::string_view text) {
  Stream stream{std::string(text), option(statement, "nonblocking") != nullptr, 0, statement.place.line};
  if (const syntax::Option* priority = option(statement, "priority")) {
    const auto value = within(expansion, std::get<syntax::Number>(*priority->value), "'priority'",
                              std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
    if (!value) return expansion.names.forgive(text);
    stream.priority = static_cast<int>(*value);
  }
  add_stream(expansion, name, std::move(stream));
}

void declare_streams(Expansion& expansion, const Statement& statement, const syntax::Name& name,
                     std::string_view text) {
  const std::string prefix(text);
  const auto count =
      within(expansion, std::get<syntax::Number>(statement.arguments[1]), "the number of streams", 1, kMaximumStreams);
  if (!count) return expansion.names.forgive_prefix(prefix);
  for (std::int64_t i = 0; i < *count; ++i) {
    Stream stream{fmt::format("{}{}", prefix, i), option(statement, "nonblocking") != nullptr, 0, statement.place.line};
    if (!add_stream(expansion, name, std::move(stream))) return;
  }
}

void declare_event(Expansion& expansion, const Statement& statement, const syntax::Name& name, std::string_view text) {
  const bool timing = option(statement, "notiming") == nullptr;
  if (Named* old = expansion.names.find(text); old && old->unseen) {
    old->unseen = false;
    old->place = name.place;
    expansion.program.events[old->id].timing = timing;
    return;
  }
  if (expansion.program.events.size() >= kMaximumNames) {
    return expansion.scope.error(name, fmt::format("more than {} events; record some again", kMaximumNames));
  }
  const auto id = static_cast<std::uint32_t>(expansion.program.events.size());
  const std::string owned(text);
  if (!add_name(expansion, name, owned, {.kind = NameKind::event, .id = id, .place = name.place})) return;
  expansion.program.events.push_back({owned, timing});
  expansion.last_record.push_back(kNoOperation);
  expansion.captured_line.push_back(0);
}

}  // namespace

Expansion::Expansion(std::vector<Diagnostic>& diagnostics) : report(diagnostics), scope(report) {
  program.streams.push_back({"default", false, 0, 0});
  program.streams.push_back({"per-thread", false, 0, 0, ThreadId{0}});
  names.add("default", {.kind = NameKind::stream, .id = kLegacyStream.value, .place = {}});
  names.add("per-thread", {.kind = NameKind::stream, .id = kPerThreadStream.value, .place = {}});
}

Named* Expansion::find(std::string_view name) {
  if (thread == ThreadId{0} || name != "per-thread") return names.find(name);
  const auto [at, fresh] = own_streams.try_emplace(thread.value);
  if (fresh) {
    const Thread& whose = program.threads[thread.value];
    at->second = {.kind = NameKind::stream, .id = static_cast<std::uint32_t>(program.streams.size()), .place = {}};
    program.streams.push_back({whose.name + ".per-thread", false, 0, whose.line, thread});
  }
  return &at->second;
}

void declare(Expansion& expansion, const Statement& statement) {
  const auto& name = std::get<syntax::Name>(statement.arguments[0]);
  const auto text = expansion.scope.text(name);
  if (!text) return forgive(expansion, statement);
  const std::string owned(*text);
  switch (statement.verb) {
    case Verb::buffer: return declare_buffer(expansion, statement, name, owned);
    case Verb::stream: return declare_stream(expansion, statement, name, owned);
    case Verb::streams: return declare_streams(expansion, statement, name, owned);
    default: return declare_event(expansion, statement, name, owned);
  }
}

void forgive(Expansion& expansion, const Statement& statement) {
  switch (statement.verb) {
    case Verb::buffer:
    case Verb::stream:
    case Verb::streams:
    case Verb::event:
    case Verb::record:
    case Verb::malloc:
    case Verb::malloc_async:
    case Verb::graph:
    case Verb::thread: break;
    default: return;
  }
  if (statement.arguments.empty()) return;
  const auto& name = std::get<syntax::Name>(statement.arguments[0]);
  if (!name.pieces.empty()) {
    expansion.names.forgive_prefix(name.pieces[0].letters);
  } else if (statement.verb == Verb::streams) {
    expansion.names.forgive_prefix(name.text);
  } else {
    expansion.names.forgive(name.text);
  }
}

Named* add_name(Expansion& expansion, const syntax::Name& name, std::string_view text, Named named) {
  if (!is_name(text) || grammar::reserved(text)) {
    expansion.scope.error(name,
                          fmt::format("'{}' comes to '{}', which is no name: names are letters, digits and '_', begin "
                                      "with a letter and have at most {} of them",
                                      shown(name.text), shown(text), kLongestName));
    expansion.names.forgive(text);
    return nullptr;
  }
  if (const Named* old = expansion.names.find(text)) {
    const auto kind = words(static_cast<NameKinds>(old->kind));
    expansion.scope.error(
        name, old->unseen
                  ? fmt::format("'{}' is waited for as an event in line {}; choose another name", text, old->place.line)
                  : fmt::format("'{}' is declared twice: it is {} of line {}{}", text, kind, old->place.line,
                                own_pass_hint(*old, name)));
    return nullptr;
  }
  return &expansion.names.add(text, named);
}

std::optional<EventId> add_event(Expansion& expansion, const syntax::Name& name, std::string_view text, bool unseen,
                                 NameKinds expected) {
  if (expansion.program.events.size() >= kMaximumNames) {
    expansion.scope.error(name, fmt::format("more than {} events; record some again", kMaximumNames));
    return std::nullopt;
  }
  const auto id = static_cast<std::uint32_t>(expansion.program.events.size());
  const std::string owned(text);
  const Named named{.kind = NameKind::event, .id = id, .place = name.place, .unseen = unseen, .expected = expected};
  if (!add_name(expansion, name, owned, named)) return std::nullopt;
  expansion.program.events.push_back({owned, true});
  expansion.last_record.push_back(kNoOperation);
  expansion.captured_line.push_back(0);
  return EventId{id};
}

std::optional<std::int64_t> within(Expansion& expansion, const syntax::Number& number, std::string_view what,
                                   std::int64_t least, std::int64_t most) {
  const auto value = expansion.scope.value(number);
  if (!value || (*value >= least && *value <= most)) return value;
  const std::string comes_to = number.expression.nodes.empty() ? std::string() : fmt::format(" comes to {}", *value);
  expansion.scope.error(number, fmt::format("'{}'{}: {} must be {}", shown(number.text), comes_to, what,
                                            most == std::numeric_limits<std::int64_t>::max()
                                                ? fmt::format("at least {}", least)
                                                : fmt::format("from {} to {}", least, most)));
  return std::nullopt;
}

}  // namespace streamscope::program

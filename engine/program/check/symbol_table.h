// What each name of a program stands for. All share one set of names, because `host: sync NAME` takes a stream or an
// event.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/id.h"
#include "engine/program/check/scope.h"

namespace streamscope::program {

enum class SymbolKind : std::uint8_t { buffer = 1, stream = 2, event = 4, graph = 8, thread = 16, kernel = 32 };
// The kinds that are allowed for a name.
class SymbolKinds {
 public:
  constexpr SymbolKinds() = default;
  constexpr SymbolKinds(SymbolKind one) : bits_(static_cast<std::uint8_t>(one)) {}
  constexpr bool has(SymbolKind one) const { return (bits_ & static_cast<std::uint8_t>(one)) != 0; }
  friend constexpr bool operator==(SymbolKinds, SymbolKinds) = default;
  friend constexpr SymbolKinds operator|(SymbolKinds left, SymbolKinds right) {
    left.bits_ |= right.bits_;
    return left;
  }

 private:
  std::uint8_t bits_ = 0;
};
constexpr SymbolKinds operator|(SymbolKind left, SymbolKind right) { return SymbolKinds(left) | SymbolKinds(right); }
std::string_view words(SymbolKinds kinds);  // "a buffer", "a stream or an event"

struct Symbol {
  SymbolKind kind = SymbolKind::buffer;
  std::uint32_t id = 0;          // in the program's table
  SourceLocation location;       // of its declaration, or of its first use where `undeclared`
  bool made_in_run = false;      // a buffer, by `malloc`; a stream or an event, by `create-stream` or `create-event`
  std::uint32_t ended_line = 0;  // of its `free` or `destroy`; of a thread: of its `join`
  std::uint32_t reset_line = 0;  // of the `reset` that took it away
  bool undeclared = false;       // an event that is waited for, but neither declared nor recorded so far
  SymbolKinds expected{};        // what `undeclared` was used as
  ThreadId owner{};              // of a stream or an event made in the run; of a buffer: who said the next last
  std::uint32_t registered_line = 0;  // of a buffer: of its `register`, until its `unregister`
};

class SymbolTable {
 public:
  Symbol* find(std::string_view name);
  Symbol& add(std::string_view name, Symbol symbol);
  void forget(const std::string& name) { symbols_.erase(name); }
  // `reset`: all that is declared so far is gone from that line on, but for the default streams.
  void end_all(std::uint32_t line);

  // No diagnostics about this name, or about any that begins like this: it would have been declared by a line with
  // an error.
  void suppress(std::string_view name) { suppressed_.emplace(name); }
  void suppress_prefix(std::string_view prefix);
  bool is_suppressed(std::string_view name) const;

  // A use of a name that is not declared so far. finish() reports it, knowing whether it is declared further down.
  void unknown(const syntax::Name& where, std::string_view name, SymbolKinds expected, const Scope& scope);
  void finish(Diagnostics& diagnostics);

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  struct Unknown {
    SourceLocation location;
    std::string name;
    SymbolKinds expected;
    std::string values;
  };
  std::string message(const Unknown& unknown) const;

  std::unordered_map<std::string, Symbol, Hash, std::equal_to<>> symbols_;
  std::unordered_set<std::string, Hash, std::equal_to<>> suppressed_;
  std::vector<std::string> suppressed_prefixes_;
  std::vector<Unknown> unknown_;
  std::unordered_set<std::uint64_t> unknown_locations_;
};

}  // namespace streamscope::program

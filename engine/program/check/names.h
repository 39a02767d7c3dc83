// What each name of a program stands for. All share one set of names, because `host: sync NAME` takes a stream or an
// event.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/program/check/scope.h"

namespace streamscope::program {

enum class NameKind : std::uint8_t { buffer = 1, stream = 2, event = 4, graph = 8, thread = 16 };
using NameKinds = std::uint8_t;  // some of them
constexpr NameKinds operator|(NameKind left, NameKind right) {
  return static_cast<NameKinds>(static_cast<NameKinds>(left) | static_cast<NameKinds>(right));
}
std::string_view words(NameKinds kinds);  // "a buffer", "a stream or an event"

struct Named {
  NameKind kind = NameKind::buffer;
  std::uint32_t id = 0;          // in the program's table
  syntax::Place place;           // of its declaration, or of its first use where `unseen`
  bool in_run = false;           // a buffer made by `malloc`
  std::uint32_t ended_line = 0;  // of its `free`; of a thread: of its `join`
  bool unseen = false;           // an event that is waited for, but neither declared nor recorded so far
  NameKinds expected = 0;        // what `unseen` was used as
};

class Names {
 public:
  Named* find(std::string_view name);
  Named& add(std::string_view name, Named named);

  // Declared by a line with an error: no further word about it. The second form: all names that begin like this.
  void forgive(std::string_view name) { forgiven_.emplace(name); }
  void forgive_prefix(std::string_view prefix);
  bool forgiven(std::string_view name) const;

  // A use of a name that is not there. What to say is known only at the end: it may be declared further down.
  void unknown(const syntax::Name& where, std::string_view name, NameKinds expected, const Scope& scope);
  void finish(Report& report);

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  struct Unknown {
    syntax::Place place;
    std::string name;
    NameKinds expected;
    std::string values;
  };
  std::string message(const Unknown& unknown) const;

  std::unordered_map<std::string, Named, Hash, std::equal_to<>> named_;
  std::unordered_set<std::string, Hash, std::equal_to<>> forgiven_;
  std::vector<std::string> prefixes_;
  std::vector<Unknown> unknown_;
  std::unordered_set<std::uint64_t> unknown_places_;
};

}  // namespace streamscope::program

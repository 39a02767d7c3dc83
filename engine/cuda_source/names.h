// What C++ calls the buffers, streams, events, graphs and threads of a program. Names that differ only in the number at
// their end, and that the program forms so (`S{i%4}`), are an array.
//
// A name may stand for one thing after another: freed and allocated again, lost to a reset and made anew, first a
// stream and then an event. These lives of it share a variable where they are of one sort and the host has one after
// the other; what two threads make each for itself has a variable each.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cuda_source/expressions.h"
#include "engine/program/program.h"

namespace streamscope::cuda_source {

enum class Entity : std::uint8_t { buffer, stream, event, graph, thread };

// A variable of C++: one thing of the program, or an array of several.
struct Named {
  Entity entity;
  std::string cpp;
  bool array = false;
  std::uint64_t size = 0;           // of an array: one more than the largest number
  std::vector<std::uint32_t> ids;   // in the program's table
  std::vector<std::uint64_t> at{};  // of an array: the number of each
  bool one_size = true;             // of buffers: all have as many bytes
  bool size_changes = false;        // of buffers: one place has now so many bytes, now others
};

// "S[i % 4]": the array and the index, or the name alone.
struct Place {
  const Named* named = nullptr;
  std::uint32_t id = 0;    // what stands there, in the program's table; where the index is no number, one of them
  std::string index = {};  // "[i % 4]"
  std::string cpp(std::string_view suffix = "") const { return named->cpp + std::string(suffix) + index; }
  std::string bytes() const { return named->cpp + "_bytes" + (named->one_size ? "" : index); }
};

// Behind the name of a buffer: its side on a device, where that is not the first that it has one on.
std::string suffix_of_device(std::uint32_t device);

class Names {
 public:
  Names(const program::Syntax& syntax, const program::Program& program);
  const std::vector<Named>& all() const { return all_; }
  // A name that nothing has yet.
  std::string unused(std::string_view wanted);
  void free(const std::string& name);  // that unused() gave
  // What stands there; nothing where its number is a loop's and there is no such array: the loop must be written out.
  std::optional<Place> find(const program::syntax::Name& name, const Variables& variables,
                            std::initializer_list<Entity> among) const;
  Place find(Entity entity, std::uint32_t id) const;

  // What the name stands for depends on the statement, so that loops around it must be written out and each statement
  // that makes one says begin().
  bool changes(const program::syntax::Name& name) const;
  void begin(const program::syntax::Name& name, const Variables& variables);  // its next life
  void begin_anew();                                                          // before the first statement

 private:
  struct Life {
    Entity entity;
    std::uint32_t id;
  };
  struct Lives {
    std::vector<Life> all;
    bool first_is_declared = false, change = false;
    std::size_t begun = 0;
    const Life& now() const { return all[begun == 0 ? 0 : begun - 1]; }
  };
  using Key = std::pair<Entity, std::uint32_t>;
  void add_declared(const program::Program& program);
  void add_made(const program::Program& program);
  // `again`: the variable of its last life is free for it.
  void add(Entity entity, std::uint32_t id, const std::string& name, bool again);
  void name_all();
  void find_changes(const program::Program& program);

  struct Family {
    Entity entity;
    std::string letters;
    friend auto operator<=>(const Family&, const Family&) = default;
  };
  std::set<std::string, std::less<>> formed_;  // the letters of names that braces form
  std::set<std::string, std::less<>> used_;    // identifiers
  std::vector<std::string> suffixes_;          // of variables that belong to another one
  std::vector<Named> all_;
  std::map<Family, std::size_t> families_;
  std::map<Key, std::pair<std::size_t, std::uint64_t>> of_id_;  // index in all_, number
  std::map<std::string, Lives, std::less<>> of_name_;
  bool any_changes_ = false;
};

}  // namespace streamscope::cuda_source

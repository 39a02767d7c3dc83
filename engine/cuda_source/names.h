// What C++ calls the buffers, streams, events, graphs and threads of a program. Names that differ only in the number at
// their end, and that the program forms so (`S{i%4}`), are an array.
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
};

// "S[i % 4]": the array and the index, or the name alone.
struct Place {
  const Named* named = nullptr;
  std::string index = {};  // "[i % 4]"
  std::string cpp(std::string_view suffix = "") const { return named->cpp + std::string(suffix) + index; }
};

// Behind the name of a buffer: its side on a device, where that is not the first that it has one on.
std::string suffix_of_device(std::uint32_t device);
// What stands there, in the program's table; of an array whose index is no number, one of them.
std::uint32_t id_at(const Place& place);

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

 private:
  void add(Entity entity, std::uint32_t id, const std::string& name);
  void name_all();

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
  std::map<std::pair<Entity, std::uint32_t>, std::pair<std::size_t, std::uint64_t>> of_id_;  // index in all_, number
  std::map<std::string, std::pair<Entity, std::uint32_t>, std::less<>> of_name_;
};

}  // namespace streamscope::cuda_source

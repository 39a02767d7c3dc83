// The formats that the program reads, each with a small file of it and its reader.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace streamscope::damage {

// What a reader made of some bytes.
struct Seen {
  std::string error;       // empty: it read them
  std::string notes;       // that say what is missing
  std::size_t things = 0;  // that can be lost: operations and their times, messages
};

struct Format {
  std::string name;
  std::string bytes;  // of a file in which all is right
  Seen (*look)(std::string_view bytes);
  bool written_by_programs = true;  // else damage may make another right text of it, which nobody can tell
};
// `source`: the tree with tests/golden and assets.
std::vector<Format> formats(const std::string& source);

// Files that ask for much memory or time in few bytes, `bytes` long or a little less.
struct Greedy {
  std::string name;
  std::string (*make)(std::size_t bytes);
  Seen (*look)(std::string_view bytes);
};
std::vector<Greedy> greedy_files();

}  // namespace streamscope::damage

// The words of the sources (tests/ideas/words.csv): what people type in three languages, and the lesson of each.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace streamscope {

struct SourceWord {
  std::string lesson;  // its number: "03"
  std::string word;
};
// `file`: the path of the list.
inline std::vector<SourceWord> source_words(const std::filesystem::path& file) {
  std::vector<SourceWord> all;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#') || line.starts_with("lesson,")) continue;
    const std::size_t first = line.find(',');
    for (std::size_t at = first; at < line.size();) {
      const std::size_t end = std::min(line.find(',', at + 1), line.size());
      all.push_back({line.substr(0, first), line.substr(at + 1, end - at - 1)});
      at = end;
    }
  }
  return all;
}

}  // namespace streamscope

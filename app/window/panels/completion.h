// What the word at the cursor of a program may become: words of the language and names that the program has.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace streamscope::window {

inline constexpr std::size_t kMostCompletions = 12;

struct Completion {
  std::size_t begin = 0;           // of the word, in the text
  std::vector<std::string> words;  // the names first; none: nothing begins so
};
Completion complete(std::string_view program, std::size_t cursor);

// What the help says of a word of the language; empty: it is none.
std::string sentence_of(std::string_view word);

}  // namespace streamscope::window

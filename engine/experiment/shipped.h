// The experiments and programs that come with the program, and the words by which a person finds each.
//
// An experiment has its keys name, about and keywords. A stream program says the same in comments: at its head
//
//   # Title: Copy in, compute, copy out
//   # What it shows, in one sentence. Then more, in as many lines as it takes.
//
// and anywhere, where nobody has to read past it, such as at its end
//
//   # Keywords: overlap, cudaMemcpyAsync
//   # 关键词: 重叠
//   # 키워드: 겹침
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/experiment/experiment.h"

namespace streamscope::experiment {

struct Head {
  std::string title;  // empty: it says none
  std::string about;  // paragraphs, with an empty line between two
  Keywords keywords;
};
// Of a stream program. Title and text are of its comments before the first line that is none.
Head head_of(std::string_view program);

// Up to the first full stop; "" where there is none.
std::string first_sentence(std::string_view text);

// What is said of an experiment or a program, in the language of the person: its first sentence is a message, and so is
// what comes after that.
std::string in_own_language(std::string_view about);

struct Shipped {
  std::filesystem::path path;
  std::string name;           // "four-streams"
  std::string title;          // "Four streams"; the name where the file says none
  std::string sentence = {};  // what it shows
  std::string about = {};     // all that is said of it, from that sentence on
  Keywords keywords = {};
};
// Of a file, by its name's ending. Error: it cannot be read, or is an experiment with errors.
Result<Shipped> describe(const std::filesystem::path& path);
// All in assets/experiments and assets/programs, by name; what cannot be read has its name for a title.
std::vector<Shipped> shipped();

}  // namespace streamscope::experiment

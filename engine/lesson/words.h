// The words of a lesson in one language: a narrow markdown, a section for each step.
//
//   # Title                    then a paragraph: what the lesson is about
//   ## step                    the step's text
//   - half: About half.        words of a choice, or of an item to be put in order
//   ### half                   what is said to who answered so; also right, wrong, too-low, too-high, fails, hint, done
//
// Paragraphs, lists of "- ", **bold**, `code`, fenced code blocks, and {makespan(four)} for a figure of a run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/lesson/expression.h"

namespace streamscope::lesson {

struct Piece {
  enum class Kind : std::uint8_t { plain, bold, code, value };
  Kind kind = Kind::plain;
  std::string text;  // of a value, as written
  std::optional<Expression> value{};
};
using Line = std::vector<Piece>;
struct Block {
  enum class Kind : std::uint8_t { paragraph, item, code };
  Kind kind = Kind::paragraph;
  Line line;  // of code one plain piece, with its line ends
};
using Text = std::vector<Block>;

struct Section {
  std::string place;
  Text text;
  std::map<std::string, Line, std::less<>> options;  // of choices and items, by name
  std::map<std::string, Text, std::less<>> answers;  // by the name behind ###
};
struct Words {
  std::string file;
  std::string title;
  Text about;
  std::map<std::string, Section, std::less<>> sections;  // by step
};

// What a step's section must have.
struct Needed {
  std::string step;
  std::string run;                   // that its values are of where they name none
  std::vector<std::string> options;  // their names, in order
  std::vector<std::string> answers;
  bool wrong_for_all = false;  // "wrong" stands for those of `options` that have no answer of their own
};
// All that is wrong in one error, each line "file:line:column: error: ...": also a section that is missing or is of no
// step, and words that are missing in one.
Result<Words> read_words(std::string_view markdown, const std::string& file, const std::vector<Needed>& needed,
                         const Names& names);

// The title and the paragraph behind it, of any text.
struct Heading {
  std::string title, about;
};
Heading heading_of(std::string_view markdown);

// With the values of the runs; `scope` may be null: then, and where one is not known, "…" stands for it.
std::string plain(const Line& line, const Scope* scope);
std::string plain(const Text& text, const Scope* scope);
std::string all_text(const Words& words);  // whatever is in it, for the letters that it takes

}  // namespace streamscope::lesson

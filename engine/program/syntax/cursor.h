// Reads the parts of one line: names, numbers, ranges, words. Each function moves past what it read; where the text is
// not what was expected it reports the error and returns nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/program/diagnostic.h"
#include "engine/program/syntax/grammar.h"
#include "engine/program/syntax/tree.h"

namespace streamscope::program {

bool is_unit(std::string_view word);  // of a size or a duration

class Cursor {
 public:
  // `code` is the line up to its comment.
  Cursor(std::string_view code, std::uint32_t line, std::vector<Diagnostic>& diagnostics)
      : code_(code), line_(line), diagnostics_(diagnostics) {}

  // At the same place, with its errors elsewhere.
  Cursor(const Cursor& of, std::vector<Diagnostic>& diagnostics)
      : code_(of.code_), at_(of.at_), line_(of.line_), diagnostics_(diagnostics) {}

  std::string_view code() const { return code_; }
  std::string_view rest() const { return code_.substr(at_); }
  std::size_t at() const { return at_; }
  char peek() const { return at_ < code_.size() ? code_[at_] : '\0'; }
  bool done();  // skips blanks first
  void skip_blanks();
  bool take(char wanted);  // skips blanks first; moves past the character if it comes next

  SourceLocation location() const { return location_of(at_); }
  SourceLocation location_of(std::size_t at) const;
  void error(SourceLocation location, std::string message);
  // "expected WHAT, found …" at the cursor.
  void expected(std::string_view what);
  // The text at the cursor up to the next blank or punctuation, for messages; or "the end of the line".
  std::string found() const;

  void skip_word();                // up to a blank or a brace
  std::string_view word();         // letters, digits, '_' and '-'; empty where there is none
  std::string_view dotted_word();  // and with dots in it: "cp.async"
  std::optional<syntax::Name> name(std::string_view what);
  std::optional<syntax::Number> number(grammar::ArgumentKind kind, std::string_view what);
  std::optional<syntax::Range> range(std::string_view what);
  std::optional<syntax::Range> side(std::string_view what);  // and the device: x[0:16MiB]@1
  // From one character to the other, both with it: "mine.cu", (int n).
  std::optional<syntax::Word> enclosed(char begin, char end, std::string_view what);
  std::optional<syntax::Word> decimal();                          // 2.5; nothing, and nothing read, where none is here
  std::optional<syntax::Numbers> numbers(std::string_view what);  // whole ones: 0,1

 private:
  std::optional<syntax::Expression> braces();

  std::string_view code_;
  std::size_t at_ = 0;
  std::uint32_t line_;
  mutable std::size_t counted_ = 0;       // bytes that location_of has counted,
  mutable std::uint32_t characters_ = 0;  // and the characters that begin in them
  std::vector<Diagnostic>& diagnostics_;
};

}  // namespace streamscope::program

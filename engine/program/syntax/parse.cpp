// Line by line: a line with an error is kept as `broken`, and parsing goes on with the next one.
#include "engine/program/syntax/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/translate.h"
#include "engine/program/limits.h"
#include "engine/program/syntax/cursor.h"
#include "engine/program/syntax/grammar.h"
#include "engine/program/syntax/statement.h"

namespace streamscope::program {
namespace {

using syntax::Line;
using syntax::Statement;

constexpr std::size_t kMostErrors = 10'000;  // a text with more of them is no program

constexpr std::string_view kBlanks = " \t\r\v\f";

std::string_view without_trailing_blanks(std::string_view text) {
  const std::size_t last = text.find_last_not_of(kBlanks);
  return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return without_trailing_blanks(text);
}

// Blocks that are open, outermost first. The contents of blocks that nest too deep are checked for errors and dropped.
class Blocks {
 public:
  explicit Blocks(std::vector<Diagnostic>& diagnostics) : diagnostics_(diagnostics) {}

  void add(Line line) { lines().push_back(std::move(line)); }
  void add_blank() {
    std::vector<Line>& all = lines();
    if (!all.empty() && blank(all.back()))
      all.back().comment += '\n';
    else
      all.emplace_back();
  }

  void open(Line line, SourceLocation location) {
    open_.push_back({std::move(line), location, {}});
    if (open_.size() == kMaximumNesting + 1) {
      error(location, tr("blocks nest {} deep here; at most {} are allowed", open_.size(), kMaximumNesting));
    }
  }

  // False where nothing is open.
  bool close(std::string comment) {
    if (open_.empty()) return false;
    Open block = std::move(open_.back());
    open_.pop_back();
    if (open_.size() >= kMaximumNesting) return true;
    block.line.statement->body = std::move(block.body);
    block.line.statement->closing_comment = std::move(comment);
    add(std::move(block.line));
    return true;
  }

  std::vector<Line> finish() {
    while (!open_.empty()) {
      // If the line that opened it is broken, that error is enough.
      if (!open_.back().line.statement->broken) {
        error(open_.back().location, tr("this block is never closed; write '}' on a line of its own at its end"));
      }
      close({});
    }
    return std::move(outermost_);
  }

 private:
  struct Open {
    Line line;
    SourceLocation location;
    std::vector<Line> body;
  };
  void error(SourceLocation location, std::string message) {
    diagnostics_.push_back({Diagnostic::Severity::error, location.line, location.column, std::move(message)});
  }
  std::vector<Line>& lines() { return open_.empty() ? outermost_ : open_.back().body; }

  std::vector<Diagnostic>& diagnostics_;
  std::vector<Line> outermost_;
  std::vector<Open> open_;
};

// In a broken line only the braces show what it opens and closes.
struct Braces {
  std::size_t closes = 0, opens = 0;
};
Braces unmatched(std::string_view code) {
  Braces braces;
  for (const char letter : code) {
    if (letter == '{') ++braces.opens;
    if (letter != '}') continue;
    if (braces.opens > 0) {
      --braces.opens;
    } else {
      ++braces.closes;
    }
  }
  return braces;
}

class Reader {
 public:
  explicit Reader(std::vector<Diagnostic>& diagnostics) : diagnostics_(diagnostics), blocks_(diagnostics) {}

  void line(std::string_view text, std::uint32_t number) {
    const std::size_t hash = std::min(text.find('#'), text.size());
    std::string comment(trimmed(text.substr(hash)));
    Cursor cursor(without_trailing_blanks(text.substr(0, hash)), number, diagnostics_);
    if (cursor.done() && comment.empty()) return blocks_.add_blank();
    if (cursor.done()) return blocks_.add({std::nullopt, std::move(comment)});
    const SourceLocation location = cursor.location();
    if (cursor.peek() == '}') return close(cursor, std::move(comment));

    Statement statement = parse_statement(cursor, own_);
    if (!statement.broken && !cursor.done()) {
      if (cursor.peek() == '{' && !statement.opens_block) {
        cursor.error(cursor.location(),
                     tr("expected the end of the line, found '{'; only `repeat`, `graph` and `thread` open blocks"));
      } else {
        cursor.error(cursor.location(),
                     tr("expected the end of the line, found {}; {}", cursor.found(),
                        statement.opens_block ? tr("write the block's statements on lines of their own")
                        : cursor.peek() == '}'
                            ? tr("write '}' on a line of its own")
                            : tr("one statement a line: right is for example `{}`", grammar::form(statement).usage)));
      }
      statement.broken = true;
    }
    if (!statement.broken) {
      Line line{std::move(statement), std::move(comment)};
      if (line.statement->opens_block) return blocks_.open(std::move(line), location);
      return blocks_.add(std::move(line));
    }
    broken(std::move(statement), cursor.code(), location, std::move(comment));
  }

  std::vector<Line> finish() { return blocks_.finish(); }

 private:
  void close(Cursor& cursor, std::string comment) {
    const SourceLocation location = cursor.location();
    cursor.take('}');
    if (!blocks_.close(std::move(comment))) {
      cursor.error(
          location,
          tr("this '}' closes nothing; every '}' needs a `repeat … {`, `graph … {` or `thread … {` before it"));
    }
    if (cursor.done()) return;
    cursor.error(cursor.location(), tr("expected the end of the line behind '}}', found {}; write what follows on a "
                                       "line of its own",
                                       cursor.found()));
    const Braces rest = unmatched(cursor.rest());
    for (std::size_t i = 0; i < rest.closes; ++i) blocks_.close({});
    for (std::size_t i = 0; i < rest.opens; ++i) open_unknown(location);
  }

  void broken(Statement statement, std::string_view code, SourceLocation location, std::string comment) {
    statement.text = trimmed(code);
    const Braces braces = unmatched(code);
    statement.opens_block = braces.opens > 0;
    Line line{std::move(statement), std::move(comment)};
    const bool opens = braces.opens > 0;
    if (!opens) blocks_.add(std::move(line));
    for (std::size_t i = 0; i < braces.closes; ++i) blocks_.close({});
    if (!opens) return;
    blocks_.open(std::move(line), location);
    for (std::size_t i = 1; i < braces.opens; ++i) open_unknown(location);
  }

  void open_unknown(SourceLocation location) {
    Statement statement;
    statement.location = location;
    statement.broken = true;
    statement.opens_block = true;
    statement.text = "{";
    blocks_.open({std::move(statement), {}}, location);
  }

  std::vector<Diagnostic>& diagnostics_;
  Blocks blocks_;
  OwnNames own_;
};

}  // namespace

Parsed parse(std::string_view text) {
  Parsed parsed;
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  Reader reader(parsed.diagnostics);
  std::uint32_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    reader.line(line, ++number);
    if (parsed.diagnostics.size() < kMostErrors) continue;
    parsed.diagnostics.push_back({Diagnostic::Severity::error, number, 1,
                                  tr("there are {} errors up to here; what follows was not read", kMostErrors)});
    break;
  }
  parsed.syntax.lines = reader.finish();
  return parsed;
}

}  // namespace streamscope::program

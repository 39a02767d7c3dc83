// The syntax tree of a stream program: what its text says, before names are looked up and repeats expanded.
//
// It keeps all that the canonical form shows: the spelling of names, sizes and durations, comments and blank lines; and
// the location of everything that an error may be about. parse() makes it, print() and check() read it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/program/source_location.h"
#include "kernels/kernel.h"

namespace streamscope::program {

namespace syntax {

// Integer arithmetic of `{…}`, as postfix: operands before their operator. Empty where the text had no braces.
struct Expression {
  // Of an operator between two operands, its sign.
  enum class Kind : char {
    number = 'n',
    variable = 'v',
    negate = 'm',
    add = '+',
    subtract = '-',
    multiply = '*',
    divide = '/',
    remainder = '%'
  };
  struct Node {
    Kind kind = Kind::number;
    std::int64_t value = 0;  // of a number
    std::string variable;    // of a variable
    SourceLocation location;
  };
  std::vector<Node> nodes;
};

// `S{i%4}`: the letters outside the braces are kept as written.
struct Name {
  struct Piece {
    std::string letters;    // before the braces
    Expression expression;  // empty for the last letters
  };
  SourceLocation location;
  std::string text;           // as written
  std::vector<Piece> pieces;  // empty where `text` has no braces
};

// A size in bytes, a duration in nanoseconds or a plain integer: `value`, or where there are braces expression *
// factor.
struct Number {
  SourceLocation location;
  std::string text;  // as written
  std::int64_t value = 0;
  Expression expression;
  std::int64_t factor = 1;
};

// As std::optional, in the room of a pointer: most ranges are whole buffers, and a long program has many.
class OptionalNumber {
 public:
  OptionalNumber() = default;
  OptionalNumber(std::optional<Number> number)
      : held_(number ? std::make_unique<Number>(std::move(*number)) : nullptr) {}
  OptionalNumber(const OptionalNumber& other) : held_(other ? std::make_unique<Number>(*other) : nullptr) {}
  OptionalNumber(OptionalNumber&&) noexcept = default;
  OptionalNumber& operator=(OptionalNumber other) noexcept {
    held_ = std::move(other.held_);
    return *this;
  }
  ~OptionalNumber() = default;

  explicit operator bool() const { return held_ != nullptr; }
  Number& operator*() { return *held_; }
  const Number& operator*() const { return *held_; }
  Number* operator->() { return held_.get(); }
  const Number* operator->() const { return held_.get(); }

 private:
  std::unique_ptr<Number> held_;
};

// `x` or `x[OFF:LEN]`.
struct Range {
  Name buffer;
  OptionalNumber offset, bytes;  // both or none
  OptionalNumber device;         // `x[OFF:LEN]@1`: whose side
};

// `0,1`
struct Numbers {
  SourceLocation location;
  std::string text;  // as written
  std::vector<Number> each;
};

// A keyword as a value: `pinned`, `h2d`.
struct Word {
  SourceLocation location;
  std::string text;
};

using Argument = std::variant<Name, Number, Range, Word, Numbers>;

struct Option {
  SourceLocation location;
  std::string key;
  std::optional<Argument> value;  // none for a flag such as `nonblocking`
};

enum class Verb : std::uint8_t {
  none,  // a line that was not understood
  buffer,
  stream,
  streams,
  event,
  own_kernel,
  default_stream,
  repeat,
  graph,
  thread,  // declarations and structure
  h2d,
  d2h,
  d2d,
  peer,
  memset,
  kernel,  // Statement::kernel
  own,     // a kernel that the program declares: its name, then what it is given
  record,
  wait,
  hostfn,
  callback,
  prefetch,
  malloc_async,
  free_async,
  launch,
  fault,  // given to a stream
  work,
  sync,
  poll,
  query,
  attributes,
  capture,
  capture_info,
  elapsed,
  memcpy,
  memset_now,
  d2d_now,
  malloc,
  free,
  create_stream,
  create_event,
  destroy,
  malloc_host,
  free_host,
  pin,
  unpin,
  last_error,
  reset,
  touch,
  join,
  device,
  peer_access,  // done by the host
};

struct Line;

// arguments and options are those that grammar.h lists for the verb, in its order; where `broken` is set they are those
// that were understood before the error, and `text` is the line as it stood.
struct Statement {
  SourceLocation location;
  Verb verb = Verb::none;
  const kernels::Kernel* kernel = nullptr;  // of Verb::kernel
  std::optional<Name> stream;               // `A:`; none for declarations and for the host
  std::vector<Argument> arguments;
  std::vector<Option> options;
  bool broken = false;
  std::string text;

  // of `repeat COUNT as VARIABLE {`, `graph NAME on STREAM {` and `thread NAME {`; what is in capitals is in arguments,
  // but for VARIABLE
  std::optional<Name> variable;
  bool opens_block = false;
  std::vector<Line> body;
  std::string closing_comment;
};

// A statement or none. On its own in memory, as most lines of a large text are comments or blank, and a statement is
// large.
class OptionalStatement {
 public:
  OptionalStatement() = default;
  OptionalStatement(std::nullopt_t) {}  // NOLINT: as std::optional has it
  OptionalStatement(Statement of) : kept_(std::make_unique<Statement>(std::move(of))) {}  // NOLINT
  OptionalStatement(const OptionalStatement& other) : kept_(other ? std::make_unique<Statement>(*other) : nullptr) {}
  OptionalStatement(OptionalStatement&&) noexcept = default;
  OptionalStatement& operator=(OptionalStatement other) noexcept {
    kept_ = std::move(other.kept_);
    return *this;
  }

  bool has_value() const { return kept_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  Statement& operator*() { return *kept_; }
  const Statement& operator*() const { return *kept_; }
  Statement* operator->() { return kept_.get(); }
  const Statement* operator->() const { return kept_.get(); }

 private:
  std::unique_ptr<Statement> kept_;
};

// One line of text: a statement, a comment, both, or neither: a blank line. Of several blank lines in a row one stands
// for all, and its comment is the line ends of the others.
struct Line {
  OptionalStatement statement;
  std::string comment;  // from `#` on; empty for none
};
inline bool blank(const Line& line) { return !line.statement && !line.comment.starts_with('#'); }

}  // namespace syntax

struct Syntax {
  std::vector<syntax::Line> lines;
};

}  // namespace streamscope::program

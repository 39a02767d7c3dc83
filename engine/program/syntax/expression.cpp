#include "engine/program/syntax/expression.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "engine/base/translate.h"
#include "engine/program/limits.h"
#include "engine/program/syntax/characters.h"

namespace streamscope::program {
namespace {

using syntax::Expression;
using Kind = Expression::Kind;

// An expression may be evaluated ten million times.
constexpr std::size_t kMaximumNodes = 256;

// Recursive descent; each function gives false after it has set the error.
class Parser {
 public:
  Parser(std::string_view text, const std::function<SourceLocation(std::size_t)>& location_of)
      : text_(text), location_of_(location_of) {}

  ParsedExpression parse() {
    if (!operation()) return error_;
    skip_blanks();
    if (at_ < text_.size()) {
      fail(at_, tr("expected an operator (+ - * / %) or '}}', found '{}'", printable(text_.substr(at_, 1))));
      return error_;
    }
    return std::move(expression_);
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  char peek() {
    skip_blanks();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool fail(std::size_t at, std::string message) {
    error_ = {location_of_(at), std::move(message)};
    return false;
  }
  void add(Kind kind, std::size_t at) { expression_.nodes.push_back({kind, 0, {}, location_of_(at)}); }
  bool full(std::size_t at) {
    if (expression_.nodes.size() < kMaximumNodes) return false;
    fail(at, tr("the arithmetic has more than {} parts; simplify it", kMaximumNodes));
    return true;
  }

  // Operators that bind equally, the weakest first, each between two operands of what binds stronger.
  bool operation(std::size_t strength = 0) {
    constexpr std::string_view kOperators[] = {"+-", "*/%"};
    if (strength == std::size(kOperators)) return factor();
    if (!operation(strength + 1)) return false;
    for (char sign = peek(); kOperators[strength].find(sign) != std::string_view::npos; sign = peek()) {
      const std::size_t at = at_++;
      if (!operation(strength + 1)) return false;
      add(Kind{sign}, at);
    }
    return true;
  }

  bool factor() {
    const char next = peek();
    if (full(at_)) return false;
    if (next == '-' || next == '(') {
      const std::size_t at = at_++;
      if (++depth_ > kMaximumNesting) {
        return fail(at, tr("the arithmetic nests more than {} deep; simplify it", kMaximumNesting));
      }
      if (next == '-') {
        if (!factor()) return false;
        add(Kind::negate, at);
      } else {
        if (!operation()) return false;
        if (peek() != ')') return fail(at, tr("this '(' is never closed; write ')' before the '}'"));
        ++at_;
      }
      --depth_;
      return true;
    }
    if (is_digit(next)) return number();
    if (is_letter(next)) return variable();
    if (next == '\0')
      return fail(at_, tr("expected a number or the variable of a repeat, found nothing; write {i} or {2*i+1}"));
    return fail(at_, tr("expected a number, a variable or '(', found '{}'", printable(text_.substr(at_, 1))));
  }

  bool number() {
    const std::size_t from = at_;
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (problem != std::errc{}) return fail(from, tr("the number is too large: integers go up to 9223372036854775807"));
    at_ = static_cast<std::size_t>(end - text_.data());
    if (at_ < text_.size() && (is_letter(text_[at_]) || text_[at_] == '.')) {
      return fail(at_, tr("expected an operator or '}}', found '{}': braces hold whole numbers without a unit; "
                          "write the unit behind them, as in {{i*4}}MiB",
                          printable(text_.substr(at_))));
    }
    expression_.nodes.push_back({Kind::number, value, {}, location_of_(from)});
    return true;
  }

  bool variable() {
    const std::size_t from = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    expression_.nodes.push_back({Kind::variable, 0, std::string(text_.substr(from, at_ - from)), location_of_(from)});
    return true;
  }

  std::string_view text_;
  const std::function<SourceLocation(std::size_t)>& location_of_;
  std::size_t at_ = 0;
  std::uint32_t depth_ = 0;
  Expression expression_;
  ExpressionError error_;
};

// Nothing on overflow or division by zero.
std::optional<std::int64_t> apply(Kind kind, std::int64_t left, std::int64_t right) {
  std::int64_t value = 0;
  bool fits = false;
  switch (kind) {
    case Kind::add: fits = !__builtin_add_overflow(left, right, &value); break;
    case Kind::subtract: fits = !__builtin_sub_overflow(left, right, &value); break;
    case Kind::multiply: fits = !__builtin_mul_overflow(left, right, &value); break;
    default:
      // The least integer divided by -1 does not fit; the processor traps on its remainder too.
      fits = right != 0 && (right != -1 || left != std::numeric_limits<std::int64_t>::min());
      if (fits) value = kind == Kind::divide ? left / right : left % right;
  }
  return fits ? std::optional(value) : std::nullopt;
}

}  // namespace

ParsedExpression parse_expression(std::string_view text,
                                  const std::function<SourceLocation(std::size_t)>& location_of) {
  return Parser(text, location_of).parse();
}

Evaluated evaluate(const Expression& expression, const Variables& variables) {
  std::int64_t stack[kMaximumNodes];
  std::size_t size = 0;
  for (const Expression::Node& node : expression.nodes) {
    if (node.kind == Kind::number) {
      stack[size++] = node.value;
    } else if (node.kind == Kind::variable) {
      const auto value = variables(node.variable);
      if (!value) return ExpressionError{node.location, tr("'{}' is no variable here", printable(node.variable))};
      stack[size++] = *value;
    } else if (node.kind == Kind::negate) {
      if (stack[size - 1] == std::numeric_limits<std::int64_t>::min()) {
        return ExpressionError{node.location, tr("integer overflow: the result does not fit 64 bits")};
      }
      stack[size - 1] = -stack[size - 1];
    } else {
      const std::int64_t right = stack[--size];
      const std::int64_t left = stack[size - 1];
      const auto value = apply(node.kind, left, right);
      if (!value) {
        const bool by_zero = right == 0 && (node.kind == Kind::divide || node.kind == Kind::remainder);
        const std::string what = fmt::format("{} {} {}", left, static_cast<char>(node.kind), right);
        return ExpressionError{node.location, by_zero ? tr("division by zero: ") + what
                                                      : tr("integer overflow: ") + what + tr(" does not fit 64 bits")};
      }
      stack[size - 1] = *value;
    }
  }
  return stack[0];
}

}  // namespace streamscope::program

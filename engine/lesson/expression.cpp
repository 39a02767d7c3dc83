#include "engine/lesson/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "engine/base/place.h"
#include "engine/base/quantity.h"
#include "engine/base/suggest.h"
#include "engine/base/translate.h"
#include "engine/lesson/quantities.h"
#include "engine/program/syntax/characters.h"

namespace streamscope::lesson {
namespace {

constexpr int kDeepest = 32;  // of parentheses, so that no text exhausts the stack

constexpr std::array kUnits = std::to_array<Unit>({{"ns", 1, kTime},
                                                   {"us", 1e3, kTime},
                                                   {"ms", 1e6, kTime},
                                                   {"s", 1e9, kTime},
                                                   {"B", 1, kBytes},
                                                   {"KiB", 1024, kBytes},
                                                   {"MiB", 1024.0 * 1024, kBytes},
                                                   {"GiB", 1024.0 * 1024 * 1024, kBytes},
                                                   {"KB", 1e3, kBytes},
                                                   {"MB", 1e6, kBytes},
                                                   {"GB", 1e9, kBytes},
                                                   {"MB/s", 1e-3, kRate},
                                                   {"GB/s", 1, kRate},
                                                   {"%", 0.01, kNumber},
                                                   {"x", 1, kNumber},
                                                   {"count", 1, kNumber}});

std::string words_of(Dimension of) {
  if (of == kNumber) return tr("a plain number");
  if (of == kTime) return tr("a time");
  if (of == kBytes) return tr("a number of bytes");
  if (of == kRate) return tr("a rate");
  return tr("a product of times and bytes");
}
std::string words_of(const Type& of) {
  switch (of.sort) {
    case Sort::text: return tr("a text");
    case Sort::truth: return tr("a relation");
    case Sort::number: break;
  }
  return words_of(of.dimension);
}

bool is_zero(const Expression& of) { return of.kind == Expression::Kind::number && of.number == 0; }

// Every function returns nothing once there is an error.
class Parser {
 public:
  Parser(std::string_view text, const TextPlace& place, const Names& names)
      : text_(text), place_(place), names_(names) {}

  Result<Expression> whole() {
    auto out = any();
    if (out && (skip(), at_ < text_.size())) error(at_, tr("expected the end, found '{}'", rest()));
    if (error_) return fail(*error_);
    out->written = text_;
    return std::move(*out);
  }

 private:
  using Kind = Expression::Kind;
  using Maybe = std::optional<Expression>;

  std::nullopt_t error(std::size_t at, std::string_view what) {
    if (!error_) error_ = Error{ErrorKind::bad_input, error_at(place_.at(at), what)};
    return std::nullopt;
  }
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
  }
  std::string_view rest() const { return text_.substr(at_, 24); }
  bool take(std::string_view wanted) {
    skip();
    if (!text_.substr(at_).starts_with(wanted)) return false;
    at_ += wanted.size();
    return true;
  }
  // Letters, digits, '_', and '-' before a letter: "four-streams", but "a -1" and "a-1" subtract.
  std::string_view peek_name() {
    skip();
    std::size_t end = at_;
    if (end < text_.size() && !program::is_letter(text_[end])) return {};
    const auto letter = [&](std::size_t i) { return i < text_.size() && program::is_letter(text_[i]); };
    while (letter(end) || (end < text_.size() && end > at_ && program::is_digit(text_[end])) ||
           (end < text_.size() && text_[end] == '-' && letter(end + 1)))
      ++end;
    return text_.substr(at_, end - at_);
  }
  bool take_word(std::string_view wanted) {
    if (peek_name() != wanted) return false;
    at_ += wanted.size();
    return true;
  }
  Expression make(Kind kind, std::size_t at, Type type) {
    Expression out;
    out.kind = kind;
    out.type = type;
    out.place = place_.at(at);
    return out;
  }

  // operand (word operand)*, all truths
  template <class Operand>
  Maybe chain(std::string_view word, Kind kind, Operand operand) {
    skip();
    const std::size_t begin = at_;
    Maybe first = operand();
    if (!first || peek_name() != word) return first;
    Expression out = make(kind, begin, {Sort::truth});
    out.operands.push_back(std::move(*first));
    while (take_word(word)) {
      Maybe next = operand();
      if (!next) return std::nullopt;
      out.operands.push_back(std::move(*next));
    }
    for (const Expression& each : out.operands)
      if (each.type.sort != Sort::truth)
        return error(begin, tr("'{}' is between relations, and {} is none", word, words_of(each.type)));
    return out;
  }
  Maybe any() {
    return chain("or", Kind::any, [this] { return all(); });
  }
  Maybe all() {
    return chain("and", Kind::all, [this] { return no(); });
  }
  Maybe no() {
    skip();
    const std::size_t begin = at_;
    if (!take_word("not")) return compare();
    if (++depth_ > kDeepest) return error(begin, tr("this is nested too deeply"));
    Maybe of = no();
    --depth_;
    if (!of) return std::nullopt;
    if (of->type.sort != Sort::truth)
      return error(begin, tr("'not' is before a relation, and {} is none", words_of(of->type)));
    Expression out = make(Kind::no, begin, {Sort::truth});
    out.operands.push_back(std::move(*of));
    return out;
  }

  Maybe compare() {
    skip();
    const std::size_t begin = at_;
    Maybe left = sum();
    if (!left) return std::nullopt;
    for (const std::string_view sign : {"<=", ">=", "==", "!=", "<", ">"}) {
      if (!take(sign)) continue;
      Maybe right = sum();
      if (!right) return std::nullopt;
      if (!comparable(*left, *right, sign, begin)) return std::nullopt;
      Expression out = make(Kind::compare, begin, {Sort::truth});
      out.text = sign;
      out.operands.push_back(std::move(*left));
      out.operands.push_back(std::move(*right));
      return out;
    }
    if (take("=")) return error(at_ - 1, tr("write == to compare"));
    return left;
  }
  bool comparable(const Expression& left, const Expression& right, std::string_view sign, std::size_t at) {
    if (left.type.sort == right.type.sort && left.type.sort == Sort::number) {
      if (left.type.dimension == right.type.dimension || is_zero(left) || is_zero(right)) return true;
    } else if (left.type.sort == right.type.sort && (sign == "==" || sign == "!=")) {
      return may_be(left, right) && may_be(right, left);
    }
    error(at, tr("{} cannot be compared by {} with {}", words_of(left.type), sign, words_of(right.type)));
    return false;
  }
  // Whether the text is one that the quantity can be.
  bool may_be(const Expression& quantity, const Expression& text) {
    if (quantity.kind != Kind::quantity || quantity.quantity->words == nullptr || text.kind != Kind::text) return true;
    const std::vector<std::string_view> words = quantity.quantity->words();
    if (std::ranges::find(words, text.text) != words.end()) return true;
    if (!error_)
      error_ = Error{ErrorKind::bad_input,
                     error_at(text.place, tr("{} is never '{}'; it is one of {}", quantity.quantity->name, text.text,
                                             fmt::join(words, ", ")))};
    return false;
  }

  Maybe sum() {
    skip();
    const std::size_t begin = at_;
    Maybe left = product();
    while (left) {
      const char sign = take("+") ? '+' : take("-") ? '-' : '\0';
      if (sign == '\0') return left;
      Maybe right = product();
      if (!right) return std::nullopt;
      if (!numbers(*left, *right, begin)) return std::nullopt;
      if (left->type.dimension != right->type.dimension)
        return error(begin, tr("{} cannot be added to {}", words_of(right->type), words_of(left->type)));
      left = arithmetic(sign, std::move(*left), std::move(*right), begin, left->type);
    }
    return left;
  }
  Maybe product() {
    skip();
    const std::size_t begin = at_;
    Maybe left = negated();
    while (left) {
      const char sign = take("*") ? '*' : take("/") ? '/' : '\0';
      if (sign == '\0') return left;
      Maybe right = negated();
      if (!right) return std::nullopt;
      if (!numbers(*left, *right, begin)) return std::nullopt;
      const Dimension a = left->type.dimension, b = right->type.dimension;
      Type type{Sort::number, sign == '*' ? Dimension{a.time + b.time, a.bytes + b.bytes}
                                          : Dimension{a.time - b.time, a.bytes - b.bytes}};
      if (std::max({std::abs(type.dimension.time), std::abs(type.dimension.bytes)}) > 3)
        return error(begin, tr("no quantity of a run has such a unit"));
      left = arithmetic(sign, std::move(*left), std::move(*right), begin, type);
    }
    return left;
  }
  bool numbers(const Expression& left, const Expression& right, std::size_t at) {
    for (const Expression* each : {&left, &right}) {
      if (each->type.sort == Sort::number) continue;
      error(at, tr("{} is no number", words_of(each->type)));
      return false;
    }
    return true;
  }
  Expression arithmetic(char sign, Expression left, Expression right, std::size_t at, Type type) {
    type.shown = Shown::plain;
    Expression out = make(Kind::arithmetic, at, type);
    out.text = sign;
    out.operands.push_back(std::move(left));
    out.operands.push_back(std::move(right));
    return out;
  }

  Maybe negated() {
    skip();
    const std::size_t begin = at_;
    if (!take("-")) return primary();
    Maybe of = primary();
    if (!of) return std::nullopt;
    if (of->type.sort != Sort::number) return error(begin, tr("{} is no number", words_of(of->type)));
    Expression out = make(Kind::negate, begin, of->type);
    out.operands.push_back(std::move(*of));
    return out;
  }

  Maybe primary() {
    skip();
    const std::size_t begin = at_;
    if (at_ >= text_.size()) return error(at_, tr("expected a number or a quantity, found the end"));
    if (take("(")) {
      if (++depth_ > kDeepest) return error(begin, tr("this is nested too deeply"));
      Maybe inside = any();
      --depth_;
      if (!inside) return std::nullopt;
      if (!take(")")) return error(at_, tr("expected ')', found '{}'", rest()));
      return inside;
    }
    if (text_[at_] == '"') return text();
    if (program::is_digit(text_[at_])) return number();
    const std::string_view name = peek_name();
    if (name.empty()) return error(at_, tr("expected a number or a quantity, found '{}'", rest()));
    at_ += name.size();
    if (name == "answer") {
      if (!names_.answer) return error(begin, tr("there is no answer here: it is for the wrong answers of a number"));
      return make(Kind::answer, begin, {Sort::number, *names_.answer});
    }
    return quantity(name, begin);
  }

  Maybe text() {
    const std::size_t begin = at_++;
    const std::size_t end = text_.find('"', at_);
    if (end == std::string_view::npos) return error(begin, tr("the text has no closing quote"));
    Expression out = make(Kind::text, begin, {Sort::text});
    out.text = text_.substr(at_, end - at_);
    at_ = end + 1;
    return out;
  }

  Maybe number() {
    const std::size_t begin = at_;
    double value = 0;
    const auto [end, error_code] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value, std::chars_format::fixed);
    if (error_code != std::errc()) return error(begin, tr("this number cannot be read"));
    at_ = static_cast<std::size_t>(end - text_.data());
    std::size_t behind = at_;
    while (behind < text_.size() && program::is_letter(text_[behind])) ++behind;
    if (behind > at_ && text_.substr(behind).starts_with("/s")) behind += 2;
    if (behind == at_ && text_.substr(at_).starts_with('%')) ++behind;
    Expression out = make(Kind::number, begin, {});
    out.number = value;
    if (const std::string_view written = text_.substr(at_, behind - at_); !written.empty()) {
      const Unit* unit = unit_named(written);
      if (unit == nullptr)
        return error(at_, tr("'{}' is no unit; there are ns us ms s, B KiB MiB GiB, MB/s GB/s, %", written));
      out.number = value * unit->factor;
      out.type.dimension = unit->dimension;
      if (written == "%") out.type.shown = Shown::share;
      at_ = behind;
    }
    return out;
  }

  Maybe quantity(std::string_view name, std::size_t begin) {
    Expression out = make(Kind::quantity, begin, {});
    out.quantity = quantity_named(name);
    if (out.quantity == nullptr) {
      std::vector<std::string_view> known;
      for (const Quantity& each : quantities()) known.push_back(each.name);
      return error(begin, tr("'{}' is nothing that can be asked of a run{}", name, did_you_mean(name, known)));
    }
    const Takes takes = out.quantity->takes;
    bool given = false;
    if (take("(")) {
      while (!take(")")) {
        if (given || !argument(out, given)) return error(at_, tr("expected ')', found '{}'", rest()));
        if (!take(",") && !(skip(), text_.substr(at_).starts_with(')')))
          return error(at_, tr("expected ',' or ')', found '{}'", rest()));
      }
    }
    if (error_) return std::nullopt;
    if (takes == Takes::operation && !out.operation)
      return error(begin, tr("{} is of an operation: write {}(@TAG)", name, name));
    if (takes == Takes::word && out.text.empty())
      return error(begin, tr("{} needs one of {}", name, fmt::join(out.quantity->words(), ", ")));
    out.type = type_of(*out.quantity, out.text);
    return out;
  }
  // A run's name, then what the quantity takes: `given` once that was read.
  bool argument(Expression& to, bool& given) {
    skip();
    const std::size_t begin = at_;
    const Takes takes = to.quantity->takes;
    if (at_ < text_.size() && text_[at_] == '"' && takes == Takes::word) {
      Maybe word = text();
      return word && (given = true, set_word(to, word->text, begin));
    }
    const std::size_t end = std::min(text_.find_first_of(",) ", at_), text_.size());
    const std::string_view written = text_.substr(at_, end - at_);
    if (names_.runs.contains(written) && to.run.empty()) {
      at_ = end;
      to.run = written;
      return true;
    }
    if (takes == Takes::run) {
      error(begin, tr("'{}' is no run of this lesson; there are {}", written, fmt::join(names_.runs, ", ")));
      return false;
    }
    at_ = end;
    given = true;
    if (takes == Takes::word) return set_word(to, written, begin);
    auto operation = parse_operation_name(written, place_.at(begin));
    if (!operation) {
      if (!error_) error_ = operation.error();
      return false;
    }
    to.operation = std::move(*operation);
    return true;
  }
  bool set_word(Expression& to, std::string_view word, std::size_t at) {
    const std::vector<std::string_view> known = to.quantity->words();
    to.text = word;
    if (std::ranges::find(known, word) != known.end()) return true;
    error(at, tr("{} does not know '{}'; it takes {}", to.quantity->name, word, fmt::join(known, ", ")));
    return false;
  }

  std::string_view text_;
  const TextPlace& place_;
  const Names& names_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::optional<Error> error_;
};

}  // namespace

const Unit* unit_named(std::string_view name) {
  const auto at = std::ranges::find(kUnits, name, &Unit::name);
  return at == kUnits.end() ? nullptr : &*at;
}

std::string TextPlace::at(std::size_t offset) const { return fmt::format("{}:{}:{}", file, line, column + offset); }

Result<Expression> parse_expression(std::string_view text, const TextPlace& place, const Names& names) {
  return Parser(text, place, names).whole();
}

void each_quantity(const Expression& in, const std::function<void(const Expression&)>& found) {
  if (in.kind == Expression::Kind::quantity) found(in);
  for (const Expression& each : in.operands) each_quantity(each, found);
}

std::string display(const Value& value, const Type& type) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? tr("yes") : tr("no");
  const double number = std::get<double>(value);
  if (type.dimension == kTime) return display_duration(std::llround(number));
  if (type.dimension == kBytes) return display_bytes(static_cast<std::uint64_t>(std::max(number, 0.0)));
  if (type.dimension == kRate) return fmt::format("{:.3g} GB/s", number);
  switch (type.shown) {
    case Shown::share: return fmt::format("{:.0f} %", number * 100);
    case Shown::ratio: return fmt::format("{:.2f}×", number);
    case Shown::count: return fmt::format("{:.0f}", number);
    case Shown::plain: break;
  }
  return fmt::format("{:.3g}", number);
}

}  // namespace streamscope::lesson

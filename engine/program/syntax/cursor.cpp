#include "engine/program/syntax/cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "engine/base/quantity.h"
#include "engine/base/suggest.h"
#include "engine/base/translate.h"
#include "engine/program/syntax/characters.h"
#include "engine/program/syntax/expression.h"

namespace streamscope::program {
namespace {

using grammar::ArgumentKind;

// The only words with a hyphen that stand where a name does.
constexpr std::string_view kHyphened[] = {"per-thread", "default-stream"};

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_punctuation(char c) { return std::string_view(":=,[]{}()").find(c) != std::string_view::npos; }

std::string_view example(ArgumentKind kind) {
  switch (kind) {
    case ArgumentKind::bytes: return "64MiB";
    case ArgumentKind::duration: return "300us";
    default: return "4";
  }
}

std::string_view kind_name(ArgumentKind kind) {
  switch (kind) {
    case ArgumentKind::bytes: return tr("a size");
    case ArgumentKind::duration: return tr("a duration");
    default: return tr("a whole number");
  }
}

constexpr std::array<std::string_view, 6> kSizes{"KiB", "MiB", "GiB", "KB", "MB", "GB"};
constexpr std::array<std::string_view, 4> kTimes{"ns", "us", "ms", "s"};

// "64Mib" -> "; did you mean 64MiB?"
std::string unit_suggestion(ArgumentKind kind, std::string_view digits, std::string_view unit) {
  std::string_view best;
  if (kind == ArgumentKind::bytes) {
    if (unit == "B" || unit == "b" || unit == "bytes") return tr("; write {} for bytes", printable(digits));
    if (unit == "K" || unit == "k" || unit == "M" || unit == "G") {
      return tr("; write {}{}iB", printable(digits), unit == "k" ? "K" : unit);
    }
    best = nearest(unit, kSizes);
  } else if (kind == ArgumentKind::duration) {
    if (unit == "\xC2\xB5s" || unit == "\xCE\xBCs") best = "us";
    if (unit == "sec" || unit == "second" || unit == "seconds") best = "s";
    if (unit == "nsec" || unit == "usec" || unit == "msec") best = unit.substr(0, 2);
    if (best.empty()) best = nearest(unit, kTimes);
  }
  if (best.empty() || best == unit) return {};
  // Only what is valid: not "1.5.5ms".
  const std::string text = fmt::format("{}{}", digits.starts_with('{') ? "1" : digits, best);
  const bool taken = kind == ArgumentKind::bytes ? parse_bytes(text).has_value() : parse_duration(text).has_value();
  return taken ? tr("; did you mean {}{}?", printable(digits), best) : std::string();
}

}  // namespace

bool is_unit(std::string_view word) {
  return std::find(kSizes.begin(), kSizes.end(), word) != kSizes.end() ||
         std::find(kTimes.begin(), kTimes.end(), word) != kTimes.end();
}

void Cursor::skip_blanks() {
  while (at_ < code_.size() && is_blank(code_[at_])) ++at_;
}

bool Cursor::done() {
  skip_blanks();
  return at_ >= code_.size();
}

bool Cursor::take(char wanted) {
  skip_blanks();
  if (peek() != wanted) return false;
  ++at_;
  return true;
}

// Counts on from the location asked for last, so that a long line costs no more than its length.
SourceLocation Cursor::location_of(std::size_t at) const {
  at = std::min(at, code_.size());
  const auto starts_character = [&](std::size_t i) { return (static_cast<unsigned char>(code_[i]) & 0xC0) != 0x80; };
  while (counted_ < at) characters_ += starts_character(counted_++) ? 1 : 0;
  while (counted_ > at) characters_ -= starts_character(--counted_) ? 1 : 0;
  return {line_, characters_ + 1};
}

void Cursor::error(SourceLocation location, std::string message) {
  diagnostics_.push_back({Diagnostic::Severity::error, location.line, location.column, std::move(message)});
}

std::string Cursor::found() const {
  std::size_t from = at_;
  while (from < code_.size() && is_blank(code_[from])) ++from;
  if (from >= code_.size()) return tr("the end of the line");
  std::size_t to = from + 1;
  if (!is_punctuation(code_[from])) {
    while (to < code_.size() && !is_blank(code_[to]) && !is_punctuation(code_[to])) ++to;
  }
  return fmt::format("'{}'", printable(code_.substr(from, to - from)));
}

void Cursor::expected(std::string_view what) {
  skip_blanks();
  error(location(), tr("expected {}, found {}", what, found()));
}

void Cursor::skip_word() {
  while (at_ < code_.size() && !is_blank(code_[at_]) && code_[at_] != '{' && code_[at_] != '}') ++at_;
}

std::string_view Cursor::word() {
  skip_blanks();
  const std::size_t from = at_;
  while (at_ < code_.size() && (is_letter(code_[at_]) || is_digit(code_[at_]) || code_[at_] == '-')) ++at_;
  return code_.substr(from, at_ - from);
}

std::string_view Cursor::dotted_word() {
  skip_blanks();
  const std::size_t from = at_;
  word();
  while (at_ < code_.size() && code_[at_] == '.') {
    ++at_;
    if (at_ < code_.size() && !is_blank(code_[at_])) word();
  }
  return code_.substr(from, at_ - from);
}

// From the '{' at the cursor to its '}'.
std::optional<syntax::Expression> Cursor::braces() {
  const std::size_t open = at_;
  const std::size_t close = code_.find('}', open);
  if (close == std::string_view::npos) {
    error(location_of(open), tr("this '{' is never closed; write '}' behind the arithmetic, as in {i*4}"));
    return std::nullopt;
  }
  const std::size_t from = open + 1;
  auto parsed =
      parse_expression(code_.substr(from, close - from), [&](std::size_t at) { return location_of(from + at); });
  if (const auto* problem = std::get_if<ExpressionError>(&parsed)) {
    error(problem->location, problem->message);
    return std::nullopt;
  }
  at_ = close + 1;
  return std::get<syntax::Expression>(std::move(parsed));
}

std::optional<syntax::Name> Cursor::name(std::string_view what) {
  skip_blanks();
  const std::size_t from = at_;
  syntax::Name name{.location = location(), .text = {}, .pieces = {}};
  for (const std::string_view hyphened : kHyphened) {
    if (!rest().starts_with(hyphened)) continue;
    const char next = rest().size() > hyphened.size() ? rest()[hyphened.size()] : ' ';
    if (!is_letter(next) && !is_digit(next) && next != '-' && next != '{') {
      at_ += hyphened.size();
      name.text = hyphened;
      return name;
    }
  }
  if (!is_letter(peek())) {
    expected(tr("{} (a name begins with a letter)", what));
    return std::nullopt;
  }
  bool braced = false;
  std::size_t letters_from = at_;
  for (;;) {
    while (is_letter(peek()) || is_digit(peek())) ++at_;
    if (peek() != '{') break;
    const std::string_view letters = code_.substr(letters_from, at_ - letters_from);
    // `as i{`: the brace opens the block.
    if (rest().find_first_not_of(" \t", 1) == std::string_view::npos) break;
    auto expression = braces();
    if (!expression) return std::nullopt;
    name.pieces.push_back({std::string(letters), std::move(*expression)});
    braced = true;
    letters_from = at_;
  }
  if (braced) name.pieces.push_back({std::string(code_.substr(letters_from, at_ - letters_from)), {}});
  name.text = code_.substr(from, at_ - from);
  if (name.text.size() > kLongestName) {
    error(name.location, tr("the name is longer than {} letters; choose a shorter one", kLongestName));
    return std::nullopt;
  }
  return name;
}

std::optional<syntax::Number> Cursor::number(ArgumentKind kind, std::string_view what) {
  skip_blanks();
  const std::size_t from = at_;
  syntax::Number number{.location = location(), .text = {}, .value = 0, .expression = {}, .factor = 1};
  const bool braced = peek() == '{';
  if (braced) {
    auto expression = braces();
    if (!expression) return std::nullopt;
    number.expression = std::move(*expression);
  } else if (!is_digit(peek()) && !(peek() == '-' && rest().size() > 1 && is_digit(rest()[1]))) {
    expected(tr("{} such as {}", what, example(kind)));
    return std::nullopt;
  }
  const std::size_t after = at_;
  while (at_ < code_.size() && !is_blank(code_[at_]) && !is_punctuation(code_[at_])) ++at_;
  number.text = code_.substr(from, at_ - from);
  const std::string_view literal = code_.substr(after, at_ - after);

  const auto wrong = [&](std::string message) {
    error(number.location, std::move(message));
    return std::nullopt;
  };
  if (!braced && literal[0] == '-' && kind != ArgumentKind::integer) {
    return wrong(tr("'{}': {} cannot be negative", printable(literal), kind_name(kind)));
  }
  if (kind == ArgumentKind::integer) {
    if (braced) {
      if (literal.empty()) return number;
      return wrong(tr("expected a whole number without a unit, found '{}'", printable(number.text)));
    }
    const char* end = literal.data() + literal.size();
    const auto [stop, problem] = std::from_chars(literal.data(), end, number.value);
    if (problem != std::errc{}) return wrong(tr("'{}' is too large: it does not fit 64 bits", printable(literal)));
    if (stop != end) return wrong(tr("expected {} without a unit or fraction, found '{}'", what, printable(literal)));
    return number;
  }

  // With braces the factor of the unit is found by reading "1" with that unit.
  const std::string text = braced ? fmt::format("1{}", literal) : std::string(literal);
  const std::size_t digits = braced ? 0 : std::min(literal.find_first_not_of("0123456789."), literal.size());
  const std::string_view unit = literal.substr(digits);
  const bool unit_starts_well = unit.empty() || !is_digit(unit[0]);
  const std::string as_given = braced ? number.text.substr(0, after - from) : std::string(literal.substr(0, digits));
  const auto refuse = [&](const std::string& why) {
    std::string message =
        braced ? tr("'{}' is not {}: expected a unit behind the braces ({})", printable(number.text), kind_name(kind),
                    kind == ArgumentKind::bytes ? tr("KiB MiB GiB KB MB GB, or none") : "ns us ms s")
        : printable(literal) == literal ? why
                                        : tr("'{}' is not {}", printable(literal), kind_name(kind));
    const std::string_view next = Cursor(*this).word();
    if (unit.empty() && is_unit(next))
      message = tr("a unit stands right behind its number; write {}{}", printable(as_given), next);
    return wrong(message + unit_suggestion(kind, as_given, unit));
  };
  if (braced && (!unit_starts_well || unit.starts_with('.'))) return refuse({});
  if (kind == ArgumentKind::bytes) {
    const auto value = parse_bytes(text);
    if (!value) return refuse(value.error().message);
    if (*value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      return wrong(tr("'{}' is too large for a size", printable(number.text)));
    }
    number.value = static_cast<std::int64_t>(*value);
  } else {
    const auto value = parse_duration(text);
    if (!value) return refuse(value.error().message);
    number.value = *value;
  }
  if (braced) std::swap(number.factor, number.value);
  return number;
}

std::optional<syntax::Range> Cursor::range(std::string_view what) {
  auto buffer = name(what);
  if (!buffer) return std::nullopt;
  syntax::Range range;
  range.buffer = std::move(*buffer);
  if (!take('[')) return range;
  range.offset = number(ArgumentKind::bytes, tr("the offset of the range"));
  if (!range.offset) return std::nullopt;
  if (!take(':')) {
    expected(tr("':' and the length, as in x[0:16MiB]"));
    return std::nullopt;
  }
  range.bytes = number(ArgumentKind::bytes, tr("the length of the range"));
  if (!range.bytes) return std::nullopt;
  if (!take(']')) {
    expected(tr("']' behind the range, as in x[0:16MiB]"));
    return std::nullopt;
  }
  return range;
}

std::optional<syntax::Range> Cursor::side(std::string_view what) {
  auto range = this->range(what);
  if (!range) return std::nullopt;
  if (!take('@')) {
    expected(tr("'@' and the device whose side it is, as in x[0:16MiB]@1"));
    return std::nullopt;
  }
  range->device = number(ArgumentKind::integer, tr("the number of a device"));
  if (!range->device) return std::nullopt;
  return range;
}

std::optional<syntax::Word> Cursor::enclosed(char begin, char end, std::string_view what) {
  skip_blanks();
  const std::size_t close = peek() == begin ? code_.find(end, at_ + 1) : std::string_view::npos;
  if (close == std::string_view::npos) {
    expected(what);
    return std::nullopt;
  }
  syntax::Word word{location(), std::string(code_.substr(at_, close + 1 - at_))};
  at_ = close + 1;
  return word;
}

std::optional<syntax::Word> Cursor::decimal() {
  skip_blanks();
  const std::size_t end = std::min(code_.find_first_of(" \t", at_), code_.size());
  const std::string_view text = code_.substr(at_, end - at_);
  if (text.find('.') == std::string_view::npos || text.find_first_not_of("0123456789.-") != std::string_view::npos)
    return std::nullopt;
  syntax::Word word{location(), std::string(text)};
  at_ = end;
  return word;
}

std::optional<syntax::Numbers> Cursor::numbers(std::string_view what) {
  skip_blanks();
  syntax::Numbers all{.location = location(), .text = {}, .each = {}};
  do {
    auto one = number(ArgumentKind::integer, what);
    if (!one) return std::nullopt;
    all.text += (all.text.empty() ? "" : ",") + one->text;
    all.each.push_back(std::move(*one));
  } while (take(','));
  return all;
}

}  // namespace streamscope::program

#include "engine/input/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>

#include "engine/base/place.h"
#include "engine/base/translate.h"

namespace streamscope::input {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

// How many of the eight bytes come before the first quote or backslash; 8: all. A byte that matches becomes zero, and
// subtracting 1 from it sets its highest bit; a wrong match by the borrow can only come later in the text.
unsigned plain_bytes(const char* bytes) {
  std::uint64_t eight;
  std::memcpy(&eight, bytes, sizeof eight);
  constexpr std::uint64_t kOnes = 0x0101010101010101u, kHighest = 0x8080808080808080u;
  const std::uint64_t quotes = eight ^ (kOnes * '"'), slashes = eight ^ (kOnes * '\\');
  const std::uint64_t found = (((quotes - kOnes) & ~quotes) | ((slashes - kOnes) & ~slashes)) & kHighest;
  return static_cast<unsigned>(std::countr_zero(found)) / 8;
}
static_assert(std::endian::native == std::endian::little);

void put_utf8(std::string& out, std::uint32_t code) {
  if (code < 0x80) return out.push_back(static_cast<char>(code));
  const unsigned behind = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;  // bytes of six bits each
  out.push_back(static_cast<char>((0xF0u << (3 - behind) & 0xFFu) | code >> (6 * behind)));
  for (unsigned i = behind; i-- > 0;) out.push_back(static_cast<char>(0x80u | (code >> (6 * i) & 0x3Fu)));
}

// The four hexadecimal digits at the front; nothing where they are none.
std::optional<std::uint32_t> hexadecimal(std::string_view text) {
  std::uint32_t value = 0;
  if (text.size() < 4) return std::nullopt;
  const auto end = std::from_chars(text.data(), text.data() + 4, value, 16);
  if (end.ptr != text.data() + 4) return std::nullopt;
  return value;
}

// The character of an escape of four hexadecimal digits, its "u" in front, and how much of the text it takes. Half a
// pair alone is no character: U+FFFD.
std::pair<std::uint32_t, std::size_t> unicode_escape(std::string_view text) {
  const auto first = hexadecimal(text.substr(1));
  if (!first) return {0xFFFD, 1};
  if (*first < 0xD800 || *first > 0xDFFF) return {*first, 5};
  if (*first > 0xDBFF || text.substr(5, 2) != "\\u") return {0xFFFD, 5};
  const auto second = hexadecimal(text.substr(7));
  if (!second || *second < 0xDC00 || *second > 0xDFFF) return {0xFFFD, 5};
  return {0x10000 + ((*first - 0xD800) << 10) + (*second - 0xDC00), 11};
}

void unescape(std::string_view text, std::string& out) {
  out.clear();
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find('\\'), text.size());
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.size() < 2) return;
    text.remove_prefix(1);
    std::size_t taken = 1;
    switch (text.front()) {
      case 'n': out.push_back('\n'); break;
      case 't': out.push_back('\t'); break;
      case 'r': out.push_back('\r'); break;
      case 'b': out.push_back('\b'); break;
      case 'f': out.push_back('\f'); break;
      case 'u': {
        const auto [code, length] = unicode_escape(text);
        put_utf8(out, code);
        taken = length;
        break;
      }
      default: out.push_back(text.front());  // a quote, a backslash, a slash; and what should not be escaped
    }
    text.remove_prefix(taken);
  }
}

}  // namespace

std::string location(std::string_view file, std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t last = before.rfind('\n');
  const std::size_t column = before.size() - (last == std::string_view::npos ? 0 : last + 1) + 1;
  return fmt::format("{}:{}:{}", file, line, column);
}

void JsonReader::fail_at(std::size_t offset, std::string_view why) {
  if (failed()) return;
  error_ = Error{ErrorKind::bad_input, error_at(location(file_, text_, offset), why), std::nullopt};
}

bool JsonReader::at_end() {
  if (failed()) return true;
  skip_whitespace();
  return at_ >= text_.size();
}

void JsonReader::expect_end() {
  if (!failed() && !at_end()) fail_here(tr("the JSON ends before this; what follows belongs to nothing"));
}

bool JsonReader::open(char bracket, std::string_view wanted) {
  if (failed()) return false;
  skip_whitespace();
  if (at_ >= text_.size() || text_[at_] != bracket) {
    fail_here(at_ >= text_.size() ? tr("the file ends where {} should be; is it whole?", tr(wanted))
                                  : tr("{} should be here", tr(wanted)));
    return false;
  }
  if (++depth_ > kDeepest) {
    fail_here(tr("nested more than {} deep", kDeepest));
    return false;
  }
  ++at_;
  return true;
}

void JsonReader::fail_end(char bracket) {
  fail_here(at_ >= text_.size() ? tr("the file ends before a '{}'; is it whole?", bracket)
                                : tr("a ',' or a '{}' should be here", bracket));
}

std::string_view JsonReader::member_key() {
  const std::string_view key = string(key_);
  if (failed()) return {};
  skip_whitespace();
  if (at_ >= text_.size() || text_[at_] != ':') {
    fail_here(at_ >= text_.size() ? tr("the file ends behind a key; is it whole?") : tr("a ':' should be here"));
    return {};
  }
  ++at_;
  skip_whitespace();
  return key;
}

bool JsonReader::pass_string() {
  const std::size_t begin = at_ - 1;
  bool escapes = false;
  for (;;) {
    for (unsigned plain = 8; plain == 8 && at_ + 8 <= text_.size(); at_ += plain) plain = plain_bytes(&text_[at_]);
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\\') ++at_;
    if (at_ < text_.size() && text_[at_] == '"') {
      ++at_;
      return escapes;
    }
    if (at_ + 1 >= text_.size()) {
      fail_at(begin, tr("this string never ends; is the file whole?"));
      return escapes;
    }
    escapes = true;
    at_ += 2;
  }
}

std::string_view JsonReader::string(std::string& buffer) {
  if (failed()) return {};
  skip_whitespace();
  if (at_ >= text_.size() || text_[at_] != '"') {
    fail_here(at_ >= text_.size() ? tr("the file ends where a string should be; is it whole?")
                                  : tr("a string should be here"));
    return {};
  }
  const std::size_t begin = ++at_;
  const bool escapes = pass_string();
  if (failed()) return {};
  const std::string_view text = text_.substr(begin, at_ - 1 - begin);
  if (!escapes) return text;
  unescape(text, buffer);
  return buffer;
}

void JsonReader::pass_word(std::string_view word) {
  if (text_.substr(at_, word.size()) == word)
    at_ += word.size();
  else
    fail_here(tr("'{}' should be here", word));
}

std::string_view JsonReader::pass_number() {
  const std::size_t begin = at_;
  if (text_[at_] == '-' || text_[at_] == '+') ++at_;
  if (at_ < text_.size() && !digit(text_[at_])) {
    for (const std::string_view word : {"NaN", "nan", "Infinity", "inf"}) {
      if (text_.substr(at_, word.size()) != word) continue;
      at_ += word.size();
      return text_.substr(begin, at_ - begin);
    }
  }
  const auto digits = [&] {
    const std::size_t first = at_;
    while (at_ < text_.size() && digit(text_[at_])) ++at_;
    return at_ > first;
  };
  bool good = digits();
  if (good && at_ < text_.size() && text_[at_] == '.') {
    ++at_;
    good = digits();
  }
  if (good && at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
    ++at_;
    if (at_ < text_.size() && (text_[at_] == '-' || text_[at_] == '+')) ++at_;
    good = digits();
  }
  if (!good) fail_at(begin, tr("a number should be here"));
  return text_.substr(begin, at_ - begin);
}

std::string_view JsonReader::number() {
  if (peek() != Kind::number) {
    if (!failed())
      fail_here(at_end() ? tr("the file ends where a number should be; is it whole?") : tr("a number should be here"));
    return {};
  }
  return pass_number();
}

bool JsonReader::boolean() {
  if (peek() != Kind::boolean) {
    if (!failed()) fail_here(tr("true or false should be here"));
    return false;
  }
  const bool value = text_[at_] == 't';
  pass_word(value ? "true" : "false");
  return value;
}

std::string_view JsonReader::raw() {
  if (failed()) return {};
  skip_whitespace();
  const std::size_t begin = at_;
  skip();
  return failed() ? std::string_view() : text_.substr(begin, at_ - begin);
}

void JsonReader::skip() {
  switch (peek()) {
    case Kind::nothing:
      if (!failed())
        fail_here(at_end() ? tr("the file ends where a value should be; is it whole?") : tr("a value should be here"));
      return;
    case Kind::string:
      ++at_;
      pass_string();
      return;
    case Kind::number: pass_number(); return;
    case Kind::boolean: return pass_word(text_[at_] == 't' ? "true" : "false");
    case Kind::null: return pass_word("null");
    case Kind::object: return object([](std::string_view) {});
    case Kind::array: return array([] {});
  }
}

std::optional<std::int64_t> parse_integer(std::string_view number) {
  if (number.starts_with('+')) number.remove_prefix(1);
  std::int64_t value = 0;
  const auto end = std::from_chars(number.data(), number.data() + number.size(), value);
  if (end.ec != std::errc() || end.ptr != number.data() + number.size()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> microseconds_to_nanoseconds(std::string_view number) {
  const auto plain = [](char c) { return digit(c) || c == '.' || c == '-'; };
  if (!std::all_of(number.begin(), number.end(), plain)) {  // with an exponent, or no number
    if (number.starts_with('+')) number.remove_prefix(1);
    double value = 0;
    const auto end = std::from_chars(number.data(), number.data() + number.size(), value);
    if (end.ec != std::errc() || end.ptr != number.data() + number.size()) return std::nullopt;
    value = std::round(value * 1000);
    if (!(std::fabs(value) < 9.2e18)) return std::nullopt;
    return static_cast<std::int64_t>(value);
  }
  const bool negative = number.starts_with('-');
  if (negative) number.remove_prefix(1);
  const std::size_t point = std::min(number.find('.'), number.size());
  if (point == 0) return std::nullopt;
  std::int64_t value = 0;
  const auto append = [&](char c) {
    return digit(c) && !__builtin_mul_overflow(value, 10, &value) && !__builtin_add_overflow(value, c - '0', &value);
  };
  for (std::size_t i = 0; i < point; ++i)
    if (!append(number[i])) return std::nullopt;
  for (std::size_t i = point + 1; i < point + 4; ++i)
    if (!append(i < number.size() ? number[i] : '0')) return std::nullopt;
  for (std::size_t i = point + 1; i < number.size(); ++i)
    if (!digit(number[i])) return std::nullopt;
  if (point + 4 < number.size() && number[point + 4] >= '5' && __builtin_add_overflow(value, 1, &value))
    return std::nullopt;
  return negative ? -value : value;
}

}  // namespace streamscope::input

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

#include "app/reading/query.h"
#include "app/timeline/span_text.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::reading {
namespace {

// Of QueryField, from the first that has one on.
constexpr std::array<std::string_view, 13> kFieldNames{"name", "kind", "stream", "thread", "engine", "reason", "dur",
                                                       "wait", "host", "start",  "bytes",  "line",   "op"};

bool is_text(QueryField field) { return field < QueryField::duration; }
using timeline::lower;

bool blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// "h2d, d2h, ..." of an enumeration whose names are known.
template <class T>
std::string all_names() {
  return fmt::format("{}", fmt::join(kNames<T>, ", "));
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  tl::expected<Query, QueryError> parse() {
    Query query;
    for (;;) {
      while (at_ < text_.size() && blank(text_[at_])) ++at_;
      if (at_ == text_.size()) return query;
      const std::size_t begin = at_;
      auto term = next();
      if (!term) {
        QueryError error = term.error();
        error.readable = begin;
        return tl::unexpected(std::move(error));
      }
      query.terms.push_back(std::move(*term));
    }
  }

 private:
  using Term = tl::expected<QueryTerm, QueryError>;

  static tl::unexpected<QueryError> wrong(std::size_t at, std::size_t length, std::string message) {
    return tl::unexpected(QueryError{at + 1, std::max<std::size_t>(length, 1), 0, std::move(message)});
  }

  Term next() {
    QueryTerm term;
    if (text_[at_] == '-') {
      term.negated = true;
      if (++at_ == text_.size() || blank(text_[at_]))
        return wrong(at_ - 1, 1, tr("'-' stands before what is left out"));
    }
    if (text_[at_] == '"') {
      auto words = quoted();
      if (!words) return tl::unexpected(words.error());
      term.values = {lower(*words)};
      return term;
    }
    const std::size_t begin = at_;
    std::size_t end = begin;
    while (end < text_.size() && !blank(text_[end])) ++end;
    const std::size_t sign = text_.substr(0, end).find_first_of(":<>=", begin);
    if (sign == std::string_view::npos || text_.substr(sign, 2) == "::") {
      at_ = end;
      return word(std::move(term), text_.substr(begin, end - begin));
    }
    const std::string_view field = text_.substr(begin, sign - begin);
    const auto found = std::find(kFieldNames.begin(), kFieldNames.end(), lower(field));
    if (found == kFieldNames.end())
      return wrong(begin, std::max<std::size_t>(field.size(), 1),
                   tr("there is no '{}' to search by; there are {}. A text with : < > or = goes in quotes", field,
                      fmt::join(kFieldNames, " ")));
    term.field = static_cast<QueryField>(found - kFieldNames.begin() + 1);
    return is_text(term.field) ? texts(term, sign) : number(term, sign);
  }

  // "axpb"; "21" and "#21" are operations as they are called everywhere else.
  static QueryTerm word(QueryTerm term, std::string_view text) {
    const bool numbered = text.starts_with('#');
    const std::string_view digits = text.substr(numbered ? 1 : 0);
    std::uint32_t whole = 0;
    const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), whole);
    if (error == std::errc{} && rest == digits.data() + digits.size()) {
      term.number = whole;
      if (numbered) term.field = QueryField::operation;
    }
    if (term.field == QueryField::word) term.values = {lower(text)};
    return term;
  }

  // From the opening quote on; leaves at_ behind the closing one.
  tl::expected<std::string, QueryError> quoted() {
    const std::size_t close = text_.find('"', at_ + 1);
    if (close == std::string_view::npos) return wrong(at_, text_.size() - at_, tr("this quote is not closed"));
    std::string words(text_.substr(at_ + 1, close - at_ - 1));
    if (words.empty()) return wrong(at_, 2, tr("there is nothing between the quotes"));
    const std::size_t begin = at_;
    at_ = close + 1;
    if (at_ < text_.size() && !blank(text_[at_]))
      return wrong(begin, at_ + 1 - begin, tr("a blank is missing behind the closing quote"));
    return words;
  }

  // kind:h2d,d2h
  Term texts(QueryTerm term, std::size_t sign) {
    const std::string_view field = text_.substr(at_, sign - at_);
    if (text_[sign] != ':') return wrong(sign, 1, tr("{} is a text: write {}: and what it is called", field, field));
    at_ = sign + 1;
    if (at_ == text_.size() || blank(text_[at_]))
      return wrong(sign, 1, tr("what {} is wanted? Nothing stands behind the colon", field));
    if (text_[at_] == '"') {
      const std::size_t begin = at_;
      auto words = quoted();
      if (!words) return tl::unexpected(words.error());
      return add(term, begin, *words);
    }
    for (;;) {
      std::size_t end = at_;
      while (end < text_.size() && !blank(text_[end]) && text_[end] != ',') ++end;
      if (end == at_) return wrong(at_ - 1, 1, tr("a comma stands between two values"));
      Term more = add(std::move(term), at_, text_.substr(at_, end - at_));
      if (!more) return more;
      term = std::move(*more);
      at_ = end;
      if (at_ == text_.size() || text_[at_] != ',') return term;
      ++at_;
    }
  }

  static Term add(QueryTerm term, std::size_t at, std::string_view value) {
    std::string words = lower(value);
    std::string known;
    if (term.field == QueryField::kind && !by_name<OperationKind>(words)) known = all_names<OperationKind>();
    if (term.field == QueryField::engine && !by_name<Engine>(words)) known = all_names<Engine>();
    if (term.field == QueryField::reason && !by_name<trace::WaitReason>(words)) known = all_names<trace::WaitReason>();
    if (!known.empty()) return wrong(at, value.size(), tr("'{}' is none of {}", value, known));
    term.values.push_back(std::move(words));
    return term;
  }

  // dur>=10us
  Term number(QueryTerm term, std::size_t sign) {
    std::size_t begin = sign + 1;
    const bool or_equal = begin < text_.size() && text_[begin] == '=';
    if (text_[sign] == '<') term.relation = or_equal ? Relation::at_most : Relation::less;
    if (text_[sign] == '>') term.relation = or_equal ? Relation::at_least : Relation::more;
    if (or_equal && (text_[sign] == '<' || text_[sign] == '>')) ++begin;
    std::size_t end = begin;
    while (end < text_.size() && !blank(text_[end])) ++end;
    const std::string_view value = text_.substr(begin, end - begin);
    if (value.empty()) return wrong(sign, begin - sign, tr("a number is missing behind this"));
    std::string why;
    const auto read = read_number(term.field, value, why);
    if (!read) return wrong(begin, value.size(), std::move(why));
    term.number = *read;
    at_ = end;
    return term;
  }

  static std::optional<std::int64_t> read_number(QueryField field, std::string_view value, std::string& why) {
    if (field == QueryField::bytes) {
      const auto read = parse_bytes(value);
      if (!read) why = read.error().message;
      constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
      return read ? std::optional(static_cast<std::int64_t>(std::min(*read, kMost))) : std::nullopt;
    }
    if (field == QueryField::line || field == QueryField::operation) {
      std::uint32_t whole = 0;
      const auto [rest, error] = std::from_chars(value.data(), value.data() + value.size(), whole);
      if (error == std::errc{} && rest == value.data() + value.size()) return whole;
      why = tr("'{}' is not a whole number", value);
      return std::nullopt;
    }
    std::string plain(value);
    for (const std::string_view micro : {"µs", "μs"})
      if (const std::size_t at = plain.find(micro); at != std::string::npos) plain.replace(at, micro.size(), "us");
    const auto read = parse_duration(plain);
    if (read) return *read;
    why = read.error().message;
    return std::nullopt;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

tl::expected<Query, QueryError> parse_query(std::string_view text) { return Parser(text).parse(); }

}  // namespace streamscope::reading

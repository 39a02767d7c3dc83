// JSON read from front to back, one value at a time and without a tree: files of traces have gigabytes.
//
// The first error ends the reading: from then on failed() is true and every call does nothing. Errors say where they
// are. Text that is skipped is checked, too. Depth is limited, so that no file can exhaust the stack or the memory.
// Libraries were considered: RapidJSON 1.1 and nlohmann 3.11 refuse the nan and inf that such traces hold, and take 2.4
// and 6 times as long to pass over one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/base/translate.h"

namespace streamscope::input {

class JsonReader {
 public:
  enum class Kind : std::uint8_t { object, array, string, number, boolean, null, nothing };

  // `file` is for messages. The text must outlive the reader.
  JsonReader(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  Kind peek();  // of the value that comes; nothing: the text ends or goes on with what begins no value

  // Calls `member(key)` for each member; a value that it leaves unread is skipped. The key is good until the
  // next call of the reader.
  template <class Member>
  void object(Member member) {
    if (!open('{', tr_later("an object"))) return;
    if (!close('}')) {
      do {
        const std::string_view key = member_key();
        if (failed()) return;
        const std::size_t before = at_;
        member(key);
        if (!failed() && at_ == before) skip();
      } while (more('}'));
    }
    --depth_;
  }
  // Calls `item()` for each; what it leaves unread is skipped.
  template <class Item>
  void array(Item item) {
    if (!open('[', tr_later("an array"))) return;
    if (!close(']')) {
      do {
        skip_whitespace();
        const std::size_t before = at_;
        item();
        if (!failed() && at_ == before) skip();
      } while (more(']'));
    }
    --depth_;
  }

  // A string without its escapes: a part of the text where it has none, else in `buffer`.
  std::string_view string(std::string& buffer);
  // A number as it is written; also NaN, nan, Infinity and inf, with and without a sign, as some profilers write them.
  std::string_view number();
  bool boolean();
  void skip();  // any value
  // The value as it is written, whole and checked.
  std::string_view raw();
  void expect_end();  // nothing but white space is left

  std::size_t offset() const { return at_; }  // where the next value is, once peek() was called
  void seek(std::size_t offset) { at_ = offset; }
  bool at_end();  // but for white space

  bool failed() const { return error_.has_value(); }
  void fail_at(std::size_t offset, std::string_view why);
  void fail_here(std::string_view why) { fail_at(at_, why); }
  const Error& error() const { return *error_; }

  static constexpr int kDeepest = 512;

 private:
  void skip_whitespace() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c != ' ' && c != '\n' && c != '\t' && c != '\r') return;
      ++at_;
    }
  }
  bool open(char bracket, std::string_view wanted);
  bool close(char bracket) {
    skip_whitespace();
    if (at_ >= text_.size() || text_[at_] != bracket) return false;
    ++at_;
    return true;
  }
  bool more(char bracket) {
    if (failed()) return false;
    skip_whitespace();
    if (at_ < text_.size() && text_[at_] == ',') {
      ++at_;
      return true;
    }
    if (!close(bracket)) fail_end(bracket);
    return false;
  }
  void fail_end(char bracket);
  std::string_view member_key();
  bool pass_string();  // from behind its first quote; true where it has escapes
  void pass_word(std::string_view word);
  std::string_view pass_number();

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::string key_;
  std::optional<Error> error_;
};

inline JsonReader::Kind JsonReader::peek() {
  if (failed()) return Kind::nothing;
  skip_whitespace();
  if (at_ >= text_.size()) return Kind::nothing;
  switch (text_[at_]) {
    case '{': return Kind::object;
    case '[': return Kind::array;
    case '"': return Kind::string;
    case 't':
    case 'f': return Kind::boolean;
    case 'n': return text_.substr(at_, 3) == "nan" ? Kind::number : Kind::null;
    case '-':
    case '+':
    case 'N':
    case 'I':
    case 'i': return Kind::number;
    default: return text_[at_] >= '0' && text_[at_] <= '9' ? Kind::number : Kind::nothing;
  }
}

// "FILE:line:column", both from 1, the column in bytes.
std::string location(std::string_view file, std::string_view text, std::size_t offset);

// A whole number; nothing where it is written otherwise or does not fit.
std::optional<std::int64_t> parse_integer(std::string_view number);
// A decimal number times 1000, rounded, not by way of a double. Nothing where that does not fit or it is no number.
std::optional<std::int64_t> microseconds_to_nanoseconds(std::string_view number);

}  // namespace streamscope::input

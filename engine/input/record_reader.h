// Records read from JSON by their descriptions. Each value is checked; an error says where it is. A member that is null
// or missing keeps its default, one that nobody knows is skipped.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/base/name_table.h"
#include "engine/base/time.h"
#include "engine/base/translate.h"
#include "engine/base/utf8.h"
#include "engine/input/json_reader.h"
#include "engine/schema/record.h"

namespace streamscope::input {

// Derived turns the text of a table into a number: `number(table, text)`. It may read values of its own sort with more
// functions `read(T&)`.
template <class Derived>
class RecordReader {
 protected:
  RecordReader(std::string_view text, const std::string& file) : json_(text, file) {}

  template <schema::Described Record>
  void read(Record& record) {
    if constexpr (schema::kWrittenAsArray<Record>) {
      std::size_t at = 0;
      json_.array([&] {
        std::size_t member = 0;
        schema::any_member<Record>([&](const auto& each) { return member++ == at && read_member(record, each); });
        ++at;
      });
    } else {
      json_.object([&](std::string_view key) {
        if (!derived().read_key(key, record)) unknown(key);
      });
    }
  }
  template <class Record>
  bool read_key(std::string_view key, Record& record) {
    return schema::any_member<Record>([&](const auto& each) { return each.key == key && read_member(record, each); });
  }

  template <class T>
  void read(std::optional<T>& value) {
    derived().read(value.emplace());
  }
  template <class T>
  void read(std::vector<T>& values) {
    values.clear();
    json_.peek();
    const std::size_t begin = json_.offset();
    json_.array([&] {
      if (has_text_for(values, begin)) derived().read(values.emplace_back());
    });
  }
  // "{}" takes two bytes, and what is made of it some hundreds: a short text that asks for much memory is wrong.
  template <class T>
  bool has_text_for(const std::vector<T>& values, std::size_t begin) {
    constexpr std::size_t kBytesEach = 16, kBytesAlways = 8u << 20;
    if (values.size() * sizeof(T) <= kBytesAlways + kBytesEach * (json_.offset() - begin)) return true;
    json_.fail_here(tr("{} values up to here, and hardly any text: they cannot be what a run wrote", values.size()));
    return false;
  }
  void read(std::string& value) { value = text(); }
  void read(bool& value) { value = json_.boolean(); }
  // A Nanoseconds is a time.
  void read(Nanoseconds& value) {
    // Times further from 0 are wrong, and sums of them would not fit.
    constexpr Nanoseconds kFarthest = std::int64_t{1} << 61;
    json_.peek();
    const std::size_t at = json_.offset();
    integer(value);
    if (value == kAbsent || (value >= -kFarthest && value <= kFarthest)) return;
    json_.fail_at(at, tr("a time more than 73 years off is none"));
    value = kAbsent;
  }
  void read(double& value) {
    json_.peek();
    const std::size_t at = json_.offset();
    if (!parse(json_.number(), value) || value - value != 0) json_.fail_at(at, tr("a finite number should be here"));
  }
  template <class T>
  requires std::is_integral_v<T>
  void read(T& value) { integer(value); }
  template <class T>
  requires std::is_enum_v<T>
  void read(T& value) {
    json_.peek();
    const std::size_t at = json_.offset();
    const std::string_view spelled = json_.string(buffer_);
    if (json_.failed()) return;
    if (const auto found = by_name<T>(spelled)) {
      value = *found;
    } else {
      json_.fail_at(at, tr("\"{}\" is unknown here", cut_text(valid_utf8(spelled), 80)));
    }
  }

  std::string text() { return valid_utf8(json_.string(buffer_)); }

  // Members that nobody knows, and how often each came: "start_nr (3), x (1)". Empty: none.
  std::string unknown_members() const {
    std::string out;
    for (const auto& [key, count] : unknown_) out += fmt::format("{}{} ({})", out.empty() ? "" : ", ", key, count);
    return out;
  }

  JsonReader json_;

 private:
  Derived& derived() { return static_cast<Derived&>(*this); }

  void unknown(std::string_view key) {
    constexpr std::size_t kMostNamed = 20, kLongestKey = 80;
    std::string name = cut_text(valid_utf8(key), kLongestKey);
    if (unknown_.size() >= kMostNamed && !unknown_.contains(name)) name = "...";
    ++unknown_[name];
  }

  // True: the key is taken. What is left unread is skipped.
  template <class Record, class Member>
  bool read_member(Record& record, const Member& member) {
    if constexpr (Member::kWhere == schema::Where::everywhere || Member::kWhere == schema::Where::files) {
      if (json_.peek() == JsonReader::Kind::null) return true;
      auto& value = member.of(record);
      if constexpr (Member::kTable != schema::kNoTable) {
        value = derived().number(Member::kTable, text());
      } else if constexpr (std::is_arithmetic_v<std::decay_t<decltype(value)>>) {
        const std::size_t at = json_.offset();
        derived().read(value);
        if (static_cast<double>(value) < member.least || static_cast<double>(value) > member.most)
          json_.fail_at(at, tr("a number from {} to {} should be here", member.least, member.most));
      } else {
        derived().read(value);
      }
    }
    return true;
  }

  template <class T>
  static bool parse(std::string_view digits, T& value) {
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return end.ec == std::errc() && end.ptr == digits.data() + digits.size();
  }
  template <class T>
  void integer(T& value) {
    json_.peek();
    const std::size_t at = json_.offset();
    const std::string_view digits = json_.number();
    if (json_.failed() || parse(digits, value)) return;
    json_.fail_at(at, tr("a whole number from {} to {} should be here", std::numeric_limits<T>::min(),
                         std::numeric_limits<T>::max()));
  }

  std::string buffer_;
  std::map<std::string, std::uint64_t> unknown_;
};

}  // namespace streamscope::input

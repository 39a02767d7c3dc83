// Records as JSON text, by their descriptions.
#pragma once

#include <fmt/compile.h>
#include <fmt/format.h>

#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/base/name_table.h"
#include "engine/output/fields.h"
#include "engine/schema/record.h"

namespace streamscope::output {

// Derived gives what a record alone does not say: `computed(key, record)` writes a computed member's value,
// `text(table, index)` is a quoted text of a table. It may write values of its own sort with more functions
// `value(const T&)`. Text is written at once: there may be millions of spans, and a tree of them would take twenty
// times their memory.
template <class Derived>
class RecordJson {
 public:
  explicit RecordJson(std::string& out) : out_(out) {}

  template <schema::Described Record>
  void value(const Record& record) {
    constexpr bool array = schema::kWrittenAsArray<Record>;
    const char* between = "";
    out_ += array ? '[' : '{';
    schema::each_member<Record>([&](const auto& each) {
      if constexpr (std::decay_t<decltype(each)>::kWhere != schema::Where::messages) {
        out_ += between;
        between = ",";
        if constexpr (!array) key(each.key);
        member(record, each);
      }
    });
    out_ += array ? ']' : '}';
  }

  // The value alone, null where the member is absent.
  template <class Record, class Member>
  void member(const Record& record, const Member& member) {
    if constexpr (Member::kWhere == schema::Where::computed) {
      derived().computed(member.key, record);
    } else if constexpr (Member::kTable != schema::kNoTable) {
      out_ += derived().text(Member::kTable, member.of(record));
    } else if (member.present(record)) {
      derived().value(member.of(record));
    } else {
      out_ += "null";
    }
  }

  template <class T>
  requires std::is_enum_v<T>
  void value(T which) {  // letters only: nothing to escape
    fmt::format_to(std::back_inserter(out_), FMT_COMPILE("\"{}\""), kNames<T>[static_cast<std::size_t>(which)]);
  }
  template <class T>
  requires std::is_integral_v<T>
  void value(T number) { fmt::format_to(std::back_inserter(out_), FMT_COMPILE("{}"), number); }
  void value(double number) { out_ += output::number(number); }
  void value(const std::string& text) { out_ += json_string(text); }
  template <class T>
  void value(const std::optional<T>& value) {
    if (value) {
      derived().value(*value);
    } else {
      out_ += "null";
    }
  }
  template <class T>
  void value(const std::vector<T>& values) {
    const char* between = "";
    out_ += '[';
    for (const T& each : values) {
      out_ += between;
      between = ",";
      derived().value(each);
    }
    out_ += ']';
  }

 protected:
  void key(std::string_view key) {
    out_ += '"';
    out_ += key;
    out_ += "\":";
  }

  std::string& out_;

 private:
  Derived& derived() { return static_cast<Derived&>(*this); }
};

}  // namespace streamscope::output

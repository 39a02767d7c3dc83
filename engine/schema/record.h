// How a record is described, once: its members with key, unit and meaning, and when a member is absent. Messages, JSON,
// CSV, the Chrome trace and the reader of saved runs go over the same description, so that none can lack a member.
//
// The description of a record R stands in the room of R:
//
//   template <> struct schema::Description<Span> {
//     static constexpr auto members = std::tuple{
//         member<&Span::line>("line", "", "Of the program's text", unless<0>), ...};
//   };
//
// A key ends in the unit where it has one ("start_ns"). An absent member is null in JSON and empty in CSV; messages
// carry a member's value whether it is absent or not. A member of type Nanoseconds is absent where it is not known().
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "engine/base/time.h"

namespace streamscope::schema {

template <class Record>
struct Description;

// Where a member stands.
enum class Where : std::uint8_t {
  everywhere,
  files,  // messages carry it in another way, or its value under another key
  messages,
  computed,  // made by the writer from the record and what is around it: readers pass it over
};

// For the positions of CSV columns, on which others rely: a column of a later edition stands behind all of an earlier
// one. 0: no column.
using Edition = int;

// When a member is present, asked of the record and of the member's value.
struct Always {
  template <class Record, class T>
  constexpr bool operator()(const Record&, const T& value) const {
    if constexpr (std::is_same_v<T, Nanoseconds>) {
      return known(value);
    } else {
      return true;
    }
  }
};
inline constexpr Always always;
template <auto absent>
struct Unless {
  template <class Record, class T>
  constexpr bool operator()(const Record&, const T& value) const {
    return value != static_cast<T>(absent);
  }
};
template <auto absent>
inline constexpr Unless<absent> unless;
struct Positive {
  template <class Record, class T>
  constexpr bool operator()(const Record&, const T& value) const {
    return value > 0;
  }
};
inline constexpr Positive positive;
struct NotEmpty {
  template <class Record, class T>
  constexpr bool operator()(const Record&, const T& value) const {
    return !value.empty();
  }
};
inline constexpr NotEmpty not_empty;
template <class Of>  // of the record alone
struct When {
  Of of;
  template <class Record, class T>
  constexpr bool operator()(const Record& record, const T&) const {
    return of(record);
  }
};
template <class Of>
constexpr When<Of> when(Of of) {
  return {of};
}

inline constexpr int kNoTable = -1;  // the value is no index into one of the trace's tables

// `path`: pointers to members, one within the other. `table`: files write the text at that index of the table.
template <class Present, int table, Where where, auto... path>
struct Member {
  static constexpr int kTable = table;
  static constexpr Where kWhere = where;

  std::string_view key, unit, meaning;
  Present present_if;
  Edition edition = 1;
  double least = std::numeric_limits<double>::lowest(), most = std::numeric_limits<double>::max();  // when read
  std::string_view label = {};  // of its row in the window; a literal

  template <class Record>
  static constexpr auto& of(Record& record) {
    return (record.*....*path);
  }
  template <class Record>
  constexpr bool present(const Record& record) const {
    return present_if(record, of(record));
  }

  constexpr Member since(Edition from) const {
    Member changed = *this;
    changed.edition = from;
    return changed;
  }
  constexpr Member within(double from, double to) const {
    Member changed = *this;
    changed.least = from;
    changed.most = to;
    return changed;
  }
  constexpr Member labelled(std::string_view text) const {
    Member changed = *this;
    changed.label = text;
    return changed;
  }
};

// A member that only writers make.
struct Computed {
  static constexpr Where kWhere = Where::computed;
  std::string_view key, unit, meaning;
};

template <auto... path, class Present = Always>
constexpr Member<Present, kNoTable, Where::everywhere, path...> member(std::string_view key, std::string_view unit,
                                                                       std::string_view meaning, Present present = {}) {
  return {key, unit, meaning, present};
}
// Of files only.
template <auto... path, class Present = Always>
constexpr Member<Present, kNoTable, Where::files, path...> file_member(std::string_view key, std::string_view unit,
                                                                       std::string_view meaning, Present present = {}) {
  return {key, unit, meaning, present};
}
// Of messages only.
template <auto... path>
constexpr Member<Always, kNoTable, Where::messages, path...> message_member(std::string_view key, std::string_view unit,
                                                                            std::string_view meaning) {
  return {key, unit, meaning, always};
}
// An index into a table; files have the text, and nothing where the table has none.
template <int table, auto... path>
constexpr Member<Always, table, Where::everywhere, path...> text_member(std::string_view key,
                                                                        std::string_view meaning) {
  return {key, "", meaning, always};
}
constexpr Computed computed(std::string_view key, std::string_view unit, std::string_view meaning) {
  return {key, unit, meaning};
}

template <class Record>
concept Described = requires {
  Description<Record>::members;
};

// f(member) for each member, in order.
template <Described Record, class F>
constexpr void each_member(F&& f) {
  std::apply([&](const auto&... member) { (f(member), ...); }, Description<Record>::members);
}

// The same until one gives true; whether one did.
template <Described Record, class F>
constexpr bool any_member(F&& f) {
  return std::apply([&](const auto&... member) { return (f(member) || ...); }, Description<Record>::members);
}

// The member of that key, found while compiling.
template <Described Record>
consteval std::size_t index_of(std::string_view key) {
  std::size_t at = 0, found = std::tuple_size_v<decltype(Description<Record>::members)>;
  each_member<Record>([&](const auto& member) {
    if (member.key == key) found = at;
    ++at;
  });
  if (found == at) throw "no member of this record has that key";
  return found;
}

// A key as a template's argument, and its member: kMember<Span, "line">.
template <std::size_t size>
struct Key {
  constexpr Key(const char (&text)[size]) { std::copy_n(text, size, characters); }  // NOLINT: a text is a key
  constexpr operator std::string_view() const { return {characters, size - 1}; }    // NOLINT: and a key a text
  char characters[size]{};
};
template <Described Record, Key key>
inline constexpr const auto& kMember = std::get<index_of<Record>(key)>(Description<Record>::members);

// Whether JSON has the values of a record as an array, in order, in place of an object.
template <class Record>
inline constexpr bool kWrittenAsArray = false;

}  // namespace streamscope::schema

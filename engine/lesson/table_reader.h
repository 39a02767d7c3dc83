// Values out of a table of lesson.toml; what is wrong becomes a line with its place. Internal to this room.
#pragma once

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/name_table.h"
#include "engine/base/place.h"
#include "engine/base/suggest.h"
#include "engine/base/translate.h"
#include "engine/lesson/expression.h"

namespace streamscope::lesson {

struct Written {
  std::string text;
  TextPlace place;
};

class TableReader {
 public:
  // Both must outlive it. `wrong`: lines are added to it.
  TableReader(const std::string& file, std::string& wrong) : file_(file), wrong_(wrong) {}

  void add(const std::string& message) { wrong_ += fmt::format("{}{}", wrong_.empty() ? "" : "\n", message); }
  std::string place(const toml::node& node) const {
    const toml::source_position at = node.source().begin;
    return fmt::format("{}:{}:{}", file_, at.line, at.column);
  }
  void wrong(const toml::node& node, std::string_view what) { add(error_at(place(node), what)); }

  void keys(const toml::table& table, std::initializer_list<std::string_view> known) {
    for (const auto& [key, node] : table) {
      if (std::ranges::find(known, key.str()) != known.end()) continue;
      const toml::source_position at = key.source().begin;
      add(error_at(fmt::format("{}:{}:{}", file_, at.line, at.column),
                   tr("unknown key '{}'{}; here are {}", key.str(), did_you_mean(key.str(), std::span(known)),
                      fmt::join(known, ", "))));
    }
  }
  std::optional<Written> written(const toml::node& node) {
    if (const auto* text = node.as_string()) {
      const toml::source_position at = node.source().begin;
      return Written{text->get(), {file_, at.line, at.column + 1}};
    }
    wrong(node, tr("this must be a text in quotes"));
    return std::nullopt;
  }
  std::optional<Written> text(const toml::table& table, std::string_view key, bool required = false) {
    if (const toml::node* node = table.get(key)) return written(*node);
    if (required) wrong(table, tr("{} is missing", key));
    return std::nullopt;
  }
  std::vector<Written> list(const toml::table& table, std::string_view key, bool required = false) {
    std::vector<Written> out;
    const toml::node* node = table.get(key);
    if (node == nullptr) {
      if (required) wrong(table, tr("{} is missing", key));
      return out;
    }
    const toml::array* array = node->as_array();
    if (array == nullptr || (required && array->empty())) {
      wrong(*node, tr("{} must be a list of texts, such as [\"…\"]", key));
      return out;
    }
    for (const toml::node& each : *array)
      if (auto one = written(each)) out.push_back(std::move(*one));
    return out;
  }
  std::vector<std::string> texts(const toml::table& table, std::string_view key) {
    std::vector<std::string> out;
    for (Written& each : list(table, key)) out.push_back(std::move(each.text));
    return out;
  }
  bool truth(const toml::table& table, std::string_view key) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return false;
    if (const auto value = node->value_exact<bool>()) return *value;
    wrong(*node, tr("{} is true or false", key));
    return false;
  }
  template <class T>
  std::optional<T> one_of(const toml::table& table, std::string_view key) {
    const auto given = text(table, key, true);
    if (!given) return std::nullopt;
    const auto found = by_name<T>(given->text);
    if (!found)
      add(error_at(given->place.at(0), tr("{} '{}' is none of {}", key, given->text, fmt::join(kNames<T>, ", "))));
    return found;
  }

 private:
  const std::string& file_;
  std::string& wrong_;
};

}  // namespace streamscope::lesson

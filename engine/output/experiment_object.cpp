#include <toml++/toml.h>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>
#include <vector>

#include "engine/output/fields.h"

namespace streamscope::output {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
std::string text_of(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

Json converted(const toml::node& node);

Json converted(const toml::table& table) {
  // The parser sorts keys by name; a person wrote them in another order.
  std::vector<std::pair<std::string_view, const toml::node*>> members;
  for (const auto& [key, value] : table) members.emplace_back(key.str(), &value);
  std::stable_sort(members.begin(), members.end(),
                   [](const auto& a, const auto& b) { return a.second->source().begin < b.second->source().begin; });
  Json object = Json::object();
  for (const auto& [key, value] : members) object[std::string(key)] = converted(*value);
  return object;
}

Json converted(const toml::node& node) {
  if (const auto* table = node.as_table()) return converted(*table);
  if (const auto* array = node.as_array()) {
    Json list = Json::array();
    for (const toml::node& element : *array) list.push_back(converted(element));
    return list;
  }
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* integer = node.as_integer()) return integer->get();
  if (const auto* floating = node.as_floating_point()) return floating->get();
  if (const auto* boolean = node.as_boolean()) return boolean->get();
  if (const auto* date = node.as_date()) return text_of(date->get());
  if (const auto* time = node.as_time()) return text_of(time->get());
  if (const auto* moment = node.as_date_time()) return text_of(moment->get());
  return nullptr;
}

}  // namespace

nlohmann::ordered_json experiment_object(const std::string& toml_text) {
  if (toml_text.empty()) return nullptr;
  try {
    return converted(toml::parse(toml_text));
  } catch (const toml::parse_error&) {
    return Json{{"text", toml_text}};
  }
}

}  // namespace streamscope::output

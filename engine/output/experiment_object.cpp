#include <toml++/toml.h>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>
#include <vector>

#include "engine/base/unfit_toml.h"
#include "engine/output/fields.h"

namespace streamscope::output {
namespace {

using Json = nlohmann::ordered_json;

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
  return node.visit([](const auto& value) -> Json {
    if constexpr (toml::is_table<decltype(value)>) {
      return converted(value);
    } else if constexpr (toml::is_array<decltype(value)>) {
      Json list = Json::array();
      for (const toml::node& element : value) list.push_back(converted(element));
      return list;
    } else if constexpr (toml::is_chronological<decltype(value)>) {
      std::ostringstream out;
      out << value.get();
      return out.str();
    } else {
      return value.get();
    }
  });
}

}  // namespace

nlohmann::ordered_json experiment_object(const std::string& toml_text) {
  if (toml_text.empty()) return nullptr;
  try {
    if (unfit_toml(toml_text)) return Json{{"text", toml_text}};
    return converted(toml::parse(toml_text));
  } catch (const toml::parse_error&) {
    return Json{{"text", toml_text}};
  }
}

}  // namespace streamscope::output

#include "engine/lesson/keywords_file.h"

namespace streamscope::lesson {

experiment::Keywords read_keywords(const toml::table& table, TableReader& reader) {
  experiment::Keywords out;
  const toml::node* node = table.get("keywords");
  if (node == nullptr) return out;
  const toml::table* all = node->as_table();
  if (all == nullptr) {
    reader.wrong(*node, tr("keywords are a table: [keywords] and below it en = [\"…\"]"));
    return out;
  }
  reader.keys(*all, {"en", "zh", "ko"});
  return {reader.texts(*all, "en"), reader.texts(*all, "zh"), reader.texts(*all, "ko")};
}

experiment::Keywords keywords_of(std::string_view text) {
  try {
    const std::string file;
    std::string ignored;
    TableReader reader(file, ignored);
    return read_keywords(toml::parse(text), reader);
  } catch (const toml::parse_error&) {
    return {};
  }
}

}  // namespace streamscope::lesson

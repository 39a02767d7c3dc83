#include "app/help/glossary.h"

#include <toml++/toml.h>

#include <algorithm>
#include <map>

#include "app/help/words.h"
#include "engine/base/files.h"

namespace streamscope::help {
namespace {

constexpr std::size_t kLargestFile = 1u << 20;

using Glossary = std::map<std::string, std::vector<std::string>, std::less<>>;

// "生产者，消费者" are two.
void add_separated(std::vector<std::string>& out, std::string_view words, std::string_view comma) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(comma), words.size());
    out.emplace_back(words.substr(0, end));
    words.remove_prefix(std::min(end + comma.size(), words.size()));
  }
}

// By each English word, without what stands in brackets behind it. Empty where the file is missing or damaged: then
// help is found by its own words only.
Glossary read_glossary() {
  Glossary out;
  const auto text = read_text(assets_folder() / "messages" / "glossary.toml", kLargestFile);
  if (!text) return out;
  toml::table all;
  try {
    all = toml::parse(*text);
  } catch (const toml::parse_error&) {
    return out;
  }
  for (const auto& [group, terms] : all) {
    if (!terms.is_table()) continue;
    for (const auto& [english, said] : *terms.as_table()) {
      if (!said.is_table()) continue;
      std::vector<std::string> words;
      add_separated(words, said.as_table()->at_path("zh").value_or(std::string_view{}), "，");
      add_separated(words, said.as_table()->at_path("ko").value_or(std::string_view{}), ", ");
      if (const toml::array* const also = said.as_table()->get_as<toml::array>("also"))
        for (const toml::node& each : *also) words.push_back(each.value_or(std::string()));
      for (const std::string& each : separated(english.str().substr(0, english.str().find(" ("))))
        out[each].insert(out[each].end(), words.begin(), words.end());
    }
  }
  return out;
}

}  // namespace

void add_other_languages(Entries& entries) {
  const Glossary glossary = read_glossary();
  for (Entry& entry : entries) {
    if (entry.kind != Kind::statement && entry.kind != Kind::notion && entry.kind != Kind::term) continue;
    const auto add = [&](const std::string& word) {
      if (const auto found = glossary.find(word); found != glossary.end())
        entry.keywords.insert(entry.keywords.end(), found->second.begin(), found->second.end());
    };
    add(entry.word);
    for (const std::string& each : entry.also) add(each);
  }
}

}  // namespace streamscope::help

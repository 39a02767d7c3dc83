#include "engine/experiment/shipped.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/files.h"
#include "engine/base/translate.h"
#include "engine/base/wide_letters.h"
#include "engine/experiment/experiment_file.h"

namespace streamscope::experiment {
namespace {

constexpr std::uintmax_t kLargestFile = 64u << 20;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// "Title: X" has "X" behind "Title"; the colon may be the wide one of Chinese texts.
bool takes(std::string_view& line, std::string_view key) {
  if (!line.starts_with(key)) return false;
  std::string_view rest = line.substr(key.size());
  const std::string_view colon = rest.starts_with(':') ? ":" : "：";
  if (!rest.starts_with(colon)) return false;
  line = trimmed(rest.substr(colon.size()));
  return true;
}

// Words with commas between them, those of Chinese texts too.
void add_words(std::string_view line, std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 3> kCommas{",", "，", "、"};
  while (!line.empty()) {
    std::size_t end = line.size(), after = line.size();
    for (const std::string_view comma : kCommas) {
      if (const std::size_t at = line.find(comma); at < end) {
        end = at;
        after = at + comma.size();
      }
    }
    if (const std::string_view word = trimmed(line.substr(0, end)); !word.empty()) words.emplace_back(word);
    line.remove_prefix(after);
  }
}

}  // namespace

Head head_of(std::string_view program) {
  Head head;
  bool new_paragraph = false, at_head = true;
  while (!program.empty()) {
    const std::size_t end = std::min(program.find('\n'), program.size());
    std::string_view line = program.substr(0, end);
    program.remove_prefix(std::min(end + 1, program.size()));
    at_head &= line.starts_with('#');
    if (!line.starts_with('#')) continue;
    line = trimmed(line.substr(1));
    if (takes(line, "Keywords")) {
      add_words(line, head.keywords.en);
    } else if (takes(line, "关键词")) {
      add_words(line, head.keywords.zh);
    } else if (takes(line, "키워드")) {
      add_words(line, head.keywords.ko);
    } else if (!at_head) {
      continue;
    } else if (takes(line, "Title")) {
      head.title = line;
    } else if (line.empty()) {
      new_paragraph = !head.about.empty();
    } else {
      if (!head.about.empty()) head.about += new_paragraph ? "\n\n" : " ";
      head.about += line;
      new_paragraph = false;
    }
  }
  return head;
}

std::string first_sentence(std::string_view text) {
  for (std::size_t at = text.find('.'); at != std::string_view::npos; at = text.find('.', at + 1)) {
    // Not that of "cp.async" or "1.5".
    if (at + 1 == text.size() || text[at + 1] == ' ' || text[at + 1] == '\n')
      return std::string(text.substr(0, at + 1));
  }
  return {};
}

std::string in_own_language(std::string_view about) {
  const std::string sentence = first_sentence(about);
  const std::size_t begin = std::min(about.find_first_not_of(" \n", sentence.size()), about.size());
  const std::string rest(about.substr(begin));
  const std::string_view between = about.substr(sentence.size(), begin - sentence.size());
  if (between == " ") return behind(tr(sentence.c_str()), tr(rest.c_str()));
  return tr(sentence.c_str()) + std::string(between) + tr(rest.c_str());
}

Result<Shipped> describe(const std::filesystem::path& path) {
  const std::string text = TRY(read_text(path, kLargestFile));
  Head head;
  if (path.extension() == ".toml") {
    Experiment read = TRY(parse_experiment(text, path.string())).experiment;
    head = {.title = std::move(read.name), .about = std::move(read.about), .keywords = std::move(read.keywords)};
  } else {
    head = head_of(text);
  }
  Shipped found{.path = path, .name = path.stem().string(), .title = std::move(head.title)};
  found.title = found.title.empty() ? found.name : tr(found.title.c_str());
  found.about = in_own_language(head.about);
  const std::string sentence = first_sentence(head.about);
  found.sentence = tr(sentence.c_str());
  found.keywords = std::move(head.keywords);
  return found;
}

std::vector<Shipped> shipped() {
  std::vector<Shipped> all;
  for (const auto& [folder, ending] : {std::pair{"experiments", ".toml"}, std::pair{"programs", ".streams"}}) {
    std::error_code error;
    for (std::filesystem::directory_iterator at(assets_folder() / folder, error), end; !error && at != end;
         at.increment(error)) {
      const std::filesystem::path& path = at->path();
      if (path.extension() != ending) continue;
      const std::string name = path.stem().string();
      all.push_back(describe(path).value_or(Shipped{.path = path, .name = name, .title = name}));
    }
  }
  std::sort(all.begin(), all.end(), [](const Shipped& a, const Shipped& b) { return a.name < b.name; });
  return all;
}

}  // namespace streamscope::experiment

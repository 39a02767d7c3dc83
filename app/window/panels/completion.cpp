#include "app/window/panels/completion.h"

#include <algorithm>

#include "app/help/help.h"

namespace streamscope::window {
namespace {

bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool goes_on(char c) { return begins_name(c) || (c >= '0' && c <= '9') || c == '-' || c == '.'; }

void offer(std::vector<std::string>& words, std::string_view word, std::string_view begin) {
  const bool fits = word.size() > begin.size() && word.starts_with(begin);
  if (fits && words.size() < kMostCompletions && std::ranges::find(words, word) == words.end())
    words.emplace_back(word);
}

bool is_word_to_type(const help::Entry& entry) {
  using help::Kind;
  const bool kind = entry.kind == Kind::statement || entry.kind == Kind::statement_option || entry.kind == Kind::notion;
  return kind && std::ranges::all_of(entry.word, goes_on);
}

}  // namespace

Completion complete(std::string_view program, std::size_t cursor) {
  cursor = std::min(cursor, program.size());
  Completion out{cursor, {}};
  while (out.begin > 0 && goes_on(program[out.begin - 1])) --out.begin;
  const std::string_view word = program.substr(out.begin, cursor - out.begin);
  for (std::size_t at = 0; at < program.size();) {
    if (program[at] == '#') {
      at = std::min(program.find('\n', at), program.size());
    } else if (!begins_name(program[at])) {
      ++at;
    } else {
      std::size_t end = at;
      while (end < program.size() && goes_on(program[end])) ++end;
      if (at != out.begin && !word.empty()) offer(out.words, program.substr(at, end - at), word);
      at = end;
    }
  }
  std::vector<std::string> language;
  for (const help::Entry& each : help::all())
    if (is_word_to_type(each) && std::ranges::find(out.words, each.word) == out.words.end())
      offer(language, each.word, word);
  std::ranges::sort(language);
  out.words.insert(out.words.end(), language.begin(), language.end());
  if (out.words.size() > kMostCompletions) out.words.resize(kMostCompletions);
  return out;
}

std::string sentence_of(std::string_view word) {
  for (const help::Entry* each : help::find(help::all(), word).called)
    if (is_word_to_type(*each)) return each->sentence;
  return {};
}

}  // namespace streamscope::window

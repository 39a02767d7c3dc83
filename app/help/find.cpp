#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "app/help/help.h"
#include "app/help/words.h"
#include "engine/base/suggest.h"

namespace streamscope::help {
namespace {

// Small letters, single blanks and no dashes in front: "Ctrl+E" and "ctrl e" are one word, "--png" and "png" too,
// "per_sm" and "per-sm".
std::string plain(std::string_view word) {
  while (word.size() > 1 && word.front() == '-' && word[1] != ' ') word.remove_prefix(1);
  std::string out;
  for (const char c : word) {
    const bool blank = c == ' ' || c == '_' || ((c == '+' || c == '-') && !out.empty() && out.back() != ' ');
    if (blank && (out.empty() || out.back() == ' ')) continue;
    out += blank ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

// "kernel.fma" is also called "fma".
std::string_view last_part(std::string_view word) { return word.substr(word.rfind('.') + 1); }

// Words that stand for a value: "pinned" of `host=`, "cp.async" of `copy=`.
std::vector<std::string> values_of(const Entry& entry) {
  const bool chosen = entry.kind == Kind::statement_option || entry.kind == Kind::experiment_key;
  if (!chosen || entry.range.find(", ") == std::string::npos || entry.range == "true, false") return {};
  std::vector<std::string> out = separated(entry.range);
  std::erase_if(out, [](const std::string& each) { return std::isalpha(static_cast<unsigned char>(each[0])) == 0; });
  return out;
}

bool called(const Entry& entry, const std::string& word) {
  if (plain(entry.word) == word) return true;
  const bool key = entry.kind == Kind::experiment_key || entry.kind == Kind::profile_key;
  if (key && plain(last_part(entry.word)) == word) return true;
  const auto is = [&](const std::string& other) { return plain(other) == word; };
  const auto any = [&](const std::vector<std::string>& all) { return std::any_of(all.begin(), all.end(), is); };
  return any(entry.also) || any(entry.calls) || any(values_of(entry)) || (!comes_along(entry) && any(entry.keywords));
}

bool speaks_of(const Entry& entry, const std::string& word) {
  const auto has = [&](std::string_view text) { return plain(text).find(word) != std::string::npos; };
  const auto any = [&](const std::vector<std::string>& all) { return std::any_of(all.begin(), all.end(), has); };
  return has(entry.word) || any(entry.also) || any(entry.calls) || has(entry.sentence) || has(entry.text) ||
         any(entry.keywords) || has(entry.syntax) || has(entry.range);
}

}  // namespace

Found find(const Entries& entries, std::string_view asked) {
  Found found;
  std::string word = plain(asked);
  if (word.empty()) return found;
  // "kernels": one of them, where no entry is called by the many, but for a lesson's title.
  const auto known = [&](const std::string& one) {
    return std::any_of(entries.begin(), entries.end(),
                       [&](const Entry& entry) { return entry.kind != Kind::lesson && called(entry, one); });
  };
  if (const std::string one = word.substr(0, word.size() - 1); word.ends_with('s') && !known(word) && known(one))
    word = one;
  for (const Entry& entry : entries) {
    const auto is = [&](const std::string& keyword) { return plain(keyword) == word; };
    if (called(entry, word))
      found.called.push_back(&entry);
    else if (std::any_of(entry.keywords.begin(), entry.keywords.end(), is))
      found.shown_by.push_back(&entry);
  }
  // That very word comes before another that only ends in it or is called so too.
  const auto place = [&](const Entry* each) { return std::pair(plain(each->word) != word, each->kind); };
  std::stable_sort(found.called.begin(), found.called.end(),
                   [&](const Entry* left, const Entry* right) { return place(left) < place(right); });
  if (!found.called.empty()) return found;

  std::set<std::string> words;
  for (const Entry& entry : entries) {
    const bool shows = std::find(found.shown_by.begin(), found.shown_by.end(), &entry) != found.shown_by.end();
    if (!shows && speaks_of(entry, word)) found.speak_of.push_back(&entry);
    words.insert(entry.word);
    words.insert(entry.also.begin(), entry.also.end());
    words.insert(entry.keywords.begin(), entry.keywords.end());
    words.insert(entry.calls.begin(), entry.calls.end());
    for (std::string& each : values_of(entry)) words.insert(std::move(each));
  }
  // Whose name it is a part of come first, then those that say it in their sentence.
  const auto has = [&](std::string_view text) { return plain(text).find(word) != std::string::npos; };
  const auto far = [&](const Entry* each) {
    const bool named = has(each->word) || std::any_of(each->also.begin(), each->also.end(), has);
    return named ? 0 : has(each->sentence) ? 1 : 2;
  };
  std::stable_sort(found.speak_of.begin(), found.speak_of.end(),
                   [&](const Entry* left, const Entry* right) { return far(left) < far(right); });
  constexpr std::size_t kMostNear = 3;
  std::vector<std::string_view> left(words.begin(), words.end());
  std::erase_if(left, [&](std::string_view each) { return plain(each) == word; });  // a keyword
  while (found.near.size() < kMostNear) {
    const std::string_view next = nearest(word, left);
    if (next.empty()) break;
    found.near.emplace_back(next);
    left.erase(std::find(left.begin(), left.end(), next));
  }
  return found;
}

}  // namespace streamscope::help

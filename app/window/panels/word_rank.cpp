#include "app/window/panels/word_rank.h"

#include <algorithm>
#include <cstdint>

namespace streamscope::window {
namespace {

// The kinds of texts, the best first.
enum class Field : std::uint8_t { title, name, keyword, sentence };
constexpr int kCalledSo = 0, kBeginsSo = 1, kHas = 2;  // and the field, and kWithin
constexpr int kInLetters = kHas + 2 * kWithin;         // behind all that has the words

// Of Latin letters: others have no case here, or are found as they are typed.
std::string small(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

// How far the letters lie apart in the title; letters at the beginning of a word count as close. Nothing: not all of
// them are there in this order.
std::optional<int> distance(std::string_view title, std::string_view words) {
  int apart = 0;
  std::size_t from = 0;
  bool first = true;
  for (const char wanted : words) {
    if (wanted == ' ') continue;
    const std::size_t at = title.find(wanted, from);
    if (at == std::string_view::npos) return std::nullopt;
    const bool begins_word = at == 0 || title[at - 1] == ' ';
    if (!begins_word) apart += first ? 4 : static_cast<int>(at - from) * 2;
    first = false;
    from = at + 1;
  }
  return apart;
}

std::optional<int> rank_in(std::string_view text, std::string_view words, Field field) {
  std::optional<int> best;
  const std::string all = small(text);
  for (std::size_t at = all.find(words); at != std::string::npos; at = all.find(words, at + 1)) {
    const auto before = at == 0 ? ' ' : static_cast<unsigned char>(all[at - 1]);
    const bool letter = before >= 0x80 || (before >= 'a' && before <= 'z') || (before >= '0' && before <= '9');
    if (!letter) return static_cast<int>(field);
    best = kWithin + static_cast<int>(field);
  }
  return best;
}

std::optional<int> rank_of(const Findable& what, std::string_view words) {
  std::optional<int> best;
  const auto look = [&](std::string_view text, Field field) {
    const auto found = rank_in(text, words, field);
    if (found && (!best || *found < *best)) best = found;
  };
  look(what.title, Field::title);
  look(what.name, Field::name);
  for (const std::span<const std::string> some : what.keywords)
    for (const std::string& each : some) look(each, Field::keyword);
  look(what.sentence, Field::sentence);
  return best;
}

}  // namespace

std::optional<int> rank(const Findable& what, std::string_view typed) {
  const std::string all = small(typed);
  std::string_view words = all;
  while (words.ends_with(' ')) words.remove_suffix(1);
  while (words.starts_with(' ')) words.remove_prefix(1);
  if (words.empty()) return 0;
  const std::string title = small(what.title);
  if (title.starts_with(words)) return title == words ? kCalledSo : kBeginsSo;
  if (const auto whole = rank_of(what, words)) return kHas + *whole;
  int worst = 0;  // of the words, each for itself
  for (std::string_view rest = words; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (word.empty()) continue;
    const auto found = rank_of(what, word);
    if (!found) {
      const auto far = distance(title, words);
      return far ? std::optional(kInLetters + *far) : std::nullopt;
    }
    worst = std::max(worst, *found);
  }
  return kHas + worst;
}

}  // namespace streamscope::window

#include "engine/base/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "engine/base/translate.h"

namespace streamscope {
namespace {

constexpr std::size_t kLongest = 64;
constexpr std::size_t kFar = std::numeric_limits<std::size_t>::max();

char lower(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter; }

constexpr std::size_t kFewestLetters = 3;  // of a beginning: two letters begin too many words

bool begins(std::string_view whole, std::string_view with) {
  return with.size() >= kFewestLetters && whole.size() > with.size() && whole.starts_with(with);
}

// `longer` is the other and a part more, behind a dash or a dot.
bool goes_on(std::string_view longer, std::string_view word) {
  return begins(longer, word) && std::string_view("_-.").find(longer[word.size()]) != std::string_view::npos;
}

}  // namespace

std::size_t edit_distance(std::string_view left, std::string_view right) {
  if (left.size() > kLongest || right.size() > kLongest) return kFar;
  using Row = std::array<std::size_t, kLongest + 1>;
  Row before_last{}, last{}, row{};
  for (std::size_t j = 0; j <= right.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const bool same = lower(left[i - 1]) == lower(right[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped =
          i > 1 && j > 1 && lower(left[i - 1]) == lower(right[j - 2]) && lower(left[i - 2]) == lower(right[j - 1]);
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = last;
    last = row;
  }
  return last[right.size()];
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  std::string_view best;
  std::size_t least = kFar;
  for (const std::string_view candidate : candidates) {
    const bool part = begins(candidate, word) || goes_on(word, candidate);
    const std::size_t distance = part ? 1 : edit_distance(word, candidate);
    const std::size_t near = std::max<std::size_t>(1, candidate.size() / 3);
    // No suggestion as different from the word as any other: of a single letter, for example.
    if (distance > near || distance >= candidate.size() || distance >= least) continue;
    best = candidate;
    least = distance;
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view best = nearest(word, candidates);
  return best.empty() ? std::string() : tr("; did you mean '{}'?", best);
}

}  // namespace streamscope

// How well what a person typed fits something that has a title, names and texts.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace streamscope::window {

struct Findable {
  std::string_view title, name = {};
  std::vector<std::span<const std::string>> keywords = {};
  std::string_view sentence = {};
};

inline constexpr int kWithin = 4;  // how far what has the words within other words is behind what has them alone

// 0 is best; nothing: some word of it is nowhere. All words must be there, in any case and any order. First comes what
// is called so, then a title that begins so. What begins a word counts before what stands within one; of both kinds
// titles come first, then names, keywords and sentences; last those whose title has the letters in this order.
std::optional<int> rank(const Findable& what, std::string_view typed);

}  // namespace streamscope::window

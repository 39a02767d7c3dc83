// Enumerators and their names in files: an array in the enumerators' order, searched both ways.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace streamscope {

template <std::size_t N>
using NameTable = std::array<std::string_view, N>;

// The table of an enumeration: specialised beside it, which also says how many enumerators there are.
template <class Enumeration>
inline constexpr std::nullptr_t kNames = nullptr;

template <class Enumeration>
constexpr std::string_view name_of(Enumeration which) {
  return kNames<Enumeration>[static_cast<std::size_t>(which)];
}

template <class Enumeration>
std::optional<Enumeration> by_name(std::string_view wanted) {
  const auto& names = kNames<Enumeration>;
  const auto at = std::find(names.begin(), names.end(), wanted);
  if (at == names.end()) return std::nullopt;
  return static_cast<Enumeration>(at - names.begin());
}

}  // namespace streamscope

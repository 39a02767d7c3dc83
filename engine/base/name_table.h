// Enumerators and their names in files: an array in the enumerators' order, searched both ways.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace streamscope {

template <std::size_t N>
using NameTable = std::array<std::string_view, N>;

template <class T, std::size_t N>
std::optional<T> by_name(const NameTable<N>& names, std::string_view wanted) {
  const auto at = std::find(names.begin(), names.end(), wanted);
  if (at == names.end()) return std::nullopt;
  return static_cast<T>(at - names.begin());
}

}  // namespace streamscope

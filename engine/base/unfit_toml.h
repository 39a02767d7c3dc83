// What must not be given to the TOML parser, which takes a hundred bytes of memory for one of the text, and the stack
// for each part of a dotted key.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace streamscope {

inline constexpr std::size_t kLargestToml = 1u << 20;  // bytes
inline constexpr int kMostKeyParts = 256;

struct UnfitToml {
  std::size_t line = 1, column = 1;  // from 1, the column in bytes
  std::string why;
};
// Nothing: the parser may see it.
std::optional<UnfitToml> unfit_toml(std::string_view text);

}  // namespace streamscope

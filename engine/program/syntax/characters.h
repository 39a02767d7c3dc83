// The characters that names and numbers are made of, whatever the locale.
#pragma once

#include <cstddef>

namespace streamscope::program {

inline constexpr std::size_t kLongestName = 255;  // letters of it
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

}  // namespace streamscope::program

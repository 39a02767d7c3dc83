// The characters that names and numbers are made of, whatever the locale, and the text of a program as messages quote
// it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace streamscope::program {

inline constexpr std::size_t kLongestName = 255;
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// The text with what is not UTF-8 and control characters escaped, cut where it is long.
std::string printable(std::string_view text);

}  // namespace streamscope::program

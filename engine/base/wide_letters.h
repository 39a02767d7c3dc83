// Letters of Chinese, Japanese and Korean: they take the place of two others, and lines may end between Chinese ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace streamscope {

// The code point that begins at `at`; bytes that are no UTF-8 stand for themselves.
std::uint32_t code_point(std::string_view text, std::size_t at);
bool is_wide(std::uint32_t code_point);

// Whether a line may end before what begins at `at` (beyond 0): after a word, and before and after each wide letter,
// but for signs that belong to what is before or behind them, and never between a number and its unit.
bool may_break(std::string_view text, std::size_t at);

// One sentence behind another, which may be empty: with a space between them, but for a 。, which brings its own.
std::string behind(std::string_view sentence, std::string_view next);

// Of a terminal, that the text takes: two for a wide letter, one for any other.
std::size_t columns(std::string_view text);

}  // namespace streamscope

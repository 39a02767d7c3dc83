// The words of a line of code, a stream program's or CUDA C++, by what they mean, and their colours: an operation has
// the colour of its bars, in both.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "app/timeline/theme.h"
#include "engine/base/kind.h"

namespace streamscope::window {

enum class WordMeaning : std::uint8_t { plain, comment, keyword, number, call, operation };
inline constexpr std::size_t kWordMeanings = 6;

struct CodeWord {
  std::string_view text;
  WordMeaning meaning = WordMeaning::plain;
  OperationKind kind = {};  // of an operation
  friend bool operator==(const CodeWord&, const CodeWord&) = default;
};

// All of the line, in order: side by side their texts are the line.
using CodeWords = std::vector<CodeWord>;
CodeWords words_of_program(std::string_view line);
CodeWords words_of_cuda(std::string_view line);

// Behind lines that are lit, and behind the one that the cursor is in.
timeline::Colour lit_ground(const timeline::Theme& theme);
timeline::Colour cursor_ground(const timeline::Theme& theme);
timeline::Colour colour_of(const CodeWord& word, const timeline::Theme& theme);

}  // namespace streamscope::window

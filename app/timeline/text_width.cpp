#include "app/timeline/text_width.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace streamscope::timeline {
namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// The code point that begins at `at`; bytes that are no UTF-8 stand for themselves.
std::uint32_t code_point(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
  std::uint32_t out = more == 0 ? first : first & (0x3FU >> more);
  for (int i = 0; i < more && at + 1 < text.size() && continues(text[at + 1]); ++i)
    out = out << 6 | (static_cast<unsigned char>(text[++at]) & 0x3FU);
  return out;
}

// Chinese, Japanese and Korean letters and signs take a whole em, and so do pictographs.
bool is_wide(std::uint32_t c) {
  struct Range {
    std::uint32_t first, last;
  };
  static constexpr Range kWide[] = {{0x1100, 0x115F}, {0x2E80, 0x303F}, {0x3041, 0x33FF},  {0x3400, 0x4DBF},
                                    {0x4E00, 0xA4CF}, {0xA960, 0xA97F}, {0xAC00, 0xD7FF},  {0xF900, 0xFAFF},
                                    {0xFE30, 0xFE6F}, {0xFF00, 0xFFE6}, {0x1F000, 0x3FFFD}};
  return std::any_of(std::begin(kWide), std::end(kWide),
                     [c](Range range) { return range.first <= c && c <= range.last; });
}

// Ems, measured on Roboto and rounded up.
float character_width(std::uint32_t c, Font font) {
  if (c >= 0x1100 && is_wide(c)) return 1.0F;
  if (font == Font::mono) return 0.602F;
  if (c >= 0x80) return 0.62F;
  if (c != 0 && std::strchr("mwMW@%", static_cast<int>(c)) != nullptr) return 0.9F;
  if (std::strchr(" .,:;'|!iljI()[]ft-", static_cast<int>(c)) != nullptr) return 0.37F;
  if (c >= 'A' && c <= 'Z') return 0.68F;
  return 0.575F;
}

// Of the character that begins at `at`.
float ems_at(std::string_view text, std::size_t at, Font font) {
  const float width = character_width(code_point(text, at), font);
  return font == Font::bold ? width * 1.04F : width;
}

}  // namespace

float text_width(std::string_view text, Font font, float size) {
  float sum = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (!continues(text[i])) sum += ems_at(text, i, font);
  return sum * size;
}

std::string fitted(std::string_view text, Font font, float size, float width) {
  static constexpr std::string_view kEllipsis = "…";
  const float room = width - text_width(kEllipsis, font, size);
  float sum = 0;
  std::size_t length = 0;  // of what fits before an ellipsis
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (continues(text[i])) continue;
    if (sum * size <= room) length = i;
    sum += ems_at(text, i, font);
    if (sum * size <= width) continue;
    while (length > 0 && text[length - 1] == ' ') --length;
    if (length == 0) return {};
    return std::string(text.substr(0, length)) + std::string(kEllipsis);
  }
  return std::string(text);
}

std::vector<std::string> wrapped(std::string_view text, Font font, float size, float width, std::size_t lines) {
  std::vector<std::string> out;
  while (!text.empty() && out.size() < lines) {
    const std::size_t line_end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, line_end);
    float sum = 0;
    std::size_t fits = line.size(), at_word = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (continues(line[i])) continue;
      // A line may end after a word, and before and after each letter that takes a whole em.
      if (i > 0 && (line[i - 1] == ' ' || line[i] == ' ' || is_wide(code_point(line, i)))) at_word = i;
      sum += ems_at(line, i, font);
      if (sum * size <= width) continue;
      fits = at_word > 0 ? at_word : i;
      break;
    }
    if (fits == 0) break;  // not even a letter
    const bool last = out.size() + 1 == lines;
    const std::string rest = std::string(line) + (line_end < text.size() ? " …" : "");  // lines that have no room
    out.push_back(last ? fitted(rest, font, size, width) : std::string(line.substr(0, fits)));
    while (!out.back().empty() && out.back().back() == ' ') out.back().pop_back();
    text.remove_prefix(fits == line.size() ? std::min(line_end + 1, text.size()) : fits);
    while (text.starts_with(' ')) text.remove_prefix(1);
  }
  return out;
}

}  // namespace streamscope::timeline

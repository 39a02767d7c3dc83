#include "app/timeline/text_width.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "engine/base/wide_letters.h"

namespace streamscope::timeline {
namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Ems, measured on Roboto and rounded up.
float character_width(std::uint32_t c, Font font) {
  if (is_wide(c)) return 1.0F;
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
      if (i > 0 && may_break(line, i)) at_word = i;
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

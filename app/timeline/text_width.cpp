#include "app/timeline/text_width.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "engine/base/wide_letters.h"

namespace streamscope::timeline {
namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// From blank to tilde, thousandths of an em: the advances in the `hmtx` table of Roboto 2.137, rounded up, the widest
// of its weights Regular (on screen), Medium (in pictures) and Bold.
constexpr std::array<std::int16_t, 95> kAdvances = {
    250, 272, 325, 616, 574, 739, 657, 175, 352, 354, 454, 568, 245, 389, 292, 413, 574, 574, 574,
    574, 574, 574, 574, 574, 574, 574, 283, 263, 510, 573, 523, 499, 898, 674, 639, 655, 657, 569,
    553, 682, 714, 292, 559, 636, 542, 876, 714, 691, 646, 691, 639, 615, 619, 659, 654, 888, 636,
    619, 607, 279, 423, 279, 438, 452, 332, 544, 563, 524, 565, 541, 359, 572, 561, 266, 261, 535,
    266, 877, 561, 571, 563, 569, 366, 517, 338, 561, 506, 752, 510, 503, 510, 339, 254, 339, 681};

// Ems.
float character_width(std::uint32_t c, Font font) {
  if (is_wide(c)) return 1.0F;
  if (font == Font::mono) return 0.602F;
  if (c >= ' ' && c <= '~') return static_cast<float>(kAdvances[c - ' ']) / 1000;
  switch (c) {
    case 0xB7: return 0.302F;  // ·
    case 0xB5:
    case 0x3BC: return 0.616F;  // µ
    case 0xD7: return 0.534F;   // ×
    case 0x2026: return 0.74F;  // …
    default: break;
  }
  return c >= 0x2190 && c < 0x2300 ? 0.84F : 0.69F;  // arrows and comparisons come from DejaVu
}

// Of the character that begins at `at`.
float ems_at(std::string_view text, std::size_t at, Font font) { return character_width(code_point(text, at), font); }

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

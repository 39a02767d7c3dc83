#include "app/timeline/text_width.h"

#include <cstring>

namespace streamscope {
namespace {

// Ems, measured on Roboto and rounded up.
float character_width(unsigned char c) {
  if (c >= 0x80) return 0.62F;  // counted once for each code point
  if (std::strchr("mwMW@%", c) != nullptr) return 0.9F;
  if (std::strchr(" .,:;'|!iljI()[]ft-", c) != nullptr) return 0.37F;
  if (c >= 'A' && c <= 'Z') return 0.68F;
  return 0.575F;
}

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

float ems(std::string_view text, Font font) {
  float sum = 0;
  for (const char c : text) {
    if (continues(c)) continue;
    sum += font == Font::mono ? 0.602F : character_width(static_cast<unsigned char>(c));
  }
  return font == Font::bold ? sum * 1.04F : sum;
}

}  // namespace

float text_width(std::string_view text, Font font, float size) { return ems(text, font) * size; }

std::string fitted(std::string_view text, Font font, float size, float width) {
  if (text_width(text, font, size) <= width) return std::string(text);
  static constexpr std::string_view kEllipsis = "…";
  const float room = width - text_width(kEllipsis, font, size);
  std::size_t length = 0;
  for (std::size_t i = 1; i <= text.size(); ++i) {
    if (i < text.size() && continues(text[i])) continue;
    if (text_width(text.substr(0, i), font, size) > room) break;
    length = i;
  }
  while (length > 0 && text[length - 1] == ' ') --length;
  if (length == 0) return {};
  return std::string(text.substr(0, length)) + std::string(kEllipsis);
}

}  // namespace streamscope

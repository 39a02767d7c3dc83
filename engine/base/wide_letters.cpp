#include "engine/base/wide_letters.h"

#include <algorithm>
#include <iterator>

namespace streamscope {
namespace {

// No line begins with one of the first, and none ends with one of the second.
constexpr std::string_view kClosing = "，。；：！？、）》”’…,.;:!?)%", kOpening = "（《“‘(";

// Korean has blanks between its words, and keeps them whole.
bool ends_a_line(std::uint32_t c) {
  const bool korean = (c >= 0x1100 && c <= 0x11FF) || (c >= 0xA960 && c <= 0xA97F) || (c >= 0xAC00 && c <= 0xD7FF);
  return is_wide(c) && !korean;
}

// Behind a number they stay on its line.
constexpr std::string_view kUnits[] = {"ns",  "us",  "ms", "s",   "B",    "KiB",  "MiB",  "GiB",
                                       "KB",  "MB",  "GB", "B/s", "KB/s", "MB/s", "GB/s", "TFLOP/s",
                                       "GHz", "MHz", "W",  "%",   "pt",   "px",   "mm"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Whether a unit begins there, whatever stands behind it: a sign, a word of Korean.
bool unit_at(std::string_view text) {
  return std::any_of(std::begin(kUnits), std::end(kUnits), [&](std::string_view unit) {
    return text.starts_with(unit) &&
           (text.size() == unit.size() || !(is_letter(text[unit.size()]) || text[unit.size()] == '/'));
  });
}

// Whether the blank there is that of "506 ms".
bool between_number_and_unit(std::string_view text, std::size_t blank) {
  return blank > 0 && text[blank - 1] >= '0' && text[blank - 1] <= '9' && unit_at(text.substr(blank + 1));
}

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

}  // namespace

std::uint32_t code_point(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
  std::uint32_t out = more == 0 ? first : first & (0x3FU >> more);
  for (int i = 0; i < more && at + 1 < text.size() && continues(text[at + 1]); ++i)
    out = out << 6 | (static_cast<unsigned char>(text[++at]) & 0x3FU);
  return out;
}

bool is_wide(std::uint32_t c) {
  struct Range {
    std::uint32_t first, last;
  };
  // Pictographs too.
  static constexpr Range kWide[] = {{0x1100, 0x115F}, {0x2E80, 0x303F}, {0x3041, 0x33FF},  {0x3400, 0x4DBF},
                                    {0x4E00, 0xA4CF}, {0xA960, 0xA97F}, {0xAC00, 0xD7FF},  {0xF900, 0xFAFF},
                                    {0xFE30, 0xFE6F}, {0xFF00, 0xFFE6}, {0x1F000, 0x3FFFD}};
  return c >= 0x1100 && std::any_of(std::begin(kWide), std::end(kWide),
                                    [c](Range range) { return range.first <= c && c <= range.last; });
}

bool may_break(std::string_view text, std::size_t at) {
  std::size_t before = at - 1, behind = at + 1;
  while (before > 0 && continues(text[before])) --before;
  while (behind < text.size() && continues(text[behind])) ++behind;
  if (text[at] == ' ') return !between_number_and_unit(text, at);
  if (text[before] == ' ') return !between_number_and_unit(text, before);
  if (kClosing.find(text.substr(at, behind - at)) != std::string_view::npos) return false;
  if (!ends_a_line(code_point(text, before)) && !ends_a_line(code_point(text, at))) return false;
  return kOpening.find(text.substr(before, at - before)) == std::string_view::npos;
}

std::string behind(std::string_view sentence, std::string_view next) {
  const bool spaced = !sentence.empty() && !sentence.ends_with("。");
  return std::string(sentence) + (spaced ? " " : "") + std::string(next);
}

std::size_t columns(std::string_view text) {
  std::size_t sum = 0;
  for (std::size_t at = 0; at < text.size(); ++at)
    if (!continues(text[at])) sum += is_wide(code_point(text, at)) ? 2 : 1;
  return sum;
}

}  // namespace streamscope

#include "engine/program/syntax/characters.h"

#include <fmt/format.h>

#include "engine/base/utf8.h"

namespace streamscope::program {
namespace {

constexpr std::size_t kLongestPrinted = 48;  // characters

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  std::size_t characters = 0;
  while (!text.empty()) {
    if (++characters > kLongestPrinted) return out + "…";
    const std::size_t length = utf8_length(text);
    const auto first = static_cast<unsigned char>(text[0]);
    if (length == 0 || first < 0x20 || first == 0x7F) {
      out += fmt::format("\\x{:02X}", first);
      text.remove_prefix(1);
    } else {
      out += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return out;
}

}  // namespace streamscope::program

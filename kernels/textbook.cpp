#include "kernels/textbook.h"

#include <fmt/format.h>

namespace streamscope::kernels {

std::string filled_in(std::string_view text,
                      std::initializer_list<std::pair<std::string_view, std::string_view>> values) {
  std::string filled;
  while (true) {
    const std::size_t from = text.find('$');
    filled += text.substr(0, from);
    if (from == std::string_view::npos) return filled;
    const std::size_t to = text.find('$', from + 1);
    const std::string_view key = text.substr(from + 1, to - from - 1);
    for (const auto& [name, value] : values) {
      if (name == key) filled += value;
    }
    text.remove_prefix(to + 1);
  }
}

std::string cast_to(std::string_view type, std::string_view pointer) {
  return fmt::format("reinterpret_cast<{}>({})", type, pointer);
}

std::string divided_by(std::string_view bytes, std::string_view divisor) {
  const bool brackets = bytes.find_first_of("+-") != std::string_view::npos;
  return brackets ? fmt::format("({}) / {}", bytes, divisor) : fmt::format("{} / {}", bytes, divisor);
}

}  // namespace streamscope::kernels

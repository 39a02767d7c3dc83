#include "engine/experiment/setting.h"

#include <fmt/format.h>

namespace streamscope::experiment {

Result<Setting> parse_setting(std::string_view text) {
  const auto trim = [](std::string_view word) {
    while (!word.empty() && (word.front() == ' ' || word.front() == '\t')) word.remove_prefix(1);
    while (!word.empty() && (word.back() == ' ' || word.back() == '\t')) word.remove_suffix(1);
    return std::string(word);
  };
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || trim(text.substr(0, equals)).empty()) {
    return fail(ErrorKind::bad_input, fmt::format("--set {}: error: write key=value, such as streams=8", text));
  }
  return Setting{trim(text.substr(0, equals)), trim(text.substr(equals + 1))};
}

}  // namespace streamscope::experiment

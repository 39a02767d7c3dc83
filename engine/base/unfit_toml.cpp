#include "engine/base/unfit_toml.h"

#include "engine/base/translate.h"

namespace streamscope {

std::optional<UnfitToml> unfit_toml(std::string_view text) {
  if (text.size() > kLargestToml) {
    return UnfitToml{1, 1,
                     tr("it has {} bytes, and {} are the most; a long program goes into a file of its own "
                        "(.streams)",
                        text.size(), kLargestToml)};
  }
  // Whether a dot is within a key or a text does not matter: between words no text has so many of them.
  std::size_t line = 1, begin = 0;
  int parts = 1;
  bool behind_word = false, comment = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\n') {
      ++line;
      begin = at + 1;
      parts = 1;
      behind_word = comment = false;
    } else if (comment || c == ' ' || c == '\t') {
      continue;
    } else if (c == '.' && behind_word) {
      behind_word = false;
      if (++parts > kMostKeyParts) return UnfitToml{line, at - begin + 1, tr("a key has over {} parts", kMostKeyParts)};
    } else if (std::string_view("=[]{},.#").find(c) != std::string_view::npos) {
      parts = 1;
      behind_word = false;
      comment = c == '#';
    } else {
      behind_word = true;
    }
  }
  return std::nullopt;
}

}  // namespace streamscope

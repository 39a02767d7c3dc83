#include "app/help/words.h"

#include <cctype>
#include <utility>

#include "app/help/entry.h"
#include "engine/base/translate.h"

namespace streamscope::help {

std::vector<std::string> separated(std::string_view list) {
  std::vector<std::string> out;
  while (!list.empty()) {
    const std::size_t comma = list.find(", ");
    out.emplace_back(list.substr(0, comma));
    list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 2);
  }
  return out;
}

std::string as_sentence(std::string_view clause) {
  std::string text(clause);
  if (text.empty()) return text;
  // A name that begins with a small letter keeps it, and a word that is explained behind a colon.
  const std::size_t end = text.find_first_of(" ,;:");
  const bool name = text.substr(0, end).find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_=.") != std::string::npos;
  const bool word = end != std::string::npos && text[end] == ':';
  if (!name && !word) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return with_full_stop(std::move(text));
}

std::string sentence(const kernels::Option& option) {
  return option.help.empty() ? as_sentence(tr(option.meaning)) : std::string(tr(option.help));
}

}  // namespace streamscope::help

// A language of brackets: each message of the catalogue is the English one between them. What a person reads outside of
// all brackets did not go through the catalogue.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <list>
#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/translate.h"

namespace streamscope::testing {

inline constexpr std::string_view kOpen = "⟦", kClose = "⟧";

// A Catalogue. Its answers stay valid for good.
inline const char* bracketed(const char* text, const char* plural, unsigned long count) {
  static std::map<std::string, std::string, std::less<>> said;
  const std::string_view chosen = plural != nullptr && count != 1 ? plural : text;
  const auto found = said.find(chosen);
  if (found != said.end()) return found->second.c_str();
  // Blanks and line ends at its ends stay there, for whoever takes the text apart into lines and columns.
  const std::size_t begin = std::min(chosen.find_first_not_of(" \n"), chosen.size());
  const std::size_t end = chosen.find_last_not_of(" \n") + 1;
  std::string out(chosen);
  if (begin < end) {
    out.insert(end, kClose);
    out.insert(begin, kOpen);
  }
  return said.emplace(chosen, std::move(out)).first->second.c_str();
}

// Where a text was cut, what is open or closed only once reaches to its end or from its beginning.
inline std::string outside_brackets(std::string_view text) {
  std::string out;
  int depth = 0;
  while (!text.empty()) {
    if (text.starts_with(kOpen)) {
      ++depth;
      text.remove_prefix(kOpen.size());
    } else if (text.starts_with(kClose)) {
      if (depth == 0)
        out.clear();
      else
        --depth;
      out += ' ';
      text.remove_prefix(kClose.size());
    } else {
      if (depth == 0) out += text.front();
      text.remove_prefix(1);
    }
  }
  return out;
}

// What may stand outside: a pattern, and why it is in no language.
struct NoMessage {
  const char* pattern;
  const char* why;
};

// What no language changes, and these.
inline std::vector<NoMessage> excused(std::vector<NoMessage> these) {
  these.insert(these.end(), {{R"((\d\s?|, )(ns|us|ms|[KMG]iB|[kMG]?B|[MG]B/s|MHz|FMA|TFLOP/s)\b)", "a number's unit"},
                             {R"(\bcuda[A-Z]\w*)", "CUDA's own name"},
                             {R"(\b(H2D|D2H|D2D)\b)", "how all tools call a copy"},
                             {R"(\b(axpb|spin|tiles|attention|reduce)\b)", "a kernel"},
                             {R"(\bNVIDIA [A-Z]+[0-9]+)", "a device"}});
  return these;
}

// Words of two letters or more that are neither in brackets nor excused.
inline std::vector<std::string> words_outside(std::string_view text, const std::vector<NoMessage>& excused) {
  std::string rest = outside_brackets(text);
  for (const NoMessage& each : excused) rest = std::regex_replace(rest, std::regex(each.pattern), " ");
  static const std::regex word("[A-Za-z]{2,}");
  return {std::sregex_token_iterator(rest.begin(), rest.end(), word), std::sregex_token_iterator()};
}

// In a test program of its own: what is said once and kept would be kept in brackets.
class InBrackets : public ::testing::Test {
 protected:
  InBrackets() { translate_by(bracketed); }
  ~InBrackets() override { translate_by(nullptr); }
};

}  // namespace streamscope::testing

#include "app/cli/catalogue.h"

#include <fmt/format.h>
#include <libintl.h>

#include <algorithm>
#include <clocale>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "engine/base/catalogue_letters.h"
#include "engine/base/files.h"
#include "engine/base/place.h"
#include "engine/base/translate.h"

namespace streamscope::cli {
namespace {

constexpr const char* kDomain = "streamscope";
constexpr std::string_view kOption = "--language";

const char* found(const char* text, const char* plural, unsigned long count) {
  return plural ? ::dngettext(kDomain, text, plural, count) : ::dgettext(kDomain, text);
}

std::filesystem::path catalogue_of(std::string_view language) {
  return catalogues_folder() / language / "LC_MESSAGES" / fmt::format("{}.mo", kDomain);
}

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

// Of the locale, as the system looks for it.
const char* deciding_variable() {
  return is_set("LC_ALL") ? "LC_ALL" : is_set("LC_MESSAGES") ? "LC_MESSAGES" : is_set("LANG") ? "LANG" : nullptr;
}

void choose_locale(const std::string& language) {
  if (!language.empty()) ::setenv("LANGUAGE", language.c_str(), 1);
  const char* const locale = std::setlocale(LC_MESSAGES, "");
  const bool counts = locale != nullptr && std::strcmp(locale, "C") != 0 && std::strcmp(locale, "POSIX") != 0;
  if (counts || (locale != nullptr && language.empty())) return;
  // LANGUAGE counts in no such locale; and one that is not installed names its language all the same.
  const char* const variable = deciding_variable();
  if (variable != nullptr && !is_set("LANGUAGE")) ::setenv("LANGUAGE", std::getenv(variable), 1);
  ::setenv(variable != nullptr && std::strcmp(variable, "LC_ALL") == 0 ? variable : "LC_MESSAGES", "C.UTF-8", 1);
  std::setlocale(LC_MESSAGES, "");
}

// All texts of a compiled catalogue, which says where each is: at 8 how many, at 16 where the table of the translated
// ones begins, of lengths and places.
std::string texts_of(const std::string& catalogue) {
  const auto number = [&](std::size_t at) {
    std::uint32_t out = 0;
    if (at + sizeof out <= catalogue.size()) std::memcpy(&out, catalogue.data() + at, sizeof out);
    return std::size_t{out};
  };
  constexpr std::uint32_t kMagic = 0x950412DE;
  std::string out;
  if (number(0) != kMagic) return out;
  for (std::size_t i = 0, at = number(16); i < number(8) && at + 8 <= catalogue.size(); ++i, at += 8)
    out += std::string_view(catalogue).substr(std::min(number(at + 4), catalogue.size()), number(at));
  return out;
}

// "zh" of a catalogue's head.
std::string language_of(std::string_view head) {
  constexpr std::string_view kField = "Language: ";
  const std::size_t at = head.find(kField);
  if (at == std::string_view::npos) return {};
  head.remove_prefix(at + kField.size());
  return std::string(head.substr(0, head.find('\n')));
}

}  // namespace

std::vector<std::string> languages() {
  std::vector<std::string> out;
  std::error_code ignored;
  for (const auto& each : std::filesystem::directory_iterator(catalogues_folder(), ignored)) {
    const std::string name = each.path().filename();
    if (std::filesystem::exists(catalogue_of(name), ignored)) out.push_back(name);
  }
  std::ranges::sort(out);
  out.insert(out.begin(), "en");
  return out;
}

Result<std::string> take_language(std::vector<char*>& arguments) {
  for (auto at = arguments.begin(); at != arguments.end() && std::string_view(*at) != "--"; ++at) {
    const std::string_view word = *at;
    if (!word.starts_with(kOption)) continue;
    const bool joined = word.size() > kOption.size() && word[kOption.size()] == '=';
    if (!joined && (word != kOption || at + 1 == arguments.end())) continue;
    const std::string language(joined ? word.substr(kOption.size() + 1) : std::string_view(*(at + 1)));
    arguments.erase(at, at + (joined ? 1 : 2));
    if (const std::vector<std::string> all = languages(); std::ranges::find(all, language) == all.end()) {
      return fail(ErrorKind::bad_input,
                  error_at(fmt::format("{} {}", kOption, language), tr("write one of {}", fmt::join(all, ", "))));
    }
    return language;
  }
  return std::string();
}

void use_catalogue(const std::string& language) {
  // Messages only: numbers in files and on axes keep their point.
  choose_locale(language);
  ::bindtextdomain(kDomain, catalogues_folder().c_str());
  ::bind_textdomain_codeset(kDomain, "UTF-8");
  // The empty text is a catalogue's head: without one there is nothing to look up.
  if (const std::string_view head = ::dgettext(kDomain, ""); !head.empty()) {
    translate_by(found);
    if (const auto catalogue = read_text(catalogue_of(language_of(head)), 1 << 24))
      set_catalogue_letters(texts_of(*catalogue));
    std::setlocale(LC_CTYPE, "C.UTF-8");  // what the system says of an error comes in that language's letters
  } else {
    if (!language.empty()) {  // asked for, where another language may be spoken already
      translate_by(nullptr);
      set_catalogue_letters({});
    }
    std::setlocale(LC_MESSAGES, "C");  // what the system says stays English, too
  }
}

}  // namespace streamscope::cli

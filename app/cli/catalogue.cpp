#include "app/cli/catalogue.h"

#include <libintl.h>

#include <clocale>

#include "engine/base/files.h"
#include "engine/base/translate.h"

namespace streamscope::cli {
namespace {

constexpr const char* kDomain = "streamscope";

const char* found(const char* text, const char* plural, unsigned long count) {
  return plural ? ::dngettext(kDomain, text, plural, count) : ::dgettext(kDomain, text);
}

}  // namespace

void use_catalogue() {
  // Messages only: numbers in files and on axes keep their point.
  std::setlocale(LC_MESSAGES, "");
  ::bindtextdomain(kDomain, catalogues_folder().c_str());
  ::bind_textdomain_codeset(kDomain, "UTF-8");
  // The empty text is a catalogue's head: without one there is nothing to look up.
  if (*::dgettext(kDomain, "") != '\0') {
    translate_by(found);
    std::setlocale(LC_CTYPE, "C.UTF-8");  // what the system says of an error comes in that language's letters
  } else {
    std::setlocale(LC_MESSAGES, "C");  // what the system says stays English, too
  }
}

}  // namespace streamscope::cli

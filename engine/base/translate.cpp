#include "engine/base/translate.h"

namespace streamscope {
namespace {

Catalogue in_use = nullptr;

}  // namespace

void translate_by(Catalogue catalogue) { in_use = catalogue; }

namespace translate {

// Not the empty text: that is a catalogue's head.
const char* text(const char* english) { return in_use && *english != '\0' ? in_use(english, nullptr, 1) : english; }

const char* text(const char* one, const char* many, unsigned long count) {
  if (in_use) return in_use(one, many, count);
  return count == 1 ? one : many;
}

std::string format(const char* translated, const char* english, fmt::format_args values) {
  if (translated != english) {
    try {
      return fmt::vformat(translated, values);
    } catch (const fmt::format_error&) {
    }
  }
  return fmt::vformat(english, values);
}

}  // namespace translate
}  // namespace streamscope

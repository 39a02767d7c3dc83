#include "app/draw/shown_text.h"

#include "engine/base/utf8.h"

namespace streamscope::draw {

std::string shown_text(std::string_view text) {
  const std::string valid = valid_utf8(text);
  std::string out;
  out.reserve(valid.size());
  for (std::size_t i = 0; i < valid.size(); ++i) {
    const std::string_view rest = std::string_view(valid).substr(i);
    if (static_cast<unsigned char>(valid[i]) < 0x20) {
      out += "\uFFFD";
    } else if (rest.starts_with("\xEF\xBF\xBE") || rest.starts_with("\xEF\xBF\xBF")) {  // U+FFFE, U+FFFF
      out += "\uFFFD";
      i += 2;
    } else {
      out += valid[i];
    }
  }
  return out;
}

}  // namespace streamscope::draw

// The fonts of a picture on paper. A letter that Roboto or JetBrains Mono lacks, such as a Chinese or Korean one, is
// taken from the font of this machine that has it: Cairo by itself would draw an empty box.
#pragma once

#include <cairo.h>
#include <fontconfig/fontconfig.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/timeline/scene.h"

namespace streamscope::draw {

// A piece of a text that one font has.
struct Stretch {
  std::string text;
  cairo_font_face_t* face = nullptr;  // the book's
};

class FontBook {
 public:
  FontBook() = default;
  ~FontBook();
  FontBook(const FontBook&) = delete;
  FontBook& operator=(const FontBook&) = delete;

  void select(cairo_t* context, timeline::Font font, double size);
  // Of valid UTF-8. What no font has stays in the first one, as its empty box.
  std::vector<Stretch> stretches(timeline::Font font, const std::string& text);

 private:
  struct Face {
    cairo_font_face_t* face = nullptr;
    FcCharSet* letters = nullptr;
    bool has(FcChar32 letter) const { return letters != nullptr && FcCharSetHasChar(letters, letter) == FcTrue; }
  };
  // The best match for a letter; of no letter: for the family.
  static Face match(timeline::Font font, FcChar32 letter, const char* language);
  const Face& own(timeline::Font font);
  const Face& with(timeline::Font font, FcChar32 letter, const char* language);

  std::map<timeline::Font, Face> own_;
  std::map<std::pair<timeline::Font, std::string_view>, std::vector<Face>> others_;  // by language
};

}  // namespace streamscope::draw

#include "app/draw/fonts.h"

#include <cairo-ft.h>

#include <algorithm>
#include <utility>

namespace streamscope::draw {
namespace {

struct FcPatternDelete {
  void operator()(FcPattern* pattern) const { FcPatternDestroy(pattern); }
};
using OwnFcPattern = std::unique_ptr<FcPattern, FcPatternDelete>;

const FcChar8* fc(const char* text) { return reinterpret_cast<const FcChar8*>(text); }

// Han letters are drawn differently in each language: a text with Korean or Japanese syllables is of that one.
const char* language_of(const std::vector<FcChar32>& letters) {
  const auto any = [&](FcChar32 first, FcChar32 last) {
    return std::any_of(letters.begin(), letters.end(), [&](FcChar32 c) { return first <= c && c <= last; });
  };
  if (any(0xAC00, 0xD7FF) || any(0x1100, 0x11FF)) return "ko";
  if (any(0x3041, 0x30FF)) return "ja";
  return "zh-cn";
}

}  // namespace

FontBook::~FontBook() {
  const auto drop = [](Face& each) {
    cairo_font_face_destroy(each.face);
    if (each.letters != nullptr) FcCharSetDestroy(each.letters);
  };
  for (auto& [font, face] : own_) drop(face);
  for (auto& [key, faces] : others_) std::for_each(faces.begin(), faces.end(), drop);
}

FontBook::Face FontBook::match(timeline::Font font, FcChar32 letter, const char* language) {
  const OwnFcPattern wanted(FcPatternCreate());
  FcPatternAddString(wanted.get(), FC_FAMILY, fc(font == timeline::Font::mono ? "JetBrains Mono" : "Roboto"));
  FcPatternAddString(wanted.get(), FC_FAMILY, fc(font == timeline::Font::mono ? "monospace" : "sans-serif"));
  // What is not bold is set as Cairo sets it by itself.
  FcPatternAddInteger(wanted.get(), FC_WEIGHT, font == timeline::Font::bold ? FC_WEIGHT_BOLD : FC_WEIGHT_MEDIUM);
  FcPatternAddInteger(wanted.get(), FC_SLANT, FC_SLANT_ROMAN);
  if (letter != 0) {
    FcCharSet* letters = FcCharSetCreate();
    FcCharSetAddChar(letters, letter);
    FcPatternAddCharSet(wanted.get(), FC_CHARSET, letters);
    FcCharSetDestroy(letters);
    FcPatternAddString(wanted.get(), FC_LANG, fc(language));
  }
  FcConfigSubstitute(nullptr, wanted.get(), FcMatchPattern);
  FcDefaultSubstitute(wanted.get());
  FcResult result = FcResultMatch;
  const OwnFcPattern found(FcFontMatch(nullptr, wanted.get(), &result));
  if (found == nullptr)
    return {cairo_toy_font_face_create("sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL), nullptr};
  Face out{cairo_ft_font_face_create_for_pattern(found.get()), nullptr};
  if (FcCharSet* letters = nullptr; FcPatternGetCharSet(found.get(), FC_CHARSET, 0, &letters) == FcResultMatch)
    out.letters = FcCharSetCopy(letters);
  return out;
}

const FontBook::Face& FontBook::own(timeline::Font font) {
  const auto [at, first] = own_.try_emplace(font);
  if (first) at->second = match(font, 0, "");
  return at->second;
}

const FontBook::Face& FontBook::with(timeline::Font font, FcChar32 letter, const char* language) {
  const Face& usual = own(font);
  if (letter < 0x80 || usual.has(letter)) return usual;
  std::vector<Face>& others = others_[{font, language}];
  auto found = std::find_if(others.begin(), others.end(), [&](const Face& each) { return each.has(letter); });
  if (found == others.end()) {
    Face best = match(font, letter, language);
    if (!best.has(letter)) {  // nothing has it; remembered, so that it is looked for once
      FcCharSet* none = FcCharSetCreate();
      FcCharSetAddChar(none, letter);
      cairo_font_face_destroy(best.face);
      if (best.letters != nullptr) FcCharSetDestroy(best.letters);
      best = {cairo_font_face_reference(usual.face), none};
    }
    found = others.insert(others.end(), best);
  }
  return *found;
}

void FontBook::select(cairo_t* context, timeline::Font font, double size) {
  cairo_set_font_face(context, own(font).face);
  cairo_set_font_size(context, size);
}

std::vector<Stretch> FontBook::stretches(timeline::Font font, const std::string& text) {
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (plain) return {{text, own(font).face}};
  std::vector<FcChar32> letters;
  std::vector<std::size_t> begins;
  for (std::size_t at = 0; at < text.size();) {
    FcChar32 letter = 0;
    const int length = FcUtf8ToUcs4(fc(text.c_str() + at), &letter, static_cast<int>(text.size() - at));
    letters.push_back(letter);
    begins.push_back(at);
    at += static_cast<std::size_t>(std::max(length, 1));
  }
  begins.push_back(text.size());
  const char* language = language_of(letters);
  std::vector<Stretch> out;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    cairo_font_face_t* face = with(font, letters[i], language).face;
    if (out.empty() || out.back().face != face) out.push_back({{}, face});
    out.back().text += text.substr(begins[i], begins[i + 1] - begins[i]);
  }
  return out;
}

}  // namespace streamscope::draw

#include "app/timeline/provenance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/timeline/text_width.h"
#include "engine/base/quantity.h"

namespace streamscope::timeline {
namespace {

// The word on its plate; gives the column after it.
int draw_word(Scene& scene, std::string_view word, Colour fill, int x0, const Rectangle& within, float text_size) {
  const auto pad = static_cast<int>(std::lround(text_size * 0.7F));
  const int height = within.y1 - within.y0;
  const int inset = std::max(0, (height - static_cast<int>(std::lround(text_size * 1.6F))) / 2);
  const int end = x0 + static_cast<int>(std::ceil(text_width(word, Font::bold, text_size))) + 2 * pad;
  const float middle = static_cast<float>(within.y0 + within.y1) / 2;
  scene.rectangles.push_back({x0, within.y0 + inset, end, within.y1 - inset, fill, Fill::solid});
  scene.texts.push_back({static_cast<float>(x0 + end) / 2, middle, text_size, Anchor::centre, Font::bold, text_on(fill),
                         std::string(word), x0, end});
  return end;
}

}  // namespace

std::string provenance_text(const trace::Provenance& provenance) {
  const bool measured = provenance.kind == trace::Provenance::Kind::measured;
  std::string text;
  const auto part = [&](const std::string& what) {
    if (what.empty()) return;
    if (!text.empty()) text += "  ·  ";
    text += what;
  };
  part(provenance.device);
  if (measured) {
    if (!provenance.driver.empty()) part("driver " + provenance.driver);
    // Wall times alone come from one clock.
    if (provenance.uncertainty > 0) part(fmt::format("clock ±{}", display_duration(provenance.uncertainty)));
  } else {
    if (!provenance.profile.empty()) part("profile " + provenance.profile);
    part("simulated, no GPU ran this");
  }
  if (!provenance.instrument.empty()) part("instrument " + trace::instrument_text(provenance));
  part(provenance.date);
  return text;
}

void draw_badge(Scene& scene, const trace::Provenance& provenance, const Theme& theme, const Rectangle& within,
                float text_size, const std::string& ghost) {
  if (within.y1 - within.y0 < 2 || within.x0 >= within.x1) return;
  const Colour fill = provenance.kind == trace::Provenance::Kind::measured ? theme.measured : theme.model;
  const auto pad = static_cast<int>(std::lround(text_size * 0.7F));
  const float middle = static_cast<float>(within.y0 + within.y1) / 2;
  const auto put = [&](int x, int end, const std::string& words) {
    std::string text = fitted(words, Font::regular, text_size, static_cast<float>(end - x));
    if (text.empty()) return;
    scene.texts.push_back(
        {static_cast<float>(x), middle, text_size, Anchor::left, Font::regular, theme.text, std::move(text), x, end});
  };
  int right = within.x1;
  if (!ghost.empty()) {
    // As wide as it is, up to half of the room.
    const std::string_view word = trace::badge(trace::Provenance::Kind::model);
    const std::string words = "ghost: profile " + ghost;
    const float plate = text_width(word, Font::bold, text_size) + 3 * static_cast<float>(pad);
    const int wide = static_cast<int>(std::ceil(plate + text_width(words, Font::regular, text_size))) + 2;
    const int x = std::max(within.x1 - wide, (within.x0 + within.x1) / 2);
    put(draw_word(scene, word, theme.model, x, within, text_size) + pad, within.x1, words);
    right = x - pad;
  }
  const int word_end = draw_word(scene, trace::badge(provenance.kind), fill, within.x0, within, text_size);
  put(word_end + pad, right, provenance_text(provenance));
}

void draw_badges(Scene& scene, const trace::Provenance& first, const ComparedRun& compared, const Theme& theme,
                 const Rectangle& within, float text_size) {
  if (within.y1 - within.y0 < 2 || within.x0 >= within.x1) return;
  const auto pad = static_cast<int>(std::lround(text_size * 0.7F));
  const int half = (within.x0 + within.x1) / 2;
  const auto put = [&](const trace::Provenance& of, int x0, int x1, const std::string& name, const char* where) {
    const Colour fill = of.kind == trace::Provenance::Kind::measured ? theme.measured : theme.model;
    const int end = draw_word(scene, trace::badge(of.kind), fill, x0, within, text_size), x = end + pad;
    std::string words = name;
    for (const std::string& part : {std::string(where), provenance_text(of)})
      if (!part.empty()) words += (words.empty() ? "" : "  ·  ") + part;
    words = fitted(words, Font::regular, text_size, static_cast<float>(x1 - x));
    if (!words.empty())
      scene.texts.push_back({static_cast<float>(x), static_cast<float>(within.y0 + within.y1) / 2, text_size,
                             Anchor::left, Font::regular, theme.text, std::move(words), x, x1});
    return end;
  };
  const int first_end = put(first, within.x0, half - pad, compared.first_title, compared.overlaid ? "above" : "");
  if (first_end <= half)  // else the page has no room for two
    put(compared.trace->provenance, half, within.x1, compared.title, compared.overlaid ? "outlined, below" : "");
}

}  // namespace streamscope::timeline

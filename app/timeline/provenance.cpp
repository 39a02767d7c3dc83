#include "app/timeline/provenance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/timeline/span_text.h"
#include "app/timeline/text_width.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::timeline {
namespace {

// Where a badge goes: the columns [x0, x1) of the rows, letters of that size.
struct BadgePlace {
  const Theme& theme;
  int x0, x1, y0, y1;
  float size;
  int pad() const { return static_cast<int>(std::lround(size * 0.7F)); }
};

// The word in its colour on its plate, then the words as far as they fit; gives the column after the plate.
int put_badge(Scene& scene, const BadgePlace& at, const trace::Provenance& provenance, const std::string& words) {
  const std::string_view word = tr(trace::badge(provenance));
  const Colour fill = badge_colour(provenance, at.theme);
  const int inset = std::max(0, (at.y1 - at.y0 - static_cast<int>(std::lround(at.size * 1.6F))) / 2);
  const int end = at.x0 + static_cast<int>(std::ceil(text_width(word, Font::bold, at.size))) + 2 * at.pad();
  const float middle = static_cast<float>(at.y0 + at.y1) / 2;
  scene.rectangles.push_back({at.x0, at.y0 + inset, end, at.y1 - inset, fill});
  scene.texts.push_back({static_cast<float>(at.x0 + end) / 2, middle, at.size, Anchor::centre, Font::bold,
                         text_on(fill), std::string(word), at.x0, end});
  const int x = end + at.pad();
  // A little smaller where it is whole then.
  const float room = static_cast<float>(at.x1 - x), wanted = text_width(words, Font::regular, at.size);
  const float smaller = at.size * room / std::max(1.0F, wanted) * 0.99F;
  const float size = wanted > room && smaller >= at.size * 0.75F ? smaller : at.size;
  std::string text = fitted(words, Font::regular, size, room);
  if (!text.empty())
    scene.texts.push_back(
        {static_cast<float>(x), middle, size, Anchor::left, Font::regular, at.theme.text, std::move(text), x, at.x1});
  return end;
}

}  // namespace

Colour badge_colour(const trace::Provenance& provenance, const Theme& theme) {
  if (trace::of_another_tool(provenance)) return theme.faint_text;
  return provenance.kind == trace::Provenance::Kind::measured ? theme.measured : theme.model;
}

std::string provenance_text(const trace::Provenance& provenance) {
  const bool measured = provenance.kind == trace::Provenance::Kind::measured;
  std::string text;
  const auto part = [&](const std::string& what) { add_part(text, what); };
  part(provenance.device);
  if (const auto wrong = provenance.contradictions.value_or(0); wrong > 0)
    part(tr_n("{} contradiction between times", "{} contradictions between times", wrong, wrong));
  if (measured) {
    if (!provenance.driver.empty()) part(tr("driver {}", provenance.driver));
    // Wall times alone come from one clock.
    if (provenance.uncertainty > 0) part(tr("clock ±{}", display_duration(provenance.uncertainty)));
  } else {
    if (!provenance.profile.empty()) part(tr("profile {}", provenance.profile));
    part(tr("simulated, no GPU ran this"));
  }
  if (!provenance.instrument.empty()) part(tr("instrument {}", trace::instrument_text(provenance)));
  part(provenance.date);
  return text;
}

void draw_badge(Scene& scene, const trace::Provenance& provenance, const Theme& theme, const Rectangle& within,
                float text_size, const std::string& ghost) {
  if (within.y1 - within.y0 < 2 || within.x0 >= within.x1) return;
  BadgePlace at{theme, within.x0, within.x1, within.y0, within.y1, text_size};
  if (!ghost.empty()) {
    // As wide as it is, up to half of the room.
    const trace::Provenance model;  // a model's, if nothing else is said
    const std::string words = tr("ghost: profile {}", ghost);
    const float plate = text_width(tr(trace::badge(model)), Font::bold, text_size) + 3 * static_cast<float>(at.pad());
    const int wide = static_cast<int>(std::ceil(plate + text_width(words, Font::regular, text_size))) + 2;
    at.x0 = std::max(within.x1 - wide, (within.x0 + within.x1) / 2);
    put_badge(scene, at, model, words);
    at.x1 = std::exchange(at.x0, within.x0) - at.pad();
  }
  put_badge(scene, at, provenance, provenance_text(provenance));
}

std::array<std::string, 2> provenance_texts(const trace::Provenance& first, const ComparedRun& compared) {
  const auto words = [&](const trace::Provenance& of, std::string title, const char* where) {
    if (compared.overlaid) add_part(title, where);
    add_part(title, provenance_text(of));
    return title;
  };
  return {words(first, compared.first_title, tr("above")),
          words(compared.trace->provenance, compared.title, tr("outlined, below"))};
}

void draw_badges(Scene& scene, const trace::Provenance& first, const ComparedRun& compared, const Theme& theme,
                 const Rectangle& within, float text_size) {
  if (within.y1 - within.y0 < 2 || within.x0 >= within.x1) return;
  const int half = (within.x0 + within.x1) / 2;
  const std::array<std::string, 2> words = provenance_texts(first, compared);
  const auto put = [&](const trace::Provenance& of, int x0, int x1, const std::string& its) {
    return put_badge(scene, {theme, x0, x1, within.y0, within.y1, text_size}, of, its);
  };
  const int pad = static_cast<int>(std::lround(text_size * 0.7F));
  if (put(first, within.x0, half - pad, words[0]) <= half)  // else there is no room for two
    put(compared.trace->provenance, half, within.x1, words[1]);
}

}  // namespace streamscope::timeline

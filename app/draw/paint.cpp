#include "app/draw/paint.h"

#include <pango/pangocairo.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "app/draw/shown_text.h"
#include "app/timeline/pattern.h"

namespace streamscope::draw {
namespace {

using OwnPattern = std::unique_ptr<cairo_pattern_t, Destroy<cairo_pattern_destroy>>;
using OwnFont = std::unique_ptr<PangoFontDescription, Destroy<pango_font_description_free>>;
using OwnLayout = std::unique_ptr<PangoLayout, Destroy<g_object_unref>>;

void set_colour(cairo_t* context, timeline::Colour colour) {
  cairo_set_source_rgba(context, colour.r / 255.0, colour.g / 255.0, colour.b / 255.0, colour.a / 255.0);
}

// One period of a pattern, to be repeated from the picture's first pixel.
OwnPattern tile_of(timeline::Fill fill, int grain) {
  const int period = timeline::pattern(fill).period * grain;
  const OwnSurface tile(cairo_image_surface_create(CAIRO_FORMAT_A8, period, period));
  cairo_surface_flush(tile.get());
  unsigned char* pixels = cairo_image_surface_get_data(tile.get());
  const int stride = cairo_image_surface_get_stride(tile.get());
  for (int y = 0; pixels != nullptr && y < period; ++y) {
    for (int x = 0; x < period; ++x) pixels[y * stride + x] = timeline::drawn(fill, x, y, grain) ? 255 : 0;
  }
  cairo_surface_mark_dirty(tile.get());
  OwnPattern out(cairo_pattern_create_for_surface(tile.get()));
  cairo_pattern_set_extend(out.get(), CAIRO_EXTEND_REPEAT);
  cairo_pattern_set_filter(out.get(), CAIRO_FILTER_NEAREST);
  return out;
}

bool has_pixels(cairo_t* context) {
  return cairo_surface_get_type(cairo_get_target(context)) == CAIRO_SURFACE_TYPE_IMAGE;
}

// The k-th period of those that lie at or before `at`: the first stripe to be drawn from there on.
int first_stripe(int at, int period) { return at >= 0 ? at / period : (at - period + 1) / period; }

// The same pattern without pixels, within the rectangle: each slanted stripe lies along the middle of the steps that it
// has in pixels.
void fill_stripes(cairo_t* context, const timeline::Pattern& of, int grain, int x0, int y0, int x1, int y1) {
  const int p = of.period * grain, w = of.width * grain;
  const auto slanted = [&](int from, int to, double direction, double middle) {
    for (int k = first_stripe(from, p) - 1; k * p < to; ++k) {
      const double begin = k * p + middle, end = begin + w;
      cairo_move_to(context, begin - direction * y0, y0);
      cairo_line_to(context, end - direction * y0, y0);
      cairo_line_to(context, end - direction * y1, y1);
      cairo_line_to(context, begin - direction * y1, y1);
      cairo_close_path(context);
    }
  };
  // A pixel's middle lies on the next rising line after that of its corner, and on the same falling one.
  if (of.has(timeline::Stripes::rising)) slanted(x0 + y0, x1 + y1, 1, 0.5 * grain);
  if (of.has(timeline::Stripes::falling)) slanted(x0 - y1, x1 - y0, -1, -0.5 * grain);
  if (of.has(timeline::Stripes::vertical))
    for (int k = x0 / p; k * p < x1; ++k) cairo_rectangle(context, k * p, y0, w, y1 - y0);
  if (of.has(timeline::Stripes::level))
    for (int k = y0 / p; k * p < y1; ++k) cairo_rectangle(context, x0, k * p, x1 - x0, w);
  if (of.has(timeline::Stripes::dots))
    for (int k = y0 / p; k * p < y1; ++k)
      for (int i = x0 / p; i * p < x1; ++i) cairo_rectangle(context, i * p, k * p, w, w);
  cairo_fill(context);
}

// Fills the path that the context has, and lets it go.
class PathFiller {
 public:
  PathFiller(cairo_t* context, int grain) : context_(context), grain_(grain) {}

  void fill(timeline::Colour colour, timeline::Fill fill) {
    set_colour(context_, colour);
    if (fill == timeline::Fill::solid) {
      cairo_fill(context_);
      return;
    }
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    cairo_path_extents(context_, &x0, &y0, &x1, &y1);
    cairo_save(context_);
    cairo_clip(context_);
    if (has_pixels(context_)) {
      OwnPattern& tile = tiles_[static_cast<std::size_t>(fill)];
      if (tile == nullptr) tile = tile_of(fill, grain_);
      cairo_mask(context_, tile.get());
    } else {
      fill_stripes(context_, timeline::pattern(fill), grain_, static_cast<int>(x0), static_cast<int>(y0),
                   static_cast<int>(x1), static_cast<int>(y1));
    }
    cairo_restore(context_);
  }

 private:
  cairo_t* context_;
  int grain_;
  std::array<OwnPattern, timeline::kFills> tiles_;
};

// Cairo's own numbers end at 2^23: what goes beyond the picture is cut to it here.
void add_to_path(cairo_t* context, const timeline::Scene& scene, const timeline::Rectangle& r) {
  const int x0 = std::max(r.x0, 0), x1 = std::min(r.x1, scene.width);
  const int y0 = std::max(r.y0, 0), y1 = std::min(r.y1, scene.height);
  if (x0 < x1 && y0 < y1) cairo_rectangle(context, x0, y0, x1 - x0, y1 - y0);
}

void paint_stacks(cairo_t* context, const timeline::Scene& scene, const timeline::Stacks& stacks, PathFiller& filler) {
  for (std::size_t i = 0; i < stacks.layers.size(); ++i) {
    const timeline::Stacks::Layer& layer = stacks.layers[i];
    const std::vector<timeline::Rectangle> pieces = timeline::pieces_of(stacks, i);
    const auto paint = [&](timeline::Colour colour, timeline::Fill fill) {
      for (const timeline::Rectangle& piece : pieces) add_to_path(context, scene, piece);
      if (cairo_has_current_point(context) != 0) filler.fill(colour, fill);
    };
    paint(layer.ground, timeline::Fill::solid);
    if (layer.pattern != timeline::Fill::solid) paint(layer.ink, layer.pattern);
  }
}

void paint_rectangles(cairo_t* context, const timeline::Scene& scene) {
  PathFiller filler(context, scene.grain);
  cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE);
  timeline::in_order(
      scene,
      [&](const timeline::Rectangle& r) {
        add_to_path(context, scene, r);
        if (cairo_has_current_point(context) != 0) filler.fill(r.colour, r.fill);
      },
      [&](const timeline::Stacks& stacks) { paint_stacks(context, scene, stacks, filler); });
}

void paint_lines(cairo_t* context, const timeline::Scene& scene) {
  cairo_set_antialias(context, CAIRO_ANTIALIAS_DEFAULT);
  cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND);
  for (const timeline::Line& line : scene.lines) {
    set_colour(context, line.colour);
    cairo_set_line_width(context, line.width);
    cairo_move_to(context, line.x0, line.y0);
    cairo_line_to(context, line.x1, line.y1);
    cairo_stroke(context);
  }
}

// Han letters are drawn differently in each language: a text with Korean or Japanese syllables is of that one.
const char* language_of(const std::string& text) {
  const char* language = "zh-cn";
  for (const char* at = text.c_str(); *at != '\0'; at = g_utf8_next_char(at)) {
    const gunichar letter = g_utf8_get_char(at);
    const auto between = [letter](gunichar first, gunichar last) { return first <= letter && letter <= last; };
    if (between(0xAC00, 0xD7FF) || between(0x1100, 0x11FF)) return "ko";
    if (between(0x3041, 0x30FF)) language = "ja";
  }
  return language;
}

struct SizedFont {
  OwnFont font;  // null where this machine has no font: then Cairo draws with strokes of its own
  double drop;   // how far the baseline lies below the middle of a line, whichever fonts its letters come from
};

double drop_of(const cairo_font_extents_t& extents) { return (extents.ascent - extents.descent) / 2; }

SizedFont font_of(cairo_t* context, PangoContext* fonts, timeline::Font which, double size) {
  OwnFont font(pango_font_description_new());
  pango_font_description_set_family_static(
      font.get(), which == timeline::Font::mono ? "JetBrains Mono,monospace" : "Roboto,sans-serif");
  const bool bold = which == timeline::Font::bold;
  pango_font_description_set_weight(font.get(), bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_MEDIUM);
  pango_font_description_set_absolute_size(font.get(), size * PANGO_SCALE);
  const std::unique_ptr<PangoFont, Destroy<g_object_unref>> first(pango_context_load_font(fonts, font.get()));
  cairo_font_extents_t extents;
  if (first == nullptr) {
    cairo_set_font_size(context, size);
    cairo_font_extents(context, &extents);
    return {nullptr, drop_of(extents)};
  }
  // Cairo's own extents: those of Pango are wrong where the context is scaled.
  cairo_scaled_font_extents(pango_cairo_font_get_scaled_font(PANGO_CAIRO_FONT(first.get())), &extents);
  return {std::move(font), drop_of(extents)};
}

double width_of(PangoLayout* layout) {
  int width = 0;
  pango_layout_get_size(layout, &width, nullptr);
  return pango_units_to_double(width);
}
double width_of(cairo_t* context, const std::string& text) {
  cairo_text_extents_t extents;
  cairo_text_extents(context, text.c_str(), &extents);
  return extents.x_advance;
}

OwnLayout layout_in(cairo_t* context) {
  const std::unique_ptr<cairo_font_options_t, Destroy<cairo_font_options_destroy>> options(cairo_font_options_create());
  cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);  // coloured fringes do not print
  cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
  cairo_set_font_options(context, options.get());
  OwnLayout out(pango_cairo_create_layout(context));
  pango_context_set_round_glyph_positions(pango_layout_get_context(out.get()), FALSE);
  // On screen and in an SVG letters stand side by side, too.
  PangoAttrList* plain = pango_attr_list_new();
  pango_attr_list_insert(plain, pango_attr_font_features_new("kern=0, liga=0, clig=0, calt=0"));
  pango_layout_set_attributes(out.get(), plain);
  pango_attr_list_unref(plain);
  return out;
}

// A letter that Roboto or JetBrains Mono lacks, such as a Chinese or Korean one, Pango takes from the font of this
// machine that has it: Cairo by itself would draw an empty box.
void paint_texts(cairo_t* context, const timeline::Scene& scene) {
  const OwnLayout layout = layout_in(context);
  PangoContext* const fonts = pango_layout_get_context(layout.get());
  std::map<std::pair<timeline::Font, float>, SizedFont> sizes;
  for (const timeline::Text& text : scene.texts) {
    const int clip_x0 = std::max(text.clip_x0, 0), clip_x1 = std::min(text.clip_x1, scene.width);
    if (text.text.empty() || clip_x0 >= clip_x1 || !(text.size > 0)) continue;
    const std::string safe = shown_text(text.text);
    auto known = sizes.find({text.font, text.size});
    if (known == sizes.end())
      known = sizes.emplace(std::pair(text.font, text.size), font_of(context, fonts, text.font, text.size)).first;
    const auto& [font, drop] = known->second;
    if (font != nullptr) {
      pango_context_set_language(fonts, pango_language_from_string(language_of(safe)));
      pango_layout_set_font_description(layout.get(), font.get());
      pango_layout_set_text(layout.get(), safe.data(), static_cast<int>(safe.size()));
    } else {
      cairo_set_font_size(context, text.size);
    }
    double x = text.x, y = text.y + drop;
    if (text.anchor != timeline::Anchor::left) {
      const double width = font != nullptr ? width_of(layout.get()) : width_of(context, safe);
      x -= width / (text.anchor == timeline::Anchor::centre ? 2 : 1);
    }
    // Letters are sharpest when their baseline lies on a pixel of the surface.
    cairo_user_to_device(context, &x, &y);
    y = std::round(y);
    cairo_device_to_user(context, &x, &y);
    cairo_save(context);
    cairo_rectangle(context, clip_x0, 0, clip_x1 - clip_x0, scene.height);
    cairo_clip(context);
    set_colour(context, text.colour);
    cairo_move_to(context, x, y);
    if (font != nullptr)
      pango_cairo_show_layout_line(context, pango_layout_get_line_readonly(layout.get(), 0));
    else
      cairo_show_text(context, safe.c_str());
    cairo_restore(context);
  }
}

}  // namespace

void paint(cairo_t* context, const timeline::Scene& scene) {
  cairo_save(context);
  set_colour(context, scene.background);
  cairo_paint(context);
  paint_rectangles(context, scene);
  paint_lines(context, scene);
  paint_texts(context, scene);
  cairo_restore(context);
}

}  // namespace streamscope::draw

#if defined(__SANITIZE_ADDRESS__)
// Fontconfig keeps its patterns by offsets, which the leak checker cannot follow: what Cairo still holds at the end of
// the process looks lost to it.
extern "C" __attribute__((weak)) const char* __lsan_default_suppressions() { return "leak:libfontconfig\n"; }
extern "C" __attribute__((weak)) const char* __lsan_default_options() { return "print_suppressions=0"; }
#endif

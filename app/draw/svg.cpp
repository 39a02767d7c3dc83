#include "app/draw/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "app/draw/shown_text.h"
#include "app/timeline/pattern.h"
#include "app/timeline/text_width.h"

namespace streamscope::draw {
namespace {

// How far the baseline lies below the middle of a line, in ems: (ascent - descent) / 2 of each font, as paint() takes
// it. The attribute that would centre a line, dominant-baseline, is drawn differently from program to program.
constexpr double kRobotoDrop = (0.92773 - 0.24414) / 2;
constexpr double kMonoDrop = (1.02 - 0.3) / 2;

// Hundredths of a pixel, and no digit that says nothing.
std::string number(double value) {
  if (!std::isfinite(value)) return "0";
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : shown_text(text)) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string hexadecimal(timeline::Colour c) { return fmt::format("{:02x}{:02x}{:02x}", c.r, c.g, c.b); }

// fill="#0072b2", or stroke. Programs that make drawings of it often know no colour with its opacity in one.
std::string paint(std::string_view attribute, timeline::Colour c) {
  std::string out = fmt::format(" {}=\"#{}\"", attribute, hexadecimal(c));
  if (c.a < 255) out += fmt::format(" {}-opacity=\"{}\"", attribute, number(c.a / 255.0));
  return out;
}

// Of one fill, colour and opacity there is one pattern.
std::string pattern_name(timeline::Fill fill, timeline::Colour c) {
  return fmt::format("{}-{}", timeline::pattern(fill).name, hexadecimal(c)) +
         (c.a < 255 ? fmt::format("{:02x}", c.a) : std::string());
}

// The drawn pixels of one period, row by row: in user space, so that the pattern runs through the whole picture.
std::string pattern_tile(timeline::Fill fill, timeline::Colour c, int grain) {
  const int period = timeline::pattern(fill).period;
  std::string path;
  for (int y = 0; y < period; ++y) {
    for (int x = 0; x < period; ++x) {
      if (!timeline::drawn(fill, x, y)) continue;
      const int from = x;
      while (x + 1 < period && timeline::drawn(fill, x + 1, y)) ++x;
      path += fmt::format("M{} {}h{}v1h-{}z", from, y, x + 1 - from, x + 1 - from);
    }
  }
  const std::string larger = grain > 1 ? fmt::format(" patternTransform=\"scale({})\"", grain) : std::string();
  return fmt::format(
      "<pattern id=\"{0}\" patternUnits=\"userSpaceOnUse\" width=\"{1}\" height=\"{1}\"{4}>"
      "<path{2} shape-rendering=\"crispEdges\" d=\"{3}\"/></pattern>\n",
      pattern_name(fill, c), period, paint("fill", c), path, larger);
}

class Writer {
 public:
  Writer(const timeline::Scene& scene, double scale, const DocumentInfo& info)
      : scene_(scene), scale_(scale), info_(info) {}

  std::string written() {
    rectangles();
    lines();
    texts();
    std::string out =
        fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\">\n",
                    number(scene_.width * scale_), number(scene_.height * scale_), scene_.width, scene_.height);
    out += fmt::format("<title>{}</title>\n<desc>{}</desc>\n", escaped(info_.title), escaped(info_.description));
    if (!definitions_.empty()) out += "<defs>\n" + definitions_ + "</defs>\n";
    return out + body_ + "</svg>\n";
  }

 private:
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(body_), format, std::forward<Arguments>(arguments)...);
  }

  std::string patterned(timeline::Fill fill, timeline::Colour c) {
    std::string name = pattern_name(fill, c);
    if (patterns_.insert(name).second) definitions_ += pattern_tile(fill, c, scene_.grain);
    return fmt::format(" fill=\"url(#{})\"", name);
  }

  std::string filled(timeline::Fill fill, timeline::Colour c) {
    return fill == timeline::Fill::solid ? paint("fill", c) : patterned(fill, c);
  }

  // As in paint(): what goes beyond the picture is cut to it.
  std::optional<timeline::Rectangle> cut(timeline::Rectangle r) const {
    r.x0 = std::max(r.x0, 0), r.x1 = std::min(r.x1, scene_.width);
    r.y0 = std::max(r.y0, 0), r.y1 = std::min(r.y1, scene_.height);
    return r.x0 < r.x1 && r.y0 < r.y1 ? std::optional(r) : std::nullopt;
  }

  void rectangles() {
    add("<g shape-rendering=\"crispEdges\">\n<rect width=\"{}\" height=\"{}\"{}/>\n", scene_.width, scene_.height,
        paint("fill", scene_.background));
    timeline::in_order(
        scene_,
        [&](const timeline::Rectangle& each) {
          if (const auto r = cut(each))
            add("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}/>\n", r->x0, r->y0, r->x1 - r->x0, r->y1 - r->y0,
                filled(r->fill, r->colour));
        },
        [&](const timeline::Stacks& each) { stacks(each); });
    add("</g>\n");
  }

  // A path for each layer: a column for itself would take four times as much.
  void stacks(const timeline::Stacks& stacks) {
    for (std::size_t i = 0; i < stacks.layers.size(); ++i) {
      std::string path;
      for (const timeline::Rectangle& piece : timeline::pieces_of(stacks, i))
        if (const auto r = cut(piece))
          fmt::format_to(std::back_inserter(path), "M{} {}h{}v{}h{}z", r->x0, r->y0, r->x1 - r->x0, r->y1 - r->y0,
                         r->x0 - r->x1);
      if (path.empty()) continue;
      const timeline::Stacks::Layer& layer = stacks.layers[i];
      add("<path{} d=\"{}\"/>\n", paint("fill", layer.ground), path);
      if (layer.pattern != timeline::Fill::solid) add("<path{} d=\"{}\"/>\n", filled(layer.pattern, layer.ink), path);
    }
  }

  void lines() {
    if (scene_.lines.empty()) return;
    add("<g stroke-linecap=\"round\">\n");
    for (const timeline::Line& line : scene_.lines) {
      add("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}", number(line.x0), number(line.y0), number(line.x1),
          number(line.y1), paint("stroke", line.colour));
      if (line.width != 1) add(" stroke-width=\"{}\"", number(line.width));
      add("/>\n");
    }
    add("</g>\n");
  }

  // The columns as a reference to their path, or nothing where the text keeps to them by itself.
  std::string clip(const timeline::Text& text, int x0, int x1) {
    const double width = timeline::text_width(text.text, text.font, text.size);
    const double left = text.anchor == timeline::Anchor::left     ? text.x
                        : text.anchor == timeline::Anchor::centre ? text.x - width / 2
                                                                  : text.x - width;
    const bool keeps = (x0 == 0 || left >= x0) && (x1 == scene_.width || left + width <= x1);
    if (keeps) return {};
    const auto [known, first] = clips_.emplace(std::pair(x0, x1), clips_.size());
    if (first) {
      definitions_ +=
          fmt::format("<clipPath id=\"columns-{}\"><rect x=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n",
                      known->second, x0, x1 - x0, scene_.height);
    }
    return fmt::format(" clip-path=\"url(#columns-{})\"", known->second);
  }

  // Spaces are kept: the layout sets two around a dot. Cairo sets what is not bold in the medium weight where a font
  // has one, so the PNG has it too.
  void texts() {
    if (scene_.texts.empty()) return;
    add("<g font-family=\"Roboto, sans-serif\" font-weight=\"500\" xml:space=\"preserve\">\n");
    for (const timeline::Text& text : scene_.texts) {
      const int x0 = std::max(text.clip_x0, 0), x1 = std::min(text.clip_x1, scene_.width);
      if (text.text.empty() || x0 >= x1 || !(text.size > 0)) continue;
      const double drop = text.font == timeline::Font::mono ? kMonoDrop : kRobotoDrop;
      // On a whole pixel, as in paint().
      const double baseline = std::round((text.y + drop * text.size) * scale_) / scale_;
      add("<text x=\"{}\" y=\"{}\" font-size=\"{}\"{}", number(text.x), number(baseline), number(text.size),
          paint("fill", text.colour));
      if (text.font == timeline::Font::bold) add(" font-weight=\"700\"");
      if (text.font == timeline::Font::mono) add(" font-family=\"'JetBrains Mono', monospace\"");
      if (text.anchor != timeline::Anchor::left)
        add(" text-anchor=\"{}\"", text.anchor == timeline::Anchor::centre ? "middle" : "end");
      add("{}>{}</text>\n", clip(text, x0, x1), escaped(text.text));
    }
    add("</g>\n");
  }

  const timeline::Scene& scene_;
  double scale_;
  const DocumentInfo& info_;
  std::string definitions_, body_;
  std::set<std::string> patterns_;
  std::map<std::pair<int, int>, std::size_t> clips_;
};

}  // namespace

std::string svg(const timeline::Scene& scene, double scale, const DocumentInfo& info) {
  return Writer(scene, scale, info).written();
}

}  // namespace streamscope::draw

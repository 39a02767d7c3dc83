#include "app/draw/handout.h"

#include <algorithm>
#include <string_view>

#include "app/draw/paper.h"
#include "app/timeline/text_width.h"
#include "app/timeline/theme.h"
#include "engine/base/translate.h"
#include "engine/base/utf8.h"

namespace streamscope::draw {
namespace {

using Kind = HandoutPart::Kind;

constexpr int kPageWidth = 794, kPageHeight = 1123, kMargin = (kPageWidth - kHandoutWidth) / 2;
constexpr int kFoot = kPageHeight - kMargin, kAnswerLine = 30;

struct Style {
  float size;
  timeline::Font font;
  int line, before, indent;  // pixels
};
Style style_of(Kind kind) {
  switch (kind) {
    case Kind::title: return {24, timeline::Font::bold, 34, 0, 0};
    case Kind::heading: return {16, timeline::Font::bold, 24, 18, 0};
    case Kind::item: return {14, timeline::Font::regular, 21, 2, 18};
    case Kind::code: return {11, timeline::Font::mono, 16, 0, 12};
    default: return {14, timeline::Font::regular, 21, 8, 0};
  }
}

std::vector<std::string> broken(std::string_view text, const Style& style) {
  constexpr std::size_t kAll = std::string_view::npos;
  return timeline::wrapped(text, style.font, style.size, static_cast<float>(kHandoutWidth - style.indent), kAll);
}

class Pages {
 public:
  void add(const HandoutPart& part) {
    switch (part.kind) {
      case Kind::picture: return picture(part.picture);
      case Kind::answer: return answer(part.lines);
      case Kind::code:
        for (std::string_view rest = part.text; !rest.empty();) {
          const std::string_view line = rest.substr(0, rest.find('\n'));
          rest.remove_prefix(std::min(line.size() + 1, rest.size()));
          put(line, style_of(Kind::code));
        }
        return;
      default: break;
    }
    const Style style = style_of(part.kind);
    if (y_ > kMargin) y_ += style.before;
    const std::vector<std::string> lines = broken(part.text, style);
    // A heading has some lines of its step below it.
    if (part.kind == Kind::heading) make_room(style.line + 90);
    if (part.kind == Kind::item && !lines.empty()) make_room(style.line);
    bool first = part.kind == Kind::item;
    for (const std::string& each : lines) {
      make_room(style.line);
      if (std::exchange(first, false)) text("•", style, kMargin + 4);
      put(each, style);
    }
  }
  std::vector<timeline::Scene> all() {
    for (std::size_t i = 0; i < pages_.size(); ++i)
      pages_[i].texts.push_back({static_cast<float>(kPageWidth) / 2, kFoot + 24, 11, timeline::Anchor::centre,
                                 timeline::Font::regular, theme_.faint_text, tr("{} of {}", i + 1, pages_.size())});
    return std::move(pages_);
  }

 private:
  void new_page() {
    pages_.push_back(timeline::blank_scene(kPageWidth, kPageHeight, theme_.background));
    y_ = kMargin;
  }
  void make_room(int height) {
    if (pages_.empty() || y_ + height > kFoot) new_page();
  }
  void text(std::string_view words, const Style& style, int x) {
    pages_.back().texts.push_back({static_cast<float>(x), static_cast<float>(y_) + static_cast<float>(style.line) / 2,
                                   style.size, timeline::Anchor::left, style.font, theme_.strong_text,
                                   std::string(words)});
  }
  void put(std::string_view words, const Style& style) {
    make_room(style.line);
    text(words, style, kMargin + style.indent);
    y_ += style.line;
  }
  void answer(int lines) {
    make_room(lines * kAnswerLine + 8);
    y_ += 8;
    for (int i = 0; i < lines; ++i) {
      y_ += kAnswerLine;
      pages_.back().rectangles.push_back({kMargin, y_, kPageWidth - kMargin, y_ + 1, theme_.faint_text});
    }
  }
  void picture(const timeline::Scene& of) {
    make_room(of.height + 16);
    timeline::Scene& page = pages_.back();
    const int x = kMargin, y = y_ + 8;
    for (timeline::Rectangle each : of.rectangles) {
      each.x0 += x, each.x1 += x, each.y0 += y, each.y1 += y;
      page.rectangles.push_back(each);
    }
    for (timeline::Stacks each : of.stacks) {
      each.x0 += x, each.y0 += y, each.y1 += y, each.top += y, each.bottom += y;
      each.before += page.rectangles.size() - of.rectangles.size();
      page.stacks.push_back(std::move(each));
    }
    for (timeline::Line each : of.lines) {
      each.x0 += static_cast<float>(x), each.x1 += static_cast<float>(x);
      each.y0 += static_cast<float>(y), each.y1 += static_cast<float>(y);
      page.lines.push_back(each);
    }
    for (timeline::Text each : of.texts) {
      each.x += static_cast<float>(x), each.y += static_cast<float>(y);
      each.clip_x0 += x, each.clip_x1 = std::min(each.clip_x1, kPageWidth) + x;
      page.texts.push_back(std::move(each));
    }
    y_ += of.height + 16;
  }

  const timeline::Theme& theme_ = timeline::theme(timeline::ThemeName::print);
  std::vector<timeline::Scene> pages_;
  int y_ = 0;
};

}  // namespace

std::vector<timeline::Scene> handout_pages(const std::vector<HandoutPart>& parts) {
  Pages pages;
  for (const HandoutPart& each : parts) pages.add(each);
  return pages.all();
}

Result<void> write_handout(const std::vector<HandoutPart>& parts, const DocumentInfo& info,
                           const std::filesystem::path& path) {
  return write_pdf(handout_pages(parts), info, path);
}

}  // namespace streamscope::draw

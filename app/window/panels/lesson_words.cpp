#include "app/window/panels/lesson_words.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/window/panels/code_marks.h"
#include "app/window/platform/imgui_compat.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/wide_letters.h"

namespace streamscope::window {
namespace {

// A line's pieces, one behind the other.
struct Joined {
  struct Run {
    std::size_t begin, end;
    lesson::Piece::Kind kind;
  };
  std::string text;
  std::vector<Run> runs;
};

Joined joined(const lesson::Line& line, const lesson::Scope& scope) {
  Joined out;
  for (const lesson::Piece& piece : line) {
    const std::size_t begin = out.text.size();
    out.text += plain({piece}, &scope);
    if (out.text.size() > begin) out.runs.push_back({begin, out.text.size(), piece.kind});
  }
  return out;
}

// Code and values are never parted.
bool is_whole(lesson::Piece::Kind kind) {
  return kind == lesson::Piece::Kind::code || kind == lesson::Piece::Kind::value;
}

// What stays together on a line, or the blanks between: where each begins, and the end.
std::vector<std::size_t> words_of(const Joined& line) {
  std::vector<std::size_t> out;
  for (const Joined::Run& run : line.runs)
    for (std::size_t at = run.begin; at < run.end; ++at) {
      if ((line.text[at] & 0xC0) == 0x80 || (is_whole(run.kind) && at > run.begin)) continue;
      if (at == 0 || may_break(line.text, at)) out.push_back(at);
    }
  out.push_back(line.text.size());
  return out;
}

SizedFont font_of(const Look& look, lesson::Piece::Kind kind) {
  switch (kind) {
    case lesson::Piece::Kind::bold: return look.fonts.strong;
    case lesson::Piece::Kind::code: return look.fonts.mono;
    case lesson::Piece::Kind::value: return look.fonts.strong;
    case lesson::Piece::Kind::plain: break;
  }
  return look.fonts.body;
}

}  // namespace

void lesson_line(const Panel& panel, const lesson::Line& line, const lesson::Scope& scope, float indent) {
  const Joined all = joined(line, scope);
  const std::vector<std::size_t> words = words_of(all);
  const timeline::Theme& theme = panel.look.theme;
  const float height = std::round(ImGui::GetTextLineHeight() * 1.3f), room = ImGui::GetContentRegionAvail().x - indent;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float baseline = (height - ImGui::GetFontSize()) / 2 + ascent_of(panel.look.fonts.body);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float air = std::round(3 * panel.look.scale);  // before and after code, on its ground
  // The part of each run that lies in [begin, end).
  const auto parts = [&](std::size_t begin, std::size_t end, const auto& each) {
    for (const Joined::Run& run : all.runs) {
      const char* const from = all.text.data() + std::max(begin, run.begin);
      const char* const to = all.text.data() + std::min(end, run.end);
      if (from >= to) continue;
      const SizedFont font = font_of(panel.look, run.kind);
      const float around = run.kind == lesson::Piece::Kind::code ? 2 * air : 0;
      each(run.kind, font, from, to, font.font->CalcTextSizeA(font.size, FLT_MAX, 0, from, to).x + around);
    }
  };
  float x = 0, y = 0, blank = 0;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    float width = 0;
    parts(words[i], words[i + 1], [&](auto, const SizedFont&, auto, auto, float its) { width += its; });
    if (all.text[words[i]] == ' ') {
      blank = width;
      continue;
    }
    x = x > 0 ? x + blank : 0;
    blank = 0;
    if (x > 0 && x + width > room) x = 0, y += height;
    parts(words[i], words[i + 1],
          [&](lesson::Piece::Kind kind, const SizedFont& font, const char* from, const char* to, float its) {
            const bool code = kind == lesson::Piece::Kind::code;
            const float left = origin.x + indent + x;
            if (code)
              list.AddRectFilled({left, origin.y + y + 1}, {left + its, origin.y + y + height - 1},
                                 packed(mixed(theme.panel, theme.text, 0.12f)), 3);
            const ImVec2 at{left + (code ? air : 0), std::round(origin.y + y + baseline - ascent_of(font))};
            const timeline::Colour ink = kind == lesson::Piece::Kind::plain ? theme.text : theme.strong_text;
            // What is longer than a line is broken where the line ends.
            list.AddText(font.font, font.size, at, packed(ink), from, to, its > room ? room : 0);
            if (its > room) y += font.size * std::floor(its / room);
            x += its;
          });
  }
  ImGui::Dummy({std::max(room + indent, 1.0f), y + height});
}

void lesson_text(const Panel& panel, const lesson::Text& text, const lesson::Scope& scope) {
  const float em = ImGui::GetFontSize();
  const lesson::Block* before = nullptr;
  for (const lesson::Block& block : text) {
    const bool item = block.kind == lesson::Block::Kind::item;
    if (before != nullptr && !(item && before->kind == lesson::Block::Kind::item)) ImGui::Dummy({1, em * 0.35f});
    before = &block;
    if (block.kind == lesson::Block::Kind::code) {
      code_block(panel.look, plain(block.line, &scope), [&](auto) { return panel.look.theme.strong_text; });
      continue;
    }
    if (item) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      ImGui::GetWindowDrawList()->AddCircleFilled({at.x + em * 0.5f, at.y + ImGui::GetTextLineHeight() * 0.65f},
                                                  em * 0.14f, packed(panel.look.theme.faint_text));
    }
    lesson_line(panel, block.line, scope, item ? em * 1.1f : 0);
  }
}

}  // namespace streamscope::window

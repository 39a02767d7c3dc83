#include "app/window/panels/lesson_words.h"

#include <algorithm>
#include <string>
#include <vector>

#include "app/window/widgets/widgets.h"
#include "engine/base/utf8.h"

namespace streamscope::window {
namespace {

// What stays together on a line.
struct Word {
  std::string text;
  lesson::Piece::Kind kind;
  bool space_before = false;
};

// A letter of Chinese, behind and before which a line may break.
bool is_ideograph(std::string_view letter) {
  return letter.size() == 3 && letter.front() >= '\xE3' && letter.front() <= '\xE9' &&
         !(letter.front() == '\xE3' && letter[1] == '\x80');
}
// Punctuation of Chinese: it ends what it stands behind, or begins what comes.
bool is_punctuation(std::string_view letter) {
  return letter.size() == 3 && ((letter.front() == '\xE3' && letter[1] == '\x80') || letter.front() == '\xEF');
}
bool opens(std::string_view letter) {
  return letter == "（" || letter == "「" || letter == "《" || letter == "“" || letter == "『";
}

class Words {
 public:
  void add(std::string_view text, lesson::Piece::Kind kind) {
    if (kind == lesson::Piece::Kind::code || kind == lesson::Piece::Kind::value) return whole(text, kind);
    while (!text.empty()) {
      const std::size_t length = std::max<std::size_t>(utf8_length(text), 1);
      const std::string_view letter = text.substr(0, length);
      text.remove_prefix(std::min(length, text.size()));
      if (letter == " ") {
        space_ = true;
        ends_ = true;
        continue;
      }
      const bool alone = is_ideograph(letter), mark = is_punctuation(letter) && !opens(letter);
      if (all_.empty() || space_ || (!mark && (ends_ || alone)) || all_.back().kind != kind) begin(kind);
      all_.back().text += letter;
      ends_ = alone || mark;
    }
  }
  const std::vector<Word>& all() const { return all_; }

 private:
  void begin(lesson::Piece::Kind kind) {
    all_.push_back({{}, kind, space_});
    space_ = ends_ = false;
  }
  void whole(std::string_view text, lesson::Piece::Kind kind) {
    begin(kind);
    all_.back().text = text;
  }

  std::vector<Word> all_;
  bool space_ = false, ends_ = false;
};

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
  Words words;
  for (const lesson::Piece& piece : line) words.add(plain({piece}, &scope), piece.kind);
  const timeline::Theme& theme = panel.look.theme;
  const float height = std::round(ImGui::GetTextLineHeight() * 1.3f), room = ImGui::GetContentRegionAvail().x - indent;
  const float space = panel.look.fonts.body.font->CalcTextSizeA(panel.look.fonts.body.size, FLT_MAX, 0, " ").x;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  float x = 0, y = 0;
  for (const Word& word : words.all()) {
    const SizedFont font = font_of(panel.look, word.kind);
    const char* const end = word.text.data() + word.text.size();
    const float width = font.font->CalcTextSizeA(font.size, FLT_MAX, 0, word.text.data(), end).x;
    if (word.space_before && x > 0) x += space;
    if (x > 0 && x + width > room) x = 0, y += height;
    const ImVec2 at{origin.x + indent + x, origin.y + y + (height - font.size) / 2};
    if (word.kind == lesson::Piece::Kind::code)
      list.AddRectFilled({at.x - 2, origin.y + y + 1}, {at.x + width + 2, origin.y + y + height - 1},
                         packed(mixed(theme.panel, theme.text, 0.12f)), 3);
    const timeline::Colour ink = word.kind == lesson::Piece::Kind::plain ? theme.text : theme.strong_text;
    // What is longer than a line is broken where the line ends.
    list.AddText(font.font, font.size, at, packed(ink), word.text.data(), end, width > room ? room : 0);
    x += width;
    if (width > room) y += font.size * std::floor(width / room);
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
      wrapped(plain(block.line, &scope), panel.look.theme.strong_text, &panel.look.fonts.mono);
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

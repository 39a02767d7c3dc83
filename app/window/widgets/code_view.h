// Code with numbered lines and coloured words, typed in or only looked at, selected and copied.
//
// The text field is as tall and as wide as its text and lies in a scrolling child of ours, so that line numbers and
// what is drawn behind lines scroll with it and no inner part of Dear ImGui is needed. The field itself draws no
// letters: they are drawn over it in their colours, and so is the cursor; of the lines in sight alone.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/window/widgets/style.h"

namespace streamscope::window {

class CodeView {
 public:
  struct Piece {
    std::string_view text;
    timeline::Colour colour;
  };
  struct Code {
    const char* id;
    std::string& text;
    bool read_only = false;
    bool pale = false;  // of what is not there any more
    // The pieces of a line, in order; side by side they are the line.
    std::function<std::vector<Piece>(std::string_view line)> pieces;
  };
  // Where its lines are on the screen; they are numbered from 1 on.
  struct Lines {
    ImVec2 origin;
    float gutter, height, width;  // of the numbers; of a line; of all of it
    const std::vector<std::string_view>& texts;
    std::uint32_t first, last;  // in sight
    void band(std::uint32_t line, timeline::Colour colour) const;
    void bar(std::uint32_t line, timeline::Colour colour, float thick) const;  // at its left edge
  };

  // As tall as whole lines fit into `size`. `under` draws what lies behind the text. Gives back whether the text was
  // typed in.
  bool draw(const Look& look, const Code& code, ImVec2 size, const std::function<void(const Lines&)>& under);

  int cursor() const { return cursor_; }  // bytes before it; -1: the keyboard is elsewhere
  bool moved() const { return moved_; }   // the cursor, in the frame drawn last
  std::uint32_t line_of_cursor() const;   // 0: the keyboard is elsewhere
  ImVec2 place_of_cursor() const { return on_screen_; }
  // In the next frame the bytes [begin, end) become that text, and the cursor stands behind it.
  void replace(std::size_t begin, std::size_t end, std::string text);
  bool replaced() const { return replaced_; }  // in the frame drawn last
  // From the next frame on a line is in sight: the second from above, or where it is in sight already.
  void show(std::uint32_t line, bool even_in_sight);

 private:
  static int follow(ImGuiInputTextCallbackData* data);
  void keep_cursor_in_sight(std::string_view text, float digit, float gutter, float line_height);

  int cursor_ = -1;
  std::uint32_t line_ = 0;
  bool moved_ = false, replaced_ = false;
  ImVec2 place_{}, on_screen_{};  // from the text's corner, and where that was when it was drawn
  bool replaces_ = false;
  std::size_t replace_from_ = 0, replace_to_ = 0;
  std::string put_;
  std::uint32_t show_line_ = 0;
  bool show_anyhow_ = false;
};

}  // namespace streamscope::window

// Code in panels: its colours, and what ties the program's lines to those of its CUDA C++: the same lines are lit in
// both, and come into sight in the other one.
#pragma once

#include <functional>
#include <string_view>

#include "app/window/panels/code_words.h"
#include "app/window/panels/panel.h"
#include "app/window/widgets/code_view.h"

namespace streamscope::window {

std::vector<CodeView::Piece> coloured(const CodeWords& words, const timeline::Theme& theme);

// A few lines of code between words, on a ground of their own with room around them.
void code_block(const Look& look, std::string_view lines,
                const std::function<timeline::Colour(std::string_view line)>& ink);

// Behind the text: the lines of the selected operation, and those of the line that is looked at. `of_program`: the
// program's line that a line of the text comes from; 0: none.
void mark_lines(const Panel& panel, const CodeView::Lines& lines,
                const std::function<std::uint32_t(std::uint32_t)>& of_program);

// The program's line that was chosen last, of an operation on the timeline or by the cursor.
class ChosenLine {
 public:
  // 0: it is what it was.
  std::uint32_t newly(const State& state);

 private:
  std::uint32_t selected_ = 0, looked_at_ = 0;
};

}  // namespace streamscope::window

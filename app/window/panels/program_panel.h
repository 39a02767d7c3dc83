// Below: the stream program as text. Typing detaches it from the controls; errors stand at their line.
//
// The editor is as tall and as wide as its text and lies in a scrolling child of ours, so that line numbers and marks
// scroll with it and no inner part of Dear ImGui is needed.
#pragma once

#include <string>

#include "app/window/panels/completion.h"
#include "app/window/panels/panel.h"

namespace streamscope::window {

class ProgramPanel {
 public:
  void draw(const Panel& panel, const Box& place);

  // What the editor's callback does to its text, and what it learns of it.
  struct Editor {
    int cursor = -1;
    bool replace = false;  // [begin, cursor) by `word`
    std::size_t begin = 0;
    std::string word;
  };

 private:
  void complete_word(const Panel& panel, Editor& editor);
  void show_completion(const Panel& panel, ImVec2 cursor) const;

  Completion completion_;
  std::size_t completing_ = 0;  // the word that stands there
  int completed_to_ = -1;       // where the cursor stands behind it; -1: nothing is being completed
  std::string text_;
  std::uint64_t version_ = 0;
  int cursor_ = -1;
  std::uint32_t scroll_to_line_ = 0;
};

}  // namespace streamscope::window

// Below: the stream program as text. Typing detaches it from the controls; errors stand at their line.
#pragma once

#include <string>

#include "app/window/panels/code_marks.h"
#include "app/window/panels/completion.h"
#include "app/window/panels/panel.h"
#include "app/window/widgets/code_view.h"

namespace streamscope::window {

class ProgramPanel {
 public:
  void draw(const Panel& panel, const Box& place);

 private:
  void complete_word(const Panel& panel);
  void show_completion(const Panel& panel) const;

  CodeView view_;
  Completion completion_;
  std::size_t completing_ = 0;  // the word that stands there
  int completed_to_ = -1;       // where the cursor stands behind it; -1: nothing is being completed
  std::string text_;
  std::uint64_t version_ = 0;
  ChosenLine chosen_;
};

}  // namespace streamscope::window

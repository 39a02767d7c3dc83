// Below: the stream program as text. Typing detaches it from the controls; errors stand at their line. Those of a
// compiler in the source of a kernel of its own stand there, too, and in that source, which is shown to be read.
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
  void draw_program(const Panel& panel, float below);
  void draw_source(const Panel& panel, const kernels::SourceError& error, float below);
  void take_over(const std::string& program, bool seen);
  void undo(const Panel& panel) const;
  void complete_word(const Panel& panel);
  void show_completion(const Panel& panel) const;

  CodeView view_, source_view_;
  std::string source_;            // of a kernel of its own, with an error
  std::size_t source_shown_ = 0;  // the error that it was brought into sight for
  Completion completion_;
  std::size_t completing_ = 0;  // the word that stands there
  bool completes_ = false;      // the word is being put there
  int completed_to_ = -1;       // where the cursor stands behind it; -1: nothing is being completed
  std::string text_;
  std::uint64_t version_ = 0;
  ChosenLine chosen_;
};

}  // namespace streamscope::window

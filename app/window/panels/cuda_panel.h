// Beside the program: its CUDA C++, as --emit-cuda writes it, each line tied to the program's.
#pragma once

#include <memory>
#include <string>

#include "app/window/panels/code_marks.h"
#include "app/window/panels/panel.h"
#include "app/window/widgets/code_view.h"

namespace streamscope::window {

class CudaPanel {
 public:
  // `alone`: in the program's place.
  void draw(const Panel& panel, const Box& place, bool alone);
  bool has_cursor() const { return view_.cursor() >= 0; }  // when it was drawn last

 private:
  CodeView view_;
  std::shared_ptr<const CudaWritten> of_;
  std::string text_;  // of it
  std::string name_;  // of its program
  ChosenLine chosen_;
};

}  // namespace streamscope::window

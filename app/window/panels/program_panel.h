// Below: the stream program as text. Typing detaches it from the controls; errors stand at their line.
//
// The editor is as tall and as wide as its text and lies in a scrolling child of ours, so that line numbers and marks
// scroll with it and no inner part of Dear ImGui is needed.
#pragma once

#include <string>

#include "app/window/panels/panel.h"

namespace streamscope::window {

class ProgramPanel {
 public:
  void draw(const Panel& panel, const Box& place);

 private:
  std::string text_;
  std::uint64_t version_ = 0;
  int cursor_ = -1;
  std::uint32_t scroll_to_line_ = 0;
};

}  // namespace streamscope::window

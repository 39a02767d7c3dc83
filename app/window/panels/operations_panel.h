// Below the timeline: the search, how much it finds, the table of operations and the histogram of them.
#pragma once

#include <memory>

#include "app/window/panels/panel.h"

namespace streamscope::window {

class OperationsPanel {
 public:
  OperationsPanel();
  ~OperationsPanel();
  OperationsPanel(OperationsPanel&&) noexcept;
  OperationsPanel& operator=(OperationsPanel&&) noexcept;
  void draw(const Panel& panel, const Box& place, int plot_width);  // of the timeline, for views to go to
  bool awaits_cursor() const;  // Enter took it out of the search, and the next key is meant for there

 private:
  struct Kept;
  std::unique_ptr<Kept> kept_;
};

}  // namespace streamscope::window

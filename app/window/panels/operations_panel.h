// Below the timeline: the search, how much it finds, the table of operations and the histogram of them.
#pragma once

#include <string>

#include "app/window/panels/operations_table.h"

namespace streamscope::window {

class OperationsPanel {
 public:
  void draw(const Panel& panel, const Box& place, int plot_width);  // of the timeline, for views to go to

 private:
  void search(const Panel& panel, float width);

  std::string words_, searched_;  // typed, and as the state had them last
  bool again_ = false;            // Enter takes the cursor out of the field: it is put back
  bool at_end_ = false;
  OperationsTable table_;
};

}  // namespace streamscope::window

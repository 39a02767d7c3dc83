// The lower panel's tab for two runs: the runs kept at the left, how the one in view and the compared
// one differ at the right.
#pragma once

#include <string>

#include "app/window/panels/panel.h"

namespace streamscope::window {

class TimelinePanel;

class ComparePanel {
 public:
  void draw(const Panel& panel, const Box& place, TimelinePanel& timeline);

 private:
  void history(const Panel& panel, float width);
  void run_row(const Panel& panel, std::size_t index, float tall);
  void name_field(const Panel& panel, const ShownRun& run);
  void differences(const Panel& panel, TimelinePanel& timeline);

  std::uint64_t naming_ = kNoRun;  // whose name stands in the field
  std::string name_;
  OperationIndex followed_ = kNoOperation;  // the selection that the table has been scrolled to
};

}  // namespace streamscope::window

// The operations that two runs have in common, those that differ most first.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope::window {

class TimelinePanel;

class CompareTable {
 public:
  void draw(const Panel& panel, TimelinePanel& timeline);  // there must be a pair in view

 private:
  OperationIndex followed_ = kNoOperation;                // the selection that the table has been scrolled to
  std::shared_ptr<const analysis::PairedRuns> scrolled_;  // the pair that it has been scrolled in
};

}  // namespace streamscope::window

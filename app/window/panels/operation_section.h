// Of the summary: why the selected operation came when it did and took as long as it did, as the verdict has it.
#pragma once

#include <memory>

#include "app/window/panels/panel.h"
#include "app/window/state/operation_verdict.h"

namespace streamscope::window {

class OperationSection {
 public:
  // Whether it is known what held the selected operation: then that says more than the trace's own reason.
  bool follow(const State& state);
  void draw(const Panel& panel) const;

 private:
  std::shared_ptr<const RunVerdict> of_;
  OperationIndex operation_ = kNoOperation;
  OperationVerdict known_;
};

}  // namespace streamscope::window

// The lower panel's tab for two runs: the runs kept at the left, how the one in view and the compared
// one differ at the right.
#pragma once

#include <string>

#include "app/window/panels/panel.h"

namespace streamscope::window {

class TimelinePanel;

// The runs kept, newest first: what each is called, what was changed for it, how long it took and where it ran.
class CompareHistory {
 public:
  void draw(const Panel& panel, float width);

 private:
  void run_row(const Panel& panel, std::size_t index, float tall);
  void name_field(const Panel& panel, const ShownRun& run);

  std::uint64_t naming_ = kNoRun;  // whose name stands in the field
  std::string name_;
};

// The operations that two runs have in common, those that differ most first.
class CompareTable {
 public:
  void draw(const Panel& panel, TimelinePanel& timeline);  // there must be a pair in view

 private:
  OperationIndex followed_ = kNoOperation;  // the selection that the table has been scrolled to
};

class ComparePanel {
 public:
  void draw(const Panel& panel, const Box& place, TimelinePanel& timeline);

 private:
  CompareHistory history_;
  CompareTable differences_;
};

}  // namespace streamscope::window

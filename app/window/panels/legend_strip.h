// What the colours of the timeline mean, in one line under it. A click on one shows what it speaks of alone: all else
// is pale, and its name is underlined, until it is clicked again.
#pragma once

#include <memory>
#include <vector>

#include "app/timeline/legend.h"
#include "app/window/panels/panel.h"
#include "app/window/widgets/box.h"

namespace streamscope::window {

class LegendStrip {
 public:
  static float height(const Look& look);
  void draw(const Panel& panel, const Box& place, const timeline::Tracks& tracks);

 private:
  std::shared_ptr<const ShownRun> shown_;  // whose entries these are
  timeline::ColourBy colour_by_ = timeline::ColourBy::kind;
  timeline::ThemeName theme_ = timeline::ThemeName::dark;
  OperationIndex opened_ = kNoOperation;
  std::shared_ptr<const timeline::VerdictMarks> queues_;  // whose curves are drawn; null: none are
  std::vector<timeline::LegendEntry> entries_;
};

}  // namespace streamscope::window

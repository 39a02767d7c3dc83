// The questions before a picture is written: format, size, what of the run, and what stands on it.
#pragma once

#include <string>

#include "app/window/panels/panel.h"

namespace streamscope::window {

class TimelinePanel;

class ExportDialog {
 public:
  void draw(const Panel& panel, const TimelinePanel& timeline);

 private:
  void open(const State& state);
  draw::PictureRequest request(const State& state, const TimelinePanel& timeline) const;

  // What was chosen last, for the next picture.
  draw::PictureRequest chosen_;
  command::Extent extent_ = command::Extent::whole;
  std::string tracks_;
  bool was_open_ = false;
};

}  // namespace streamscope::window

// The questions before a picture is written: format, size, what of the run, and what stands on it.
#pragma once

#include <string>

#include "app/window/panels/panel.h"

namespace streamscope::window {

class TimelinePanel;

// Of a page, in millimetres.
struct Paper {
  int width = 180, height = 110;
  friend bool operator==(const Paper&, const Paper&) = default;
};
inline constexpr int kSmallestPaper = 40, kLargestPaper = 2'000;
// A picture as large as that, in which no text is smaller than 7 pt: it is not scaled.
void set_paper(draw::FigureOptions& options, const Paper& paper);

class ExportDialog {
 public:
  void draw(const Panel& panel, const TimelinePanel& timeline);

 private:
  void open(const State& state);
  draw::PictureRequest request(const State& state, const TimelinePanel& timeline) const;

  // What was chosen last, for the next picture.
  draw::PictureRequest chosen_;
  Paper paper_;  // of a PDF
  command::Extent extent_ = command::Extent::whole;
  std::string tracks_;
  bool was_open_ = false;
};

}  // namespace streamscope::window

// The questions before a picture is written: format, size, what of the run, and what stands on it.
#pragma once

#include <optional>
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
  draw::PictureRequest request(const State& state, const std::optional<trace::Interval>& interval) const;
  const std::string& left_out(const State& state, const draw::FigureOptions& options);

  // What was chosen last, for the next picture.
  draw::PictureRequest chosen_;
  Paper paper_;                // of a PDF
  bool paper_chosen_ = false;  // by a person; else it is as tall as the run needs
  command::Extent extent_ = command::Extent::whole;
  std::string tracks_;
  bool was_open_ = false;
  std::string tried_, left_out_;  // the picture that was tried last, and what has no room in it
};

}  // namespace streamscope::window

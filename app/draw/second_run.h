// A second run in a figure, on the axis of the first, and what the figure then says of both.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/draw/caption.h"
#include "app/timeline/compared_run.h"
#include "app/timeline/legend.h"

namespace streamscope::draw {

struct SecondRun {
  std::shared_ptr<const trace::Run> run;  // not null
  timeline::ComparedRun compared;         // how it is drawn, and both names; its pointers are not used
};

// For the timeline. `tracks`: of the second run; they and the run must outlive what is given back.
timeline::ComparedRun compared_run(const SecondRun& second, const timeline::Tracks& tracks);

Caption caption_of_both(const SecondRun& second);
// Those of the first, each with the second's value next to it.
std::vector<KeyFigure> key_figures_of_both(const trace::Run& first, const SecondRun& second);
// What either has, each meaning once; `first` is the first run's legend. Of an overlaid run also how it is drawn.
std::vector<timeline::LegendEntry> legend_of_both(std::vector<timeline::LegendEntry> first, const SecondRun& second,
                                                  const timeline::Tracks& tracks, const timeline::Theme& theme,
                                                  timeline::ColourBy colour_by,
                                                  const std::optional<trace::Interval>& within);
// Which run each is of stands before it; what both say stands once.
std::vector<std::string> notes_of_both(const trace::Run& first, const SecondRun& second);

}  // namespace streamscope::draw

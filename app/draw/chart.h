// A few lines over the values of one axis, as one figure: plots side by side that share both axes, each line with a
// colour and a mark of its own, so that they can be distinguished without colours. y begins at 0.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/draw/caption.h"
#include "app/timeline/theme.h"
#include "engine/trace/trace.h"

namespace streamscope::draw {

struct ChartValue {
  double value = 0;
  double low = 0, high = 0;  // how far it spreads, drawn as a whisker; both the value where that is not known
};

struct ChartLine {
  std::string name;
  std::vector<std::optional<ChartValue>> values;  // by category; the line has a gap where there is none
};

struct ChartPlot {
  std::string name;              // above the plot; may be empty
  std::vector<ChartLine> lines;  // the same names in the same order in every plot
};

struct Chart {
  Caption caption;
  std::vector<KeyFigure> figures;
  std::string x, y;                     // what the axes are: "kernel.stages", "kernels, GB/s"
  std::string legend;                   // what the lines are: "kernel.copy"
  std::vector<std::string> categories;  // of x, evenly spaced
  std::vector<ChartPlot> plots;
  std::optional<double> reference;  // a level to hold the lines against, dashed
  std::string reference_name;
  std::vector<std::string> notes;  // below the plots; as many as there is room for
  trace::Provenance provenance;
};

struct ChartOptions {
  int width = 1600, height = 900;
  double scale = 1;
  timeline::ThemeName theme = timeline::ThemeName::light;
};
timeline::Scene chart(const Chart& chart, const ChartOptions& options);

}  // namespace streamscope::draw

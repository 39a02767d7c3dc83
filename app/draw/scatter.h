// Predicted against measured times as one figure: each program a point, in a plot of both times and in one of how far
// off the prediction is. The bands are ±5 % and ±15 %.
#pragma once

#include <string>
#include <vector>

#include "app/draw/chart.h"
#include "engine/trace/trace.h"

namespace streamscope::draw {

struct ScatterPoint {
  Nanoseconds measured = 1, predicted = 1;  // less than 1 is drawn as 1
};

// Points of one colour, and its row of the table. Errors are of the measured time: 0.05 is 5 %.
struct ScatterFamily {
  std::string name;
  double mean_error = 0, percentile_95 = 0;  // without their sign
  std::vector<ScatterPoint> points;
};

struct Scatter {
  Caption caption;
  std::vector<KeyFigure> figures;
  std::vector<ScatterFamily> families;
  std::vector<std::string> notes;  // below the plots; as many as there is room for
  trace::Provenance measured, predicted;
};

timeline::Scene scatter(const Scatter& scatter, const ChartOptions& options);

}  // namespace streamscope::draw

// A whole figure from a run: the timeline with title, legend, figures and provenance, as --png and Export PNG write it.
#pragma once

#include "app/timeline/layout.h"

namespace streamscope {

struct FigureOptions {
  int width = 1600, height = 900;
  double scale = 1;
  ThemeName theme = ThemeName::light;
  ColourBy colour_by = ColourBy::kind;
  std::optional<View> view;  // nothing: the whole run
  bool ghosts = true;        // of a run that was predicted
  Opening opening;           // whose inside is drawn; without a view of its own the figure goes there
};
Picture figure(const Run& run, const FigureOptions& options);

}  // namespace streamscope

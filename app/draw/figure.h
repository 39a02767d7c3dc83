// A whole figure from a run, or from two: the timeline with title, legend, figures and provenance, as `run` and the
// window write it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/second_run.h"
#include "app/timeline/bar_style.h"
#include "app/timeline/view.h"
#include "engine/base/result.h"
#include "engine/trace/interval.h"
#include "engine/verdict/judgement.h"

namespace streamscope::draw {

struct FigureOptions {
  int width = 1600, height = 900;
  double scale = 1;  // multiplies the pixels of what is written: the picture is the same. figure() does not look at it
  double text = 1;   // of text and rows within the picture
  timeline::ThemeName theme = timeline::ThemeName::light;
  timeline::ColourBy colour_by = timeline::ColourBy::kind;
  std::optional<timeline::View> view;  // nothing: the whole run
  bool ghosts = true;                  // of a run that was predicted
  timeline::OpenKernel opening;        // whose inside is drawn; without a view of its own the figure goes there

  std::optional<SecondRun> second;  // on the same axis; neither ghosts nor the inside of a kernel are drawn then

  std::optional<trace::Interval> interval;  // exactly this, instead of a view
  std::vector<std::string> tracks;          // words as choose_tracks.h takes them; empty: all
  std::string title;                        // empty: the experiment's name
  std::string caption;                      // in a person's own words, below the configuration
  bool legend = true, key_figures = true;

  // The verdict on the run. With it the reasons of all waiting are drawn; without it none of what follows is.
  std::shared_ptr<const verdict::Judgement> judgement;
  bool path = false;           // the critical path, and its shares in the legend
  bool pale_off_path = false;  // what is not on it is pale
  bool rulers = false;         // the bounds
  std::string why;             // the verdict in a sentence or two, below the configuration
};
// What does not find room on a small page is left out, the badge of the provenance last. A word for tracks that there
// are not names none of them, an interval is cut to the run's; check_figure() reports both.
timeline::Scene figure(const trace::Run& run, const FigureOptions& options);

// What there is no room for in the picture, in words; empty: all is there. Takes as long as the run's tracks do.
std::string left_out(const trace::Run& run, const FigureOptions& options);

// An error where the interval or the tracks are not of this run, which says what there is.
Result<void> check_figure(const trace::Run& run, const FigureOptions& options);

// Where the interval goes on after the run's end, a sentence that says so; else empty.
std::string beyond_the_end(const trace::Run& run, const FigureOptions& options);

}  // namespace streamscope::draw

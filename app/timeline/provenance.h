// Where a trace comes from, and what its colours mean: what every picture of it must say.
#pragma once

#include <string>
#include <vector>

#include "app/timeline/layout.h"

namespace streamscope::timeline {

// What follows the word MEASURED or MODEL: "NVIDIA H200 · driver 580.159.04 · clock ±2.9 us · instrument full · date".
std::string provenance_text(const trace::Provenance& provenance);

struct LegendEntry {
  std::string label;
  Colour colour;
  Fill fill = Fill::solid;
  bool ghost = false;       // outlined and lower
  Fill over = Fill::solid;  // a pattern over it, in the ink; solid: none
  Colour ink = {};
};
// What these tracks' bars show, in a fixed order, and nothing that they do not have: of all the time or of the
// interval.
std::vector<LegendEntry> legend(const trace::Trace& trace, const Tracks& tracks, const Theme& theme, ColourBy colour_by,
                                const std::optional<trace::Interval>& within = std::nullopt);

// A bar's colour: on a host track a call's, else that of what it does, or of its stream.
Colour bar_colour(const trace::Span& span, TrackKind track, ColourBy colour_by);
// The same with the pattern that the theme may have.
Coat bar_coat(const trace::Span& span, TrackKind track, ColourBy colour_by, const Theme& theme);

// What waiting is hatched in: what the gate held is none of the program's own waiting.
Colour waiting_colour(const trace::Span& span, const Theme& theme);

LegendEntry ghost_entry(const std::string& profile, const Theme& theme);  // "predicted by the model (h200)"

// The badge in the rectangle: the word in its colour, then provenance_text() as far as it fits. With the profile of a
// prediction drawn beside it: MODEL and that profile at the right end, so that neither is taken for the other.
void draw_badge(Picture& picture, const trace::Provenance& provenance, const Theme& theme, const Rectangle& within,
                float text_size, const std::string& ghost = {});
// Of two runs: one badge in each half, each with the name of its run.
void draw_badges(Picture& picture, const trace::Provenance& first, const Beside& beside, const Theme& theme,
                 const Rectangle& within, float text_size);

}  // namespace streamscope::timeline

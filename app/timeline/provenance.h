// Where a run comes from, in words, and as the badge burned into every picture.
#pragma once

#include <array>
#include <string>

#include "app/timeline/compared_run.h"
#include "app/timeline/scene.h"
#include "app/timeline/theme.h"
#include "engine/trace/trace.h"

namespace streamscope::timeline {

// What follows the word MEASURED or MODEL: "NVIDIA H200 · driver 580.159.04 · clock ±2.9 us · instrument full · date".
std::string provenance_text(const trace::Provenance& provenance);
// Of two runs side by side, each behind the name of its run.
std::array<std::string, 2> provenance_texts(const trace::Provenance& first, const ComparedRun& compared);

// Behind the badge's word.
Colour badge_colour(const trace::Provenance& provenance, const Theme& theme);

// The badge in the rectangle: the word in its colour, then provenance_text() as far as it fits. With the profile of a
// prediction drawn under the bars: MODEL and that profile at the right end, so that neither is taken for the other.
void draw_badge(Scene& scene, const trace::Provenance& provenance, const Theme& theme, const Rectangle& within,
                float text_size, const std::string& ghost = {});
// Of two runs: one badge in each half, each with the name of its run.
void draw_badges(Scene& scene, const trace::Provenance& first, const ComparedRun& compared, const Theme& theme,
                 const Rectangle& within, float text_size);

}  // namespace streamscope::timeline

// How bars are filled: colours and patterns by what an operation does, by its stream, by a stage's phase.
#pragma once

#include <cstdint>

#include "app/timeline/theme.h"
#include "app/timeline/tracks.h"

namespace streamscope::timeline {

enum class ColourBy : std::uint8_t { kind, stream };

// A ground, and where the theme is patterned a darker pattern over a lighter ground.
struct BarStyle {
  Colour ground;
  Fill pattern = Fill::solid;  // solid: none
  Colour ink;
};
BarStyle bar_style(Colour meaning, Fill pattern, const Theme& theme);

// A bar's colour: on a host track a call's, else that of what it does, or of its stream.
Colour bar_colour(const trace::Span& span, TrackKind track, ColourBy colour_by);
// The same with the pattern that the theme may have.
BarStyle bar_style(const trace::Span& span, TrackKind track, ColourBy colour_by, const Theme& theme);

// Of the stages of an opened kernel.
Colour colour(Phase phase);
Fill pattern_of(Phase phase);

bool is_host_wait(OperationKind kind);  // a call that does nothing but wait

}  // namespace streamscope::timeline

// How bars are filled: colours and patterns by what an operation does, by its stream, by a stage's phase.
#pragma once

#include <cstdint>

#include "app/timeline/theme.h"
#include "app/timeline/tracks.h"

namespace streamscope::timeline {

enum class ColourBy : std::uint8_t { kind, stream };  // in the order of a pair of classes (lane.h)
constexpr std::size_t number(ColourBy by) { return static_cast<std::size_t>(by); }

// A ground, and where the theme is patterned a darker pattern over a lighter ground.
struct BarStyle {
  Colour ground;
  Fill pattern = Fill::solid;  // solid: none
  Colour ink;
};
BarStyle bar_style(Colour meaning, Fill pattern, const Theme& theme);

// What a span counts as on such a track, by kind and by stream (lane.h): on a host track a call, else what it does; or
// its stream; whatever failed is a class of its own.
std::uint8_t class_pair_of(const trace::Span& span, TrackKind track, const StreamSlots& slots);
// The colour of such a class, and the same with the pattern that the theme may have.
Colour colour_of_class(std::uint8_t which, ColourBy colour_by, const Theme& theme);
BarStyle style_of_class(std::uint8_t which, ColourBy colour_by, const Theme& theme);
// Of a single bar.
Colour bar_colour(const trace::Span& span, TrackKind track, ColourBy colour_by, const StreamSlots& slots,
                  const Theme& theme);

bool is_call(const trace::Span& span);  // on a host track: not one that does nothing but wait

// Of the stages of an opened kernel.
Colour colour(Phase phase);
Fill pattern_of(Phase phase);

}  // namespace streamscope::timeline

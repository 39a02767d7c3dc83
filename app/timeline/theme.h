// Colours by meaning. Okabe-Ito, safe for the colour-blind; the values are named in docs/window.md.
#pragma once

#include <string_view>

#include "app/timeline/scene.h"
#include "engine/base/kind.h"

namespace streamscope::timeline {

enum class ThemeName : std::uint8_t { dark, light, projector, print };

struct Theme {
  ThemeName name = ThemeName::dark;
  float text_scale = 1;  // projector: 1.4
  Colour background;     // of the plot
  Colour panel;          // around it, and behind track headers
  Colour lane;           // every other track
  Colour grid;           // tick lines
  Colour text, faint_text, strong_text;
  Colour waiting;          // hatching
  Colour selection;        // teal
  Colour playhead;         // of slow motion: like no bar
  Colour measured, model;  // the provenance badge
  Colour warning;          // what is to be looked at twice
  Colour error;
  bool patterned = false;  // bars differ by patterns too, kernels plain: print, which may lose its colours
};
const Theme& theme(ThemeName name);
Colour colour(OperationKind kind);           // the same in every theme
Colour stream_colour(std::uint32_t stream);  // for "by stream": eight hues in turn
Colour other_streams_colour();               // of those that have none of them
Colour text_on(Colour background);           // black or white, whichever reads better

// The pattern of a kind, or of a stream, one for each colour.
Fill pattern_of(OperationKind kind);
Fill stream_pattern(std::uint32_t stream);

Colour mixed(Colour a, Colour b, float share_of_b);
Colour faded(Colour colour, std::uint8_t alpha);  // that colour, so opaque
std::string_view name(ThemeName name);            // as options and settings have it
std::string_view title(ThemeName name);           // for people

}  // namespace streamscope::timeline

template <>
inline constexpr streamscope::NameTable<4> streamscope::kNames<streamscope::timeline::ThemeName>{"dark", "light",
                                                                                                 "projector", "print"};

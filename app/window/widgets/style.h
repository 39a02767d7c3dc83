// How the window looks: a theme's colours, the fonts and the measures that follow from the size of text.
#pragma once

#include <imgui.h>

#include "app/window/platform/fonts.h"
#include "app/timeline/theme.h"

namespace streamscope {

struct Look {
  Theme theme;
  Fonts fonts;
  float scale = 1;  // of the whole interface: text size times the display's own scale
};

ImU32 packed(Colour colour);
ImVec4 as_vector(Colour colour);
Colour mix(Colour from, Colour to, float share);  // share 0: from, 1: to

// Sets Dear ImGui's style from the look.
void set_style(const Look& look);

}  // namespace streamscope

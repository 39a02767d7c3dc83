// How the window looks: a theme's colours, the fonts and the measures that follow from the size of text.
#pragma once

#include <imgui.h>

#include "app/timeline/theme.h"
#include "app/window/platform/fonts.h"

namespace streamscope::window {

struct Look {
  timeline::Theme theme;
  Fonts fonts;
  float scale = 1;  // of the whole interface: text size times the display's own scale
};

ImU32 packed(timeline::Colour colour);
ImVec4 as_vector(timeline::Colour colour);

// Sets Dear ImGui's style from the look.
void set_style(const Look& look);

}  // namespace streamscope::window

// Roboto and JetBrains Mono, else DejaVu, else what Dear ImGui carries. Built for one size of text; a change rebuilds.
#pragma once

#include <imgui.h>

#include <vector>

#include "app/timeline/picture.h"

namespace streamscope {

struct SizedFont {
  ImFont* font = nullptr;
  float size = 0;  // pixels
};

struct Fonts {
  SizedFont body, strong, small, large, mono;  // strong: medium weight, body size; large: figures only
  std::vector<SizedFont> regular, medium;      // every size there is of these faces, for the timeline's labels
};

// scale: of the whole interface, 1 is 15 pixels of body text. Replaces all fonts of the current context's atlas; call
// it between frames. The backend's texture must be made anew afterwards (see compat.h).
Fonts build_fonts(float scale);

// The font nearest to what a text of a picture asks for. Drawn at its own size it is sharp.
SizedFont pick(const Fonts& fonts, Font font, float size);

}  // namespace streamscope

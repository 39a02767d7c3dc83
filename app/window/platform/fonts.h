// Roboto and JetBrains Mono, else DejaVu, else what Dear ImGui carries; what these lack (Chinese, Japanese, Korean)
// from Noto Sans CJK where it is installed. Built for one size of text and the letters in use; a change rebuilds.
#pragma once

#include <imgui.h>

#include <set>
#include <string_view>
#include <vector>

#include "app/timeline/scene.h"

namespace streamscope::window {

struct SizedFont {
  ImFont* font = nullptr;
  float size = 0;  // pixels
};

struct Fonts {
  SizedFont body, strong, small, large, mono;  // strong: medium weight, body size; large: figures only
  std::vector<SizedFont> regular, medium;      // every size there is of these faces, for the timeline's labels
};

// scale: of the whole interface, 1 is 15 pixels of body text. Replaces all fonts of the current context's atlas; call
// it between frames. The backend's texture must be made anew afterwards (see imgui_compat.h).
// further: letters beyond the Latin ones, sorted; a font with all of Chinese would take seconds and hundreds of MB.
Fonts build_fonts(float scale, const std::vector<ImWchar>& further);

// The letters of this text that need to be asked for, added to the set.
void add_letters(std::string_view utf8, std::set<ImWchar>& into);

// For a text of a picture, whose size is the em in pixels: the nearest font, and the size to draw it in, which is the
// font's own where that is near enough.
SizedFont pick(const Fonts& fonts, timeline::Font font, float em);

}  // namespace streamscope::window

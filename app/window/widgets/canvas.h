// A picture of the timeline on the screen: its rectangles by RectangleRenderer inside a draw callback of Dear ImGui,
// its lines and texts through the draw list.
#pragma once

#include <imgui.h>

#include "app/draw/screen/rectangles.h"
#include "app/timeline/scene.h"
#include "app/window/widgets/style.h"

namespace streamscope::window {

class Canvas {
 public:
  Result<void> create();                     // the GL context must be current
  void set(timeline::Scene scene);           // uploads; only when the scene changed
  void draw(const Fonts& fonts, ImVec2 at);  // into the current window, the scene's (0, 0) at that screen position

 private:
  static void draw_rectangles(const ImDrawList* list, const ImDrawCmd* command);
  screen::RectangleRenderer renderer_;
  timeline::Scene scene_;
  screen::Placement placement_;
};

}  // namespace streamscope::window

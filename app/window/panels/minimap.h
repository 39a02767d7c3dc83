// The overview over the timeline: the whole run, and the frame of what is in view, to be dragged.
#pragma once

#include "app/timeline/overview.h"
#include "app/timeline/rows.h"
#include "app/window/panels/panel.h"
#include "app/window/widgets/canvas.h"

namespace streamscope::window {

// The frame that the mouse drags over the overview, without Dear ImGui.
class ViewFrame {
 public:
  enum class Grip : std::uint8_t { none, inside, left, right };
  // Where a press at this column takes hold, given the frame's columns: at an edge, inside, or outside (then the frame
  // comes to the mouse).
  static Grip grip(const timeline::Pixels& frame, double x, double reach);
  // The view after the mouse went from one column of the overview to another.
  static timeline::View dragged(Grip grip, const timeline::View& begun, const timeline::View& overview, double from,
                                double to, int plot_width);
};

class Minimap {
 public:
  Result<void> create();  // the GL context must be current
  static float height(const Look& look);
  void draw(const Panel& panel, const Box& place, const timeline::Tracks& tracks, const timeline::View& view,
            const timeline::Frame& frame);

 private:
  struct Seen {
    std::shared_ptr<const ShownRun> shown;
    timeline::OverviewOptions options;
    timeline::ThemeName theme = timeline::ThemeName::dark;
    bool ghosts = false;
    friend bool operator==(const Seen&, const Seen&) = default;
  };
  Canvas canvas_;
  Seen seen_;
  ViewFrame::Grip grip_ = ViewFrame::Grip::none;
  double from_ = 0;
  timeline::View begun_;
};

}  // namespace streamscope::window

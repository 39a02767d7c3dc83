// The playhead on the timeline: over its picture, and moved by the mouse in the axis.
#pragma once

#include "app/timeline/rows.h"
#include "app/window/panels/gestures.h"
#include "app/window/panels/panel.h"
#include "app/window/widgets/canvas.h"

namespace streamscope::window {

// The timeline as it lies on the screen.
struct Placed {
  const timeline::Tracks& tracks;
  const timeline::View& view;
  const timeline::LayoutOptions& options;
  const timeline::Frame& frame;
  Box place;
};

class PlayheadView {
 public:
  Result<void> create() { return canvas_.create(); }
  // A press in the axis takes it and sets the playhead, until it is let go; a
  // double click takes the playhead away. While it has the mouse the timeline's own gestures must not act on it.
  bool scrub(const Panel& panel, const Placed& at, const Pointer& pointer);
  // While it plays and runs out of sight the view turns the page.
  void follow(const Panel& panel, const Placed& at);
  void draw(const Panel& panel, const Placed& at);

 private:
  Canvas canvas_;
  bool scrubbing_ = false;
  int last_x_ = 0;  // of the mouse, while scrubbing
};

}  // namespace streamscope::window

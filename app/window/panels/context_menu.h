// What can be done with the thing under the mouse: a right click opens it.
#pragma once

#include "app/timeline/hit.h"
#include "app/window/panels/panel.h"

namespace streamscope::window {

class TimelinePanel;

// Of an operation or a track of the timeline. Opened where a right click was let go and nothing was dragged; it
// remembers what it is of until it closes.
struct ContextMenu {
  OperationIndex operation = kNoOperation;
  std::optional<timeline::TrackKey> track;
  void open(OperationIndex on, std::optional<timeline::TrackKey> of);
  void draw(const Panel& panel, TimelinePanel& timeline);
};
bool right_clicked();  // the last widget, and nothing was dragged

}  // namespace streamscope::window

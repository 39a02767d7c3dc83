// The command palette: type some letters of what is wanted, Enter does it.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope::window {

class TimelinePanel;

void palette(const Panel& panel, TimelinePanel& timeline);  // over everything else, where it is open

}  // namespace streamscope::window

// What stands over the timeline while it is shown to a room (F5): a toolbar of one row, and the explanation as a
// caption.
#pragma once

#include "app/window/panels/panel.h"
#include "app/window/widgets/box.h"

namespace streamscope::window {

float present_bar(const Panel& panel, const Box& place);      // gives back how tall it is
float present_caption(const Panel& panel, const Box& place);  // the same

}  // namespace streamscope::window

// Live mode's last runs as a faint cloud: where their bars ended, so that jitter is seen.
#pragma once

#include <span>

#include "app/timeline/rows.h"
#include "app/window/panels/panel.h"
#include "app/window/panels/playhead_view.h"

namespace streamscope::window {

// Over the timeline; `rows`: its strips.
void draw_cloud(const Panel& panel, const Placed& at, std::span<const timeline::Strip> rows);

}  // namespace streamscope::window

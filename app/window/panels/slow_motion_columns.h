// One instant as three columns: what each host thread does, what stands in each stream's queue, what each engine works
// on; and below them what waits for what.
#pragma once

#include "app/timeline/instant.h"
#include "app/window/panels/panel.h"

namespace streamscope::window {

void instant_columns(const Panel& panel, const trace::Trace& trace, const timeline::Instant& now);

}  // namespace streamscope::window

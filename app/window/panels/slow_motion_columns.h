// One instant as three columns: what each host thread does, what stands in each stream's queue, what each engine works
// on; and below them what waits for what.
#pragma once

#include "app/window/panels/panel.h"
#include "app/timeline/instant.h"

namespace streamscope {

void instant_columns(const Panel& panel, const Trace& trace, const Instant& now);

}  // namespace streamscope

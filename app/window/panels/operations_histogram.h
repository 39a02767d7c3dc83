// The operations panel's histogram.
#pragma once

#include "app/window/panels/panel.h"
#include "app/window/state/state.h"

namespace streamscope::window {

void operations_histogram(const Panel& panel, const TableReading& table);

}  // namespace streamscope::window

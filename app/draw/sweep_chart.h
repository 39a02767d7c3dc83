// A sweep as a plot.
#pragma once

#include "app/draw/chart.h"
#include "engine/sweep/sweep.h"

namespace streamscope::draw {

// The first axis is x, the second a line for each value, the third a plot for each value.
Chart sweep_chart(const sweep::Sweep& sweep);

}  // namespace streamscope::draw

// All that can be opened at a glance: experiments, programs, files that were open last, each with what it shows.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope::window {

void gallery(const Panel& panel);  // over everything else, where it is open

}  // namespace streamscope::window

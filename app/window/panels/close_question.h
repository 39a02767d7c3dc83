// Before typed text is lost: whether the window shall close all the same.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope::window {

void close_question(const Panel& panel);

}  // namespace streamscope::window

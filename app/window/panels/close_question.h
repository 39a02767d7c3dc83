// Before typed text is lost: whether the window shall close all the same.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope::window {

void close_question(const Panel& panel);

// What Save does there: what is in the editor comes before what was put aside, which is brought back to be saved, under
// a name that is asked for.
Commands save_before_close(const Editing& editing);

}  // namespace streamscope::window

// Which file is to be opened, or where what is set and typed is to be saved.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope::window {

void file_dialog(const Panel& panel);

}  // namespace streamscope::window
